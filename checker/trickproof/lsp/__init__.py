"""Rules in an editor: diagnostics while typing, hover texts, and completion."""
