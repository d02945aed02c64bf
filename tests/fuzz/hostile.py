"""Rules and files that nobody writes by accident: deep, long, huge, circular or exponential.

`RULES` maps a name to the rules of a ruleset (the text under `rules:`, whose `hand` is played); `FILES` maps
a name to a whole file. All are small; what they demand is not.
"""

from __future__ import annotations

from itertools import pairwise

HEAD = """\
ruleset: hostile
title: Hostile
players: 3
state:
  n: {type: integer, initial: 1}
  m: {type: integer, of: player}
  flag: {type: boolean}
"""


def ruleset(rules: str, head: str = HEAD) -> str:
    """A whole file around the text under `rules:`."""
    return f"{head}rules:\n{rules}"


def rule(name: str, text: str, of: str = "") -> str:
    """One rule, as a block if it has several lines."""
    block = "".join(f"\n      {line}" for line in text.split("\n"))
    parameters = f"\n    of: {of}" if of else ""
    return f"  {name}:{parameters}\n    rule: |{block}\n    assumes: test\n"


def hand(text: str) -> str:
    """A ruleset whose deal is this text."""
    return ruleset(rule("hand", text))


def value(text: str) -> str:
    """A ruleset whose deal assigns this text to a number."""
    return hand(f"n becomes {text}")


def nested(open_: str, core: str, close: str = "", depth: int = 3000) -> str:
    """A value nested `depth` times."""
    return open_ * depth + core + close * depth


def blocks(line: str, depth: int) -> str:
    """Nested blocks."""
    return "\n".join([" " * level + line for level in range(depth)] + [" " * depth + "nothing happens"])


def doubling(depth: int, step: str, last: str, of: str = "") -> str:
    """Rules each of which uses the next one twice; `{next}` is its name."""
    names = [f"r{level}" for level in range(depth)]
    chain = [rule(name, step.format(next=next_), of) for name, next_ in pairwise(names)]
    return "".join(chain) + rule(names[-1], last, of)


def chain(length: int, step: str, last: str) -> str:
    """Rules each of which uses the next one once."""
    return doubling(length, step, last)


RULES: dict[str, str] = {
    "brackets": value(nested("(", "1", ")")),
    "brackets that never close": value(nested("(", "1")),
    "not not": hand(f"flag becomes {nested('not ', 'flag')}"),
    "minus minus": value(nested("- ", "1")),
    "left of left of": hand(f"dealer becomes {nested('left of ', 'dealer', depth=2000)}"),
    "left of forty": hand(f"dealer becomes {nested('left of ', 'dealer', depth=60)}"),
    "thousands of +": value("1" + " + 1" * 4000),
    "hundreds of +": value("1" + " + 1" * 400),
    "ninety +": value("1" + " + 1" * 90),
    "thousands of and": hand("flag becomes flag" + " and flag" * 2000),
    "if then else if then else": value(nested("if flag then 1 else ", "1", depth=700)),
    "if then if then": value(nested("if flag then ", "1", " else 1", depth=700)),
    "players with players with": hand(
        f"flag becomes {nested('some player has (', 'flag', ')', depth=900)}"
    ),
    "cards in cards in": value(f"number of {nested('cards in ', 'kitty', depth=1500)}"),
    "many words without sense": hand("of " * 6000),
    "many brackets without sense": hand("(" * 9000 + ")" * 9000),
    "many colons": hand("if a: " * 3000),
    "many commas": hand("n becomes larger(1" + ", 1" * 5000 + ")"),
    "many lines without sense": hand("\n".join(["x y z"] * 2000)),
    "many unknown names": hand("\n".join(["xyz becomes abc"] * 1000)),
    "many unknown rules": ruleset("".join(rule(f"r{i}", f"do s{i}") for i in range(1500))),
    "long name": hand(f"{'a' * 15_000} becomes 1"),
    "long name with hyphens": hand(f"{'a-' * 7000}a becomes 1"),
    "long number": value("9" * 15_000),
    "rule too long": hand("n becomes 1\n" * 3000),
    "blocks in blocks": hand(blocks("if flag:", 150)),
    "loops in loops": hand(blocks("for p in players:", 150)),
    "repeats in repeats": hand(blocks("repeat 1000 times:", 12)),
    "else if else if": hand("if flag:\n    n becomes 1\n" + "else if flag:\n    n becomes 1\n" * 500),
    "itself": ruleset(rule("hand", "do hand")),
    "each other": ruleset(rule("hand", "do a") + rule("a", "do b") + rule("b", "do hand")),
    "each other's values": ruleset(rule("hand", "n becomes a") + rule("a", "b + 1") + rule("b", "a + 1")),
    "itself in a choice": ruleset(rule("hand", "dealer chooses n from 0 to hand")),
    "itself everywhere": ruleset(rule("hand", "\n".join(["do hand"] * 500))),
    "do doubled": ruleset(doubling(40, "do {next}\ndo {next}", "nothing happens") + rule("hand", "do r0")),
    "do in branches": ruleset(
        doubling(40, "if flag:\n    do {next}\nelse:\n    do {next}", "n becomes 1") + rule("hand", "do r0")
    ),
    "do with nothing to do": ruleset(doubling(60, "do {next}\ndo {next}\ndo {next}", "shuffle") + rule("hand", "do r0")),
    "values doubled": ruleset(doubling(40, "{next} + {next}", "1") + rule("hand", "n becomes r0")),
    "wrong values doubled": ruleset(doubling(40, "{next} + {next}", "1 + flag") + rule("hand", "n becomes r0")),
    "unknown at the end of doubling": ruleset(doubling(40, "do {next}\ndo {next}", "do s") + rule("hand", "do r0")),
    "arguments doubled": ruleset(
        doubling(40, "{next} of (n + n)", "n", "integer n") + rule("hand", "n becomes r0 of 1")
    ),
    "argument in argument": ruleset(
        rule("twice", "x + x", "integer x") + rule("hand", f"n becomes {nested('twice of ', '1', depth=40)}")
    ),
    "sets doubled": ruleset(
        rule("twice", "c + c", "cards c")
        + rule("hand", f"dealer discards {nested('twice of ', 'hand', depth=40)}")
    ),
    "largest of largest": value(nested("larger(", "n", ", n)", depth=60)),
    "readings of readings": ruleset(
        "".join(
            f"  r{i}:\n    readings:\n"
            + "".join(f"      - {{name: way{j}, rule: r{i + 1} + {j}, assumes: test}}\n" for j in range(3))
            for i in range(25)
        )
        + rule("r25", "1")
        + rule("hand", "n becomes r0")
    ),
    "long chain of values": ruleset(chain(400, "{next} + 1", "1") + rule("hand", "n becomes r0")),
    "long chain of do": ruleset(chain(400, "do {next}", "nothing happens") + rule("hand", "do r0")),
    "chain of deep values": ruleset(
        chain(20, "{next}" + " + 1" * 60, "1") + rule("hand", "n becomes r0")
    ),
    "deep argument in deep value": ruleset(
        rule("deep", nested("(1 + ", "x", ")", depth=60), "integer x")
        + rule("hand", f"n becomes {nested('deep of ', '1', depth=60)}")
    ),
    "repeat without end": hand("repeat until flag:\n    n becomes 0"),
    "repeat without end in repeat": hand("repeat until flag:\n    repeat until flag:\n        repeat 1000 times:\n            n becomes 0"),
    "repeat often": hand("repeat 999999999999999999 times:\n    n becomes 0"),
    "repeat often in repeat": hand(blocks("repeat 999999999 times:", 4)),
    "repeat at most often": hand("repeat until flag, at most 999999999999999999 times:\n    n becomes 0"),
    "a long way": hand("for i in 1 to 999999999999999999:\n    n becomes i"),
    "a long way down": hand("for i in 999999999999999999 to 1:\n    n becomes i"),
    "a wide choice": hand("dealer chooses n from 0 to 999999999999999999"),
    "squares of squares": hand("n becomes 999999999\nrepeat 60 times:\n    n becomes n * n"),
    "doubled by sums": hand(
        "repeat 900 times:\n    for p in players:\n        m of p becomes sum of (m + 1) for players"
    ),
    "sum of sums": value(nested("sum of (1 + ", "1", ") for players", depth=40)),
    "sum of sums over cards": hand(
        "shuffle\nn becomes " + nested("sum of (1 + ", "1", ") for (cards in deck)", depth=8)
    ),
    "division by nothing": value("1 div 0"),
    "remainder by nothing": value("1 mod (n - 1)"),
    "minus a lot of cards": hand("dealer discards (0 - 5) cards of hand"),
    "deal a lot": hand("deal 999999999999999999 cards to kitty"),
    "deal less than nothing": hand("deal (0 - 3) cards to kitty"),
    "top of too few": hand("put top 99 of hand of dealer by height of card into kitty"),
    "nobody deals": hand("dealer becomes none\ntricks of dealer becomes 1\ndeal 3 cards to hand of left of dealer"),
    "nobody's tricks": hand("leader becomes none\nn becomes tricks of leader"),
    "nobody's hand": hand("leader becomes none\nput hand of leader into kitty"),
    "nobody gets cards": hand("shuffle\nleader becomes none\ndeal 3 cards to hand of leader"),
    "nobody plays": hand("shuffle\ndeal the rest to hand of dealer\nleader becomes none\nleader plays 1 card of hand of dealer"),
    "nobody chooses": hand("leader becomes none\nleader chooses n from 0 to 3"),
    "nobody to begin with": hand("leader becomes none\nfor p in players, clockwise from leader:\n    n becomes 1"),
    "nobody in order": hand("leader becomes none\nfor p in players, highest rank of played first, ties open:\n    n becomes 1"),
    "nobody wins": hand("leader becomes none\nthe match ends, won by leader"),
    "shown to nobody": hand("leader becomes none\ndealer shows hand to leader"),
    "no card ranked": hand("n becomes height of played of dealer"),
    "no card compared": hand("flag becomes rank of played of dealer > rank of played of leader"),
    "no card best": hand("dealer becomes only player in players with the highest rank of played"),
}  # fmt: skip
"""Rulesets that demand too much, by what they demand."""


def _yaml(*lines: str) -> str:
    return "\n".join(lines) + "\n"


FILES: dict[str, str] = {
    "empty": "",
    "blank": " \n\n \t\n",
    "comment": "# nothing\n",
    "only a colon": ":",
    "only a dash": "-",
    "a number": "42",
    "a list": "- a\n- b\n",
    "deep list": "a: " + "[" * 5000 + "]" * 5000,
    "deep list that never closes": "a: " + "[" * 5000,
    "deep mapping": "{a: " * 3000 + "1" + "}" * 3000,
    "deep blocks": _yaml(*("  " * level + "a:" for level in range(300))),
    "deep dashes": "- " * 3000 + "a",
    "deep question marks": "? " * 3000 + "a",
    "many keys": _yaml("ruleset: a", "title: b", *(f"k{i}: 1" for i in range(20_000))),
    "many equal keys": _yaml("ruleset: a", *("title: b" for _ in range(20_000))),
    "many misspelt fields": _yaml("ruleset: a", "title: b", "state:", *(f"  v{i}: {{tpye: integer}}" for i in range(3000))),
    "many rules": ruleset("".join(rule(f"r{i}", "nothing happens") for i in range(2000))),
    "many variables": _yaml("ruleset: a", "title: b", "players: 3", "state:", *(f"  v{i}: {{type: integer}}" for i in range(5000))),
    "many wrong types": _yaml("ruleset: a", "title: b", "players: 3", "state:", *(f"  v{i}: {{type: intger}}" for i in range(3000))),
    "many owners": _yaml("ruleset: a", "title: b", "players: 8", "state:", "  v:", f"    {{type: integer, of: [{', '.join(['card'] * 12)}]}}"),
    "many owners of a zone": _yaml("ruleset: a", "title: b", "players: 8", "zones:", f"  z: {{of: [{', '.join(['card'] * 5)}]}}"),
    "many options": _yaml("ruleset: a", "title: b", "players: 3", "options:", "  o: " + " | ".join(f"o{i}" for i in range(20_000))),
    "many parameter values": _yaml("ruleset: a", "title: b", "players: 3", "parameters:", "  p: 0 .. 999999"),
    "many cards": _yaml("ruleset: a", "title: b", "players: 3", "deck:", "  cards: " + "AS " * 20_000),
    "many citations": _yaml("ruleset: a", "title: b", "documents: [pagat-de]", f"players: {{number: 3, cites: [{', '.join(['pagat-de.s999'] * 3000)}]}}"),
    "many misspelt citations": _yaml("ruleset: a", "title: b", f"players: {{number: 3, cites: [{', '.join(f'pagatde.x{i}' for i in range(2000))}]}}"),
    "many documents": _yaml("ruleset: a", "title: b", "players: 3", f"documents: [{', '.join(f'd{i}' for i in range(12_000))}]"),
    "many citations contradicted": _yaml("ruleset: a", "title: b", "rules:", "  hand:", "    rule: n becomes 1",
        f"    cites: [{', '.join(f'd.s{i}' for i in range(7000))}]", f"    contradicts: [{', '.join(f'e.s{i}' for i in range(7000))}]"),
    "many parameters of a rule": _yaml("ruleset: a", "title: b", "players: 3", "rules:", "  x:", "    rule: 1", "    assumes: test",
        f"    of: [{', '.join(f'player p{i}' for i in range(14_000))}]"),
    "many rules with mistakes": ruleset("".join(rule(f"r{i}", "n )") for i in range(2000))),
    "long line": "ruleset: " + "a" * 500_000,
    "long value": "ruleset: a\ntitle: " + "word " * 100_000,
    "long key": "a" * 100_000 + ": 1",
    "anchors": _yaml("a: &a [x]", "b: &b [*a, *a]", "c: &c [*b, *b]", "d: [*c, *c]"),
    "merge": _yaml("a: &a {b: c}", "d:", "  <<: *a"),
    "tags": _yaml("ruleset: !!python/object/apply:os.system ['true']", "title: !x y"),
    "directives": "%YAML 9.9\n%TAG ! tag:x,2000:\n---\nruleset: a\n",
    "two documents": "ruleset: a\n---\nruleset: b\n",
    "tabs": "ruleset:\ta\n\ttitle:\tb\n",
    "folded": hand("n becomes 1").replace("rule: |", "rule: >"),
    "quoted": ruleset('  hand:\n    rule: "n becomes\\n 1"\n    assumes: test\n'),
    "extends itself": "ruleset: hostile\nextends: hostile\n",
    "extends its file": "ruleset: hostile\nextends: hostile.yaml\n",
    "extends nothing": "ruleset: hostile\nextends: nowhere\n",
    "extends a path out": "ruleset: hostile\nextends: ../../../../etc/passwd.yaml\n",
    "extends a long name": f"ruleset: hostile\nextends: {'a' * 5000}\n",
    "extends a long path": f"ruleset: hostile\nextends: {'a/' * 3000}a.yaml\n",
    "extends a document": "ruleset: hostile\nextends: documents/pagat-de.yaml\n",
    "extends a number": "ruleset: hostile\nextends: 3\n",
    "documents with a long name": f"ruleset: hostile\ntitle: a\nplayers: 3\ndocuments: [{'a' * 5000}]\n",
    "no cards": _yaml("ruleset: a", "title: b", "players: 3", "deck:", "  ranks: 2 3", "  suits: C", "  without: 2C 3C"),
    "one card": _yaml("ruleset: a", "title: b", "players: 2", "deck:", "  cards: AS"),
    "unusual cards": _yaml("ruleset: a", "title: b", "players: 2", "deck:", "  ranks: 0=nil Z=zed", "  suits: X=xx"),
    "ranks like suits": _yaml("ruleset: a", "title: b", "players: 2", "deck:", "  ranks: 2 A=spades", "  suits: S"),
    "every name taken": _yaml("ruleset: a", "title: b", "players: 3", "state:", "  hand: {type: integer}", "  spades: {type: suit}", "zones:", "  ace: {}", "parameters:", "  tricks: 3"),
    "teams of nobody": _yaml("ruleset: a", "title: b", "players: {number: 4, teams: [[], []]}"),
    "rule with the name of a word": ruleset(rule("for", "nothing happens") + rule("deal", "nothing happens")),
}  # fmt: skip
"""Whole files of odd shapes, by what is odd."""
