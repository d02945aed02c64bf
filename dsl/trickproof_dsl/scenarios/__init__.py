"""Scenarios and states as JSON, read, replayed and written; a bad scenario is answered, never fatal."""
