"""Scripted hands: what was dealt and chosen so far is given, and a policy continues.

- `follower` makes a program follow the record of a hand (`information.record`) and reject what does not fit
  it.
- `program` is the loop over scripts, which `machine` runs as machine code or plain Python.
"""
