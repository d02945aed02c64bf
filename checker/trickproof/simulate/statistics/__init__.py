"""Totals to estimates with confidence intervals."""
