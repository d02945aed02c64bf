"""Scenarios and states as JSON: read, replayed and written; errors in a scenario are answered, never raised."""
