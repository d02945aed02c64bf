"""The foundations of the checker: files, caches, processes, intervals, exit codes."""
