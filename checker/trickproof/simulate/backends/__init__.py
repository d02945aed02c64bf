"""The integer program as Python and as machine code, one match at a time or several interleaved."""
