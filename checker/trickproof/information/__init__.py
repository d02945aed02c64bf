"""What one player knows about a hand: where each card may be, and worlds consistent with everything seen.

- `record`: a hand encoded as words, item by item: what is dealt, chosen, moved, shown and announced.
- `observation`: the record as one player sees it, with holes for what that player does not see.
- `knowledge`: for each card, the ways it may have taken; `worlds`: fills the holes, uniformly at random.
"""
