"""A whole simulation program: lowering, policies and counters put together."""
