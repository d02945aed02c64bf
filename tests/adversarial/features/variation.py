"""Parameters with many values, readings, and values carried from deal to deal."""

from __future__ import annotations

from adversarial.draft import NO_TRUMPS, Draft
from adversarial.features.table import VARIES, Table

VARIATION = Table()


@VARIATION.feature(VARIES, "targets", "parameters", weight=2)
def parameter_of_many(d: Draft) -> None:
    """One of very many parameter values changes a target."""
    d.parameters["k"] = d.rng.choice(("1 .. 100", "0 .. 79", "1 .. 200"))
    test = d.rng.choice(("k = 77", "k >= 79", "k mod 65 = 64 and k > 64", "k = 3", "k > 500"))
    d.insert("targets", f"if {test}:\n    target of left of dealer becomes target of left of dealer + 1")


@VARIATION.feature(VARIES, "scoring-reading", weight=2)
def reading_of_scoring(d: Draft) -> None:
    """The scoring or the payout has two readings."""
    name = d.rng.choice(("bonus", "end"))
    if name == "end":
        d.readings["end"] = [
            d.rules["end"],
            d.rng.choice((f"some player has tricks >= {d.n}", f"some player has over > {d.n}")),
        ]
    else:
        d.rules["bonus"] = ""
        d.readings["bonus"] = ["0", d.rng.choice(("1", f"if tricks of dealer = {d.n} then 1 else 0"))]
        d.insert("payout", "payout of dealer becomes payout of dealer + bonus")


@VARIATION.feature(VARIES, "invariant-reading", weight=2)
def reading_of_an_invariant(d: Draft) -> None:
    """Only an invariant depends on a reading or on a parameter."""
    if d.rng.random() < 0.5:
        d.rules["cap"] = ""
        d.readings["cap"] = [str(d.n), str(d.n - 1)]
        cap = "cap"
    else:
        d.parameters["utmost"] = (
            f"{d.n} | {d.n + 1} | {d.n - 1}" if d.rng.random() < 0.6 else f"{d.n} .. {d.n + 90}"
        )
        cap = "utmost"
    what = d.rng.choice(("tricks", "over", "tricks"))
    d.invariants["at-most-cap"] = (f"every player has {what} <= {cap}", "hand-ends")


@VARIATION.feature("trick-winner", weight=2)
def frozen_play(d: Draft) -> None:
    """A carried value determines how tricks are won."""
    d.state["frozen"] = "{type: boolean, carried: true}"
    test = d.rng.choice(
        (
            f"some player has tricks >= {d.n}",
            "tricks of dealer > target of dealer",
            "every player has tricks <= target",
        )
    )
    d.insert("scoring", f"if {test}:\n    frozen becomes true")
    other = d.rng.choice(("left of leader", "left of leader", "dealer", "players with played != none"))
    d.rules["trick-winner"] = (
        f"if frozen then {other} else ({d.rules['trick-winner'] if d.rules['trick-winner'] == NO_TRUMPS else NO_TRUMPS})"
    )


@VARIATION.feature("carried-count", weight=2)
def counter_that_turns(d: Draft) -> None:
    """A cyclic counter changes a target or the end."""
    d.state["round"] = "{type: integer, carried: true}"
    d.insert("between-hands", f"round becomes (round + 1) mod {d.rng.choice((2, 3))}")
    if d.rng.random() < 0.5:
        d.insert(
            "targets",
            f"if round = 1:\n    target of dealer becomes target of dealer {d.rng.choice(('+ 1', '- 1', '+ 0'))}",
        )
    else:
        d.rules["end"] = f"({d.rules['end']}) and round != {d.rng.choice((0, 1))}"
