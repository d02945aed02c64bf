"""A hand by a script: what was dealt and chosen so far is given, a policy goes on.

- `follower` has a program follow the record of a hand (`information.record`) and refuse what does not fit it.
- `program` is the loop over scripts, which `machine` calls: with machine code, or as plain Python.
"""
