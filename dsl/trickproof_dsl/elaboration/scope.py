"""State of an elaboration: bound names, subjects, limits, and diagnostics so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from trickproof_dsl import core as c
from trickproof_dsl.diagnostics.catalogue import error
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.elaboration import hints
from trickproof_dsl.elaboration.declarations import Names
from trickproof_dsl.files.model import RuleDecl
from trickproof_dsl.syntax import ast as s
from trickproof_dsl.syntax.parser import MAX_DEPTH

MAX_NODES = 50_000
"""Maximum number of nodes in a program after inlining."""

MAX_ERRORS = 100
"""Maximum number of errors in rules reported in one run."""


class AbandonedError(Exception):
    """The current value is invalid; the error has been reported."""


class GivenUpError(Exception):
    """Elaboration stops: the rules are too large or have too many errors; this has been reported."""


@dataclass(frozen=True)
class Scope:
    """Bound names, the subject of each kind, the zone bound cards come from, and a chosen variable's candidate.

    `after` means that a condition with `has` or `with` ended just before, which helps to explain an error;
    `gathers`, that the statement is one move made several times, whose `as` collects the cards of all of
    them.
    """

    locals: dict[str, c.Expr] = field(default_factory=dict)
    subjects: dict[str, c.Expr] = field(default_factory=dict)
    homes: dict[str, c.Place] = field(default_factory=dict)
    candidate: tuple[c.Variable, c.Expr] | None = None
    after: bool = False
    gathers: bool = False

    def bind(self, name: str, value: c.Expr) -> Scope:
        return replace(self, locals={**self.locals, name: value})

    def about(self, kind: str, value: c.Expr) -> Scope:
        subjects = {**self.subjects, kind: value}
        if kind == "card":
            subjects.pop("suit", None)  # a bare `suit` now means that of the card
        return replace(self, subjects=subjects)

    def at_home(self, local: str, place: c.Place | None) -> Scope:
        return replace(self, homes={**self.homes, local: place}) if place else self


@dataclass
class Shared:
    """Shared state of one ruleset's elaboration: names, parsed rules, diagnostics, fresh names, the call chain."""

    names: Names
    texts: dict[str, tuple[s.RuleText, ...]]
    wrong: list[Diagnostic]
    chain: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    """Rules used by other rules or by invariants."""
    fresh: int = 0
    nodes: int = 0
    depth: int = 0
    reported: set[tuple[str, Span]] = field(default_factory=set)
    of_loops: set[str] = field(default_factory=set)

    def is_procedure(self, rule: RuleDecl) -> bool:
        """Whether a rule consists of statements, as far as its text or its base says."""
        texts = self.texts.get(rule.name.value, ())
        if texts:
            return any(isinstance(t, s.Procedure) for t in texts)
        return rule.gives is not None and rule.gives.value == "nothing"

    def unique(self, word: str) -> str:
        self.fresh += 1
        return f"{word}.{self.fresh}"

    def report(self, code: str, span: Span, **data: object) -> AbandonedError:
        """Report an error at a place once, however many rules lead to it."""
        if (code, span) not in self.reported:
            self.reported.add((code, span))
            if code == "E302" and data.get("help") is None:
                data["help"] = hints.such_as(str(data["expected"]), span)
            self.wrong.append(error(code, span, notes=(), **data))
        if len(self.wrong) >= MAX_ERRORS:
            raise GivenUpError
        return AbandonedError()

    def spend(self, span: Span, nodes: int = 1, levels: int = 0) -> None:
        """Count nodes created, `levels` deep from here: inlining can grow programs exponentially."""
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            self.report("E317", span, limit=MAX_NODES, chain=hints.arrows(self.chain))
            raise GivenUpError
        if self.depth + levels > MAX_DEPTH:
            help_ = "give the inner part a rule of its own"
            if len(self.chain) > 1:
                help_ = f"rules within rules count, here {hints.arrows(self.chain)}"
            raise self.report("E205", span, limit=MAX_DEPTH, help=help_)

    def again(self, e: c.Expr) -> c.Expr:
        """An argument substituted for its name, counted because it may occur several times."""
        if not isinstance(e, c.Local):
            self.spend(e.span, *_extent(e))
        return e


def _extent(e: c.Expr) -> tuple[int, int]:
    """Number of nodes of an expression, and its depth; stops counting at the limit."""
    count, deepest = 0, 0
    todo: list[tuple[object, int]] = [(e, 0)]
    while todo and count <= MAX_NODES:
        part, level = todo.pop()
        if isinstance(part, tuple):
            todo += [(item, level) for item in part]
        elif isinstance(part, c.Expr):
            count, deepest = count + 1, max(deepest, level)
            todo += [(getattr(part, name), level + 1) for name in part.__slots__]
    return count, deepest
