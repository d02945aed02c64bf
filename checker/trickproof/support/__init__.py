"""What every part of the checker stands on: files, caches, processes, intervals, exit codes."""
