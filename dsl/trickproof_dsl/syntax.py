"""The syntax tree of rule text: what the user wrote, with spans, before any name has a meaning.

Made by `parse.py` from `grammar.lark`; read by `elaborate.py` (meaning), `format_rule.py` (canonical text)
and by the reports that put a rule into plain words.  Nodes are frozen; equality ignores spans, so that
parse(format(tree)) == tree can be asked directly.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from trickproof_dsl.source import Span


def _span() -> Span:
    made: Span = field(compare=False, repr=False)
    return made


# ---------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Name:
    """A word: a variable, zone, rule, parameter, option, suit or rank; or a bound name."""

    name: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Subject:
    """`player`, `card` or `suit` standing for the one spoken of."""

    kind: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class IntegerLiteral:
    value: int
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class CardLiteral:
    code: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Nothing:
    """`none`."""

    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Apply:
    """`function of x` (one argument) or `function(x, y)` (two or more)."""

    function: str
    arguments: tuple[Expr, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Unary:
    """`operator` is `-` or `not`."""

    operator: str
    operand: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Binary:
    """`operator` is one of + - * div mod = != < <= > >= and or in `not in`."""

    operator: str
    left: Expr
    right: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class IsEmpty:
    operand: Expr
    negated: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Conditional:
    condition: Expr
    then: Expr
    otherwise: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Everything:
    """`suits` or `ranks`: all of them, lowest first."""

    kind: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class PlayerSet:
    """`players [name] [in set] [other than player] [with condition]`."""

    binder: str | None
    inside: Expr | None
    other_than: Expr | None
    condition: Expr | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class CardSet:
    """`cards [name] in set [with condition]`."""

    binder: str | None
    inside: Expr
    condition: Expr | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class BestOf:
    """`players with the highest key [among set]`: everybody who has the highest key (ties included)."""

    kind: str
    highest: bool
    key: Expr
    among: Expr | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Quantified:
    """`some player has …`, `every card in hand has …`, `no suit has …`."""

    quantifier: str
    kind: str
    binder: str | None
    inside: Expr | None
    condition: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Count:
    """`number of set`."""

    operand: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Total:
    """`sum of value for set`."""

    value: Expr
    domain: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class UnionOf:
    """`union of set for set`: everything that is in the value of some element."""

    value: Expr
    domain: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Extreme:
    """`highest value among set`: the largest value, not who has it."""

    highest: bool
    value: Expr
    domain: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Matching:
    """`highest of set matching pattern`: suit by suit, as many of the highest as the pattern has."""

    highest: bool
    operand: Expr
    pattern: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Top:
    """`top 3 of set by key` (`bottom …`); equal keys fall back on the order of the deck."""

    highest: bool
    count: Expr
    operand: Expr
    key: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Only:
    """`only player in set`: the single element; anything but one element is a fault of the rules."""

    kind: str
    operand: Expr
    span: Span = _span()


Expr = (
    Name
    | Subject
    | IntegerLiteral
    | CardLiteral
    | Truth
    | Nothing
    | Apply
    | Unary
    | Binary
    | IsEmpty
    | Conditional
    | Everything
    | PlayerSet
    | CardSet
    | BestOf
    | Quantified
    | Count
    | Total
    | UnionOf
    | Extreme
    | Matching
    | Top
    | Only
)


@dataclass(frozen=True, slots=True)
class Range:
    """`1 to 4`, both ends included."""

    low: Expr
    high: Expr
    span: Span = _span()


Domain = Expr | Range

# ----------------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Circle:
    """`clockwise from player`, that player first."""

    clockwise: bool
    start: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Key:
    """`highest value first`."""

    highest: bool
    value: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Order:
    """Keys, most important first; `ties` is a circle, `open`, `impossible`, or None when the text says nothing."""

    keys: tuple[Key, ...]
    ties: Circle | str | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Becomes:
    """`variable becomes value`."""

    target: Expr
    value: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class If:
    """Branches in order, each (condition, body); `otherwise` may be empty."""

    branches: tuple[tuple[Expr, tuple[Stmt, ...]], ...]
    otherwise: tuple[Stmt, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class For:
    binder: str
    domain: Domain
    order: Order | None
    simultaneous: bool
    body: tuple[Stmt, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class RepeatTimes:
    count: Expr
    body: tuple[Stmt, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class RepeatUntil:
    """Runs the body until the condition holds (tested first); `bound` is the stated limit, if any."""

    condition: Expr
    bound: Expr | None
    body: tuple[Stmt, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Do:
    """`do rule`, `do rule of x`, `do rule(x, y)`."""

    rule: str
    arguments: tuple[Expr, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Gather every card into the deck and shuffle it."""

    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Deal:
    """`deal 16 cards to zone`, `deal the rest to zone` (count None)."""

    count: Expr | None
    to: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Announce:
    """An event with fields (key, value)."""

    event: str
    fields: tuple[tuple[str, Expr], ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class MatchEnds:
    winners: Expr | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Chosen:
    """Cards picked by the actor: between `low` and `high` cards of a set; `high` None means any number."""

    low: Expr
    high: Expr | None
    of: Expr
    condition: Expr | None
    blindly: bool
    form: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Act:
    """`actor verb selection [from zone] [to place] [as variable]`; `to` is "everyone" for a show to all."""

    actor: Expr
    verb: str
    selection: Chosen | Expr
    source: Expr | None
    to: Expr | str | None
    binding: Expr | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Chooses:
    """`actor chooses variable [from domain [or none]] [with condition]`."""

    actor: Expr
    target: Expr
    domain: Domain | None
    or_none: bool
    condition: Expr | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Put:
    """`put cards [from zone] into zone`: cards change place without anybody's move."""

    cards: Expr
    source: Expr | None
    to: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class NothingHappens:
    """A procedure that does nothing, said aloud."""

    span: Span = _span()


Stmt = (
    Becomes
    | Put
    | NothingHappens
    | If
    | For
    | RepeatTimes
    | RepeatUntil
    | Do
    | Shuffle
    | Deal
    | Announce
    | MatchEnds
    | Act
    | Chooses
)


@dataclass(frozen=True, slots=True)
class Value:
    """Rule text that is one expression."""

    expr: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Procedure:
    """Rule text that is a list of statements."""

    body: tuple[Stmt, ...]
    span: Span = _span()


RuleText = Value | Procedure
