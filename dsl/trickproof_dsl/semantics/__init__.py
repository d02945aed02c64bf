"""The reference semantics of the core program."""
