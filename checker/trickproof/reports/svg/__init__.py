"""Figures of simulations and sweeps as SVG."""
