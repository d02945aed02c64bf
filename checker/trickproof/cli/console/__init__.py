"""What a command reads from, and writes to, its user: streams, files, colour, pages and progress."""
