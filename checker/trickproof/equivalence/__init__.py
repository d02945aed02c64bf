"""Program equivalence: normal forms and partial evaluation."""
