"""Results of simulations and sweeps as text, JSON and SVG."""
