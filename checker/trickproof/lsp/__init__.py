"""Rules in an editor: what is wrong while typing, what a word means, and what can be written here."""
