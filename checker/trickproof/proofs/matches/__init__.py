"""Claims about whole matches: how they can end, whether they do, and matches that show it."""
