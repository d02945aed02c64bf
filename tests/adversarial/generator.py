"""Random whole rulesets, by seed: a plain game with at least three features from the table."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from adversarial.draft import FULL, SMALL, Draft, Size
from adversarial.features import FEATURES
from adversarial.features.table import VARIES, Feature
from adversarial.mutations import mutate

NUMBERS = (6, 6, 7, 7, 8, 8)
"""Target number of features per ruleset; fewer if no others are compatible."""

FEWEST = 3

MOST_VARYING = 2
"""Maximum number of features with parameters or readings in a ruleset."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A random ruleset: with few cards, with the usual deck, and with one rule changed or reworded."""

    seed: int
    features: tuple[str, ...]
    small: str
    full: str
    mutated: str
    mutation: str


def drawn(seed: int) -> Drawn:
    """The ruleset of a seed, the same in every process."""
    rng = Random(f"match {seed}")
    while True:
        size = rng.choice(SMALL)
        names = _features(rng, size)
        if len(names) >= FEWEST:
            break
    inner = rng.getrandbits(32)
    small, full = (_draft(inner, of, names) for of in (size, FULL[size.players]))
    mutation, rules = mutate(small.texts(), rng)
    name = f"random-{seed}"
    return Drawn(
        seed, names, small.text(name), full.text(name), small.text(f"{name}-mutated", rules), mutation
    )


def _features(rng: Random, size: Size) -> tuple[str, ...]:
    """Compatible features, in table order."""
    number, taken, names = rng.choice(NUMBERS), set[str](), list[str]()
    for name in sorted(FEATURES, key=lambda name: rng.random() ** FEATURES[name].weight):
        one = FEATURES[name]
        if len(names) < number and one.needs(size) and not one.slots & taken and _one_more(one, names):
            names.append(name)
            taken |= one.slots - {VARIES}
    return tuple(name for name in FEATURES if name in names)


def _one_more(one: Feature, names: list[str]) -> bool:
    """Whether the feature stays within the limit on parameters and readings."""
    return VARIES not in one.slots or sum(VARIES in FEATURES[name].slots for name in names) < MOST_VARYING


def _draft(seed: int, size: Size, names: tuple[str, ...]) -> Draft:
    draft = Draft(Random(seed), size)
    for name in names:
        draft.rng = Random(f"{seed} {name}")
        FEATURES[name].change(draft)
    draft.features = list(names)
    return draft
