"""Random play, edge cases, shrinking and witnesses: what is *tested* rather than proved."""
