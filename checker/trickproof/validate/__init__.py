"""A house rule over its base, in one answer: `validated` gathers it, `effects` plays, `dead` looks for rules that lost
their use, `repairs` tries small changes of a rejected one, `report` tells.
"""
