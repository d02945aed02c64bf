"""The syntax tree of rule text: what the user wrote, with spans, before any name has a meaning.

Made by `parser.py` from `grammar.lark`; read by `elaboration/` (meaning), `formatting/rules.py` (canonical text)
and by the reports that put a rule into plain words.  Nodes are frozen; equality ignores spans, so that
parse(format(tree)) == tree can be asked directly.
"""

from trickproof_dsl.syntax.ast.expressions import (
    Apply as Apply,
    BestOf as BestOf,
    Binary as Binary,
    CardLiteral as CardLiteral,
    CardSet as CardSet,
    Conditional as Conditional,
    Count as Count,
    Domain as Domain,
    Everything as Everything,
    Expr as Expr,
    Extreme as Extreme,
    IntegerLiteral as IntegerLiteral,
    IsEmpty as IsEmpty,
    Matching as Matching,
    Name as Name,
    Nothing as Nothing,
    Only as Only,
    PlayerSet as PlayerSet,
    Quantified as Quantified,
    Range as Range,
    Subject as Subject,
    Top as Top,
    Total as Total,
    Truth as Truth,
    Unary as Unary,
    UnionOf as UnionOf,
)
from trickproof_dsl.syntax.ast.statements import (
    Act as Act,
    Announce as Announce,
    Becomes as Becomes,
    Chooses as Chooses,
    Chosen as Chosen,
    Circle as Circle,
    Deal as Deal,
    Do as Do,
    For as For,
    If as If,
    Key as Key,
    MatchEnds as MatchEnds,
    NothingHappens as NothingHappens,
    Order as Order,
    Procedure as Procedure,
    Put as Put,
    RepeatTimes as RepeatTimes,
    RepeatUntil as RepeatUntil,
    RuleText as RuleText,
    Shuffle as Shuffle,
    Stmt as Stmt,
    Value as Value,
)
