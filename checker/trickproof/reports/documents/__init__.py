"""What `--json` prints, where it takes many dataclasses: comparisons, simulations, validations."""
