"""The core program: the only representation in which a rule has a meaning.

Produced by `elaboration/` (names resolved, types checked, sugar and rule calls removed); read by the
interpreters, the simulator and the symbolic executor.  Expressions have a `type` and no effects.  No name is
bound in two places of a match (nor of a rule by itself, nor of an invariant), so that a single environment
suffices.  Rule calls are inlined; `InRule` and `RuleValue` record which rule's text a part came from.

`well_formed.violations` checks everything that readers may rely on; `json_codec` writes a program as JSON,
reads it back, and computes its fingerprint; `traversal` and `binders` walk the nodes; `faults` lists how each
can fail.

Values: integer `int`; boolean `bool`; player, suit, rank, card, team, option: index `int`, or None for
`none`; sets (`players`, `cards`, `suits`, `ranks`, `integers`): frozenset of indices.
"""

from trickproof_dsl.core.expressions import (
    Arithmetic as Arithmetic,
    Best as Best,
    CardAttribute as CardAttribute,
    Compare as Compare,
    Conditional as Conditional,
    Exists as Exists,
    Expr as Expr,
    Extreme as Extreme,
    Filter as Filter,
    Literal as Literal,
    Local as Local,
    Logic as Logic,
    Matching as Matching,
    Member as Member,
    Not as Not,
    Only as Only,
    Parameter as Parameter,
    Range as Range,
    Reading as Reading,
    RuleValue as RuleValue,
    Seat as Seat,
    SetOperation as SetOperation,
    Single as Single,
    Size as Size,
    Sum as Sum,
    Table as Table,
    Top as Top,
    UnionOf as UnionOf,
    Universe as Universe,
    UnspecifiedValue as UnspecifiedValue,
    Variable as Variable,
    ZoneCards as ZoneCards,
)
from trickproof_dsl.core.program import (
    Deck as Deck,
    InvariantCode as InvariantCode,
    Program as Program,
    RuleCode as RuleCode,
    VariableInfo as VariableInfo,
    ZoneInfo as ZoneInfo,
)
from trickproof_dsl.core.statements import (
    Announce as Announce,
    Assign as Assign,
    Branch as Branch,
    Choice as Choice,
    ChooseCards as ChooseCards,
    ChooseValue as ChooseValue,
    Deal as Deal,
    EndHand as EndHand,
    EndMatch as EndMatch,
    InRule as InRule,
    Loop as Loop,
    Move as Move,
    Order as Order,
    Place as Place,
    Show as Show,
    Shuffle as Shuffle,
    Stmt as Stmt,
    Unspecified as Unspecified,
    Until as Until,
)
from trickproof_dsl.core.types import (
    BOOLEAN as BOOLEAN,
    CARD as CARD,
    CARDS as CARDS,
    INTEGER as INTEGER,
    INTEGERS as INTEGERS,
    PLAYER as PLAYER,
    PLAYERS as PLAYERS,
    RANK as RANK,
    RANKS as RANKS,
    SCALARS as SCALARS,
    SETS as SETS,
    SUIT as SUIT,
    SUITS as SUITS,
    TEAM as TEAM,
    Type as Type,
)
