"""A whole simulation program: lowering, policies and counters combined."""
