"""Static analyses of core programs, one of each kind."""
