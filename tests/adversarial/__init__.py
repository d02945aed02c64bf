"""Random whole rulesets, every play of them on few cards, and whether what is proved about them is true."""
