"""What a check, a verdict and a finding are."""
