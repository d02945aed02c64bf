"""From totals to estimates with confidence intervals."""
