"""What one player knows of a hand: where each card may lie, and worlds that fit all that was seen.

- `record`: a hand as words, item by item: what is dealt, chosen, moved, shown and announced.
- `observation`: the record as one player sees it, with holes where it is not seen.
- `knowledge`: for each card the ways that it may have taken; `worlds`: the holes filled, every filling as likely.
"""
