"""A verdict on a house rule relative to its base.

`validation` assembles it, `effects_on_play` simulates, `dead_rules` finds rules that became dead, `repairs`
tries small changes to a rejected rule, and `sense` warns.
"""
