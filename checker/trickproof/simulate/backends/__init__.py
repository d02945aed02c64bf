"""The integer program as Python and as machine code, playing one match at a time or several interleaved."""
