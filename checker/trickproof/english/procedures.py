"""Statements of rule text as steps: short sentences without capital or full stop, some with nested steps.

`Steps.body` returns at least one step for anything that a player can notice; events that are only announced
are omitted. With `Context.expand`, helper rules are inlined; otherwise the reader is referred to their
headings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import assert_never

from trickproof.english.arithmetic import change
from trickproof.english.clauses import Clauses
from trickproof.english.coordination import depth, short_first, simplified
from trickproof.english.inflection import degree, is_plural, title_of
from trickproof.english.referents import APART, THAT_PLAYER, Context, Ref, Scope, again, nodes
from trickproof.english.sentences import Acts
from trickproof.english.values import NO_OPENING, Opening, Values
from trickproof.english.vocabulary import ASPECTS, CALLS, KEYS, plain, role
from trickproof_dsl.syntax import ast as s

LONGEST_EXPANDED = 400
"""Maximum length of a helper rule that is inlined into another rule, in characters."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step and its nested steps; `call` is the heading of the rule called, `otherwise` does not follow the last step in time."""

    text: str
    steps: tuple[Step, ...] = ()
    call: str = ""
    otherwise: bool = False


class Steps:
    """Statements of one ruleset in words."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.clauses = Clauses(context)
        self._nouns = self.clauses.nouns
        self._acts = Acts(self._nouns, self.clauses.clause)
        self._values = Values(self._nouns, self.clauses.clause)

    def body(self, statements: Sequence[s.Stmt], scope: Scope) -> tuple[Step, ...]:
        """The steps of a list of statements; what one of them sets no longer holds its value from the previous deal after it."""
        before, steps = self.context.past, list[Step]()
        seen = [t for t in statements if not (_unseen(t) or (not self.context.expand and _later(t)))]
        taken: s.Stmt | None = None
        for t, then in zip(seen, [*seen[1:], None], strict=False):
            if t is not taken and (taker := _taker(t, then)) is not None:
                taken = then
                steps.append(Step(f"{self._nouns.ref(taker, scope).text} takes the trick"))
            elif t is not taken:
                steps += self._statement(t, scope)
            self.context.past -= _set_in(t)
        self.context.past = before
        return tuple(steps)

    def value(self, e: s.Expr, scope: Scope, opening: Opening = NO_OPENING) -> Step:
        """A rule that is a single expression, after its opening on a rule sheet."""
        listed = opening.start and not self.context.expand
        if listed and self.context.kind(e, scope) == "boolean" and self._is_deep(e, scope):
            return self._listed(f"{opening.start} {opening.before}", simplified(e), scope)
        told = self._values.value(e, scope, opening)
        if not (listed and isinstance(e, s.Conditional)):
            return Step(told)
        several = isinstance(e.otherwise, s.Conditional)
        if len(told) <= (_LONG_VALUE if several else _LONG_SENTENCE):
            return Step(told)
        cases = self._values.by_line(e, scope, replace(opening, start=""))
        return Step(opening.start, tuple(Step(x, otherwise=i > 0) for i, x in enumerate(cases)))

    def _is_deep(self, e: s.Expr, scope: Scope) -> bool:
        """Whether a condition is read more easily as a list."""
        nested = depth(simplified(e))
        return nested > 2 or (nested == 2 and len(self.clauses.clause(e, scope)) > _LONG_CONDITION)

    def _listed(self, before: str, e: s.Expr, scope: Scope) -> Step:
        """A deeply nested condition as a list: "one of these holds: …"."""
        if depth(e) == 0 or (depth(e) == 1 and not before):
            return Step(f"{before}{self.clauses.clause(e, scope)}")
        word = "one of these holds" if isinstance(e, s.Binary) and e.operator == "or" else "all of these hold"
        parts = (self._listed("", part, scope) for part in short_first(e))
        return Step(f"{before}{word}", tuple(replace(x, otherwise=i > 0) for i, x in enumerate(parts)))

    def _statement(self, t: s.Stmt, scope: Scope) -> list[Step]:
        match t:
            case s.If():
                return self._if(t, scope)
            case s.For():
                return self._for(t, scope)
            case s.RepeatTimes(count, body):
                times, steps = self._times(count, scope), self.body(body, scope)
                return (isinstance(count, s.Name) and _all_of_them(times, steps)) or _under(times, steps)
            case s.RepeatUntil(condition, bound, body):
                limit = f" (at most {self._nouns.noun(bound, scope)} times)" if bound is not None else ""
                until = f"until {self.clauses.clause(condition, scope)}"
                return _under(f"{until}, repeat{limit}", self.body(body, scope))
            case s.Do():
                return self._do(t, scope)
            case s.Announce():
                return []
            case s.NothingHappens():
                return [Step("nothing happens")]
            case (
                s.Becomes()
                | s.Put()
                | s.Shuffle()
                | s.Deal()
                | s.HandEnds()
                | s.MatchEnds()
                | s.Act()
                | s.Chooses()
            ):
                return [Step(self._acts.statement(t, scope))]
            case _:
                assert_never(t)

    # ------------------------------------------------------------------------------------------ branches

    def _if(self, t: s.If, scope: Scope) -> list[Step]:
        steps: list[Step] = []
        if len(t.branches) == 1 and _nothing(t.branches[0][1]) and t.otherwise:
            unless = s.Unary("not", t.branches[0][0], t.span)
            return self._if(replace(t, branches=((unless, t.otherwise),), otherwise=()), scope)
        for i, (condition, body) in enumerate(t.branches):
            given = self.clauses.given(condition)(scope)
            inner = self.body(body, scope)
            given = given if i == 0 else f"otherwise, {given}"
            doubled = len(inner) == 1 and inner[0].text.startswith("if ")
            steps += [Step(given, inner)] if doubled else _under(given, inner, ",")
        steps += _under("otherwise", self.body(t.otherwise, scope), ",")
        if all(not step.steps for step in steps) and sum(map(_length, steps)) <= _LONG_SENTENCE:
            return [Step("; ".join(step.text for step in steps))] if steps else []
        return [replace(step, otherwise=i > 0) for i, step in enumerate(steps)]

    def _times(self, count: s.Expr, scope: Scope) -> str:
        if isinstance(count, s.IntegerLiteral):
            return f"{count.value} times" if count.value != 1 else "once"
        noun = self._nouns.noun(count, scope)
        if noun.startswith("the number of "):
            return _AS_MANY + noun.removeprefix("the number of ")
        return f"as many times as {noun}"

    # --------------------------------------------------------------------------------------------- loops

    def _for(self, t: s.For, scope: Scope) -> list[Step]:
        order = self._order(t.order, scope)
        if t.simultaneous:
            order = f"{order}, at the same time" if order else "at the same time"
        one = self._each_does(t, scope, order)
        if one is not None:
            return [Step(one)]
        each, ref = self._each(t, scope)
        inner = self.body(t.body, scope.bind(t.binder, ref))
        return _under(f"for {each}{', ' if order else ''}{order}", inner)

    def _each(self, t: s.For, scope: Scope) -> tuple[str, Ref]:
        """The phrase "each player who was up (the giver)", and how the body refers to that player."""
        if isinstance(t.domain, s.Range):
            low, high = (self._nouns.noun(e, scope) for e in (t.domain.low, t.domain.high))
            if len(t.binder) < 3:
                return f"each whole number {t.binder} from {low} to {high}", Ref(
                    t.binder, "integer", f"{t.binder}'s"
                )
            name = f"the {plain(t.binder)}"
            return f"each whole number from {low} to {high} ({name})", Ref(name, "integer", f"{name}'s")
        kind = self.context.kind(t.domain, scope).rstrip("s") or "member"
        each = self._nouns.group(t.domain, scope, f"each {kind}", False)
        if len(t.binder) > 2:
            named = plain(t.binder) if kind == "player" and not _is_given(t) else role(t.binder)
            return f"{each} (the {named})", Ref(f"the {named}", kind, f"the {named}'s")
        body = tuple(x for x in t.body if not _unseen(x))
        ref = Ref(f"that {kind}", kind, f"that {kind}'s")
        nested = any(isinstance(x, s.For) and x.binder != t.binder for x in nodes(body))
        if nested or any(known.text in (ref.text, f"the {kind}") for known in scope.names.values()):
            ref = Ref(f"{kind} {t.binder}", kind, f"{kind} {t.binder}'s")
            return f"{each} ({ref.text})", ref
        alone = kind == "player" and not self.context.others(body, scope, t.binder)
        return each, THAT_PLAYER if alone else ref

    def _each_does(self, t: s.For, scope: Scope, order: str) -> str | None:
        """A single statement that begins with the implicit subject: "each player plays 1 card"."""
        body = [x for x in t.body if not _unseen(x)]
        if len(body) != 1 or isinstance(t.domain, s.Range):
            return None
        only = body[0]
        if isinstance(only, s.Becomes) and (
            any(isinstance(x, _SETS) for x in nodes(only.value))
            or (isinstance(only.value, s.Binary) and only.value.operator == "mod")
        ):
            return None
        kind = self.context.kind(t.domain, scope).rstrip("s")
        if kind != "player" or _opens_with(only) != t.binder:
            return None
        text = self._nouns.group(t.domain, scope, "each player", False)
        by = change(only.value, only.target) if isinstance(only, s.Becomes) else None
        adds = by is not None and not isinstance(by[1], s.IntegerLiteral)
        if isinstance(only, s.Becomes) and (
            len(text) > _LONG or text.startswith("each of ") or (adds and text != "each player")
        ):
            return None
        assert isinstance(only, s.Act | s.Chooses | s.Becomes | s.Deal)
        owns = f"{text}'s" if text == "each player" else None
        acts = isinstance(only, s.Act | s.Chooses)
        later = APART if not acts and self.context.others(only, scope, t.binder) else THAT_PLAYER
        if any(known.text in (later.text, "the player") for known in scope.names.values()):
            return None
        inner = scope.bind(t.binder, Ref(text, "player", owns, later))
        said = self._acts.statement(only, inner)
        if not order or isinstance(only, s.Becomes):
            return said
        if t.simultaneous:
            return f"{said}, all at the same time"
        return f"{said}, {order}" if isinstance(only, s.Deal) else f"{order}, {said}"

    def _order(self, order: s.Order | None, scope: Scope) -> str:
        if order is None:
            return ""
        parts = [self._key(key, scope) for key in order.keys]
        if isinstance(order.ties, s.Circle):
            way = "clockwise" if order.ties.clockwise else "anticlockwise"
            parts.append(f"{way} from {self._nouns.noun(order.ties.start, scope)}")
        ties = ", with the order of ties left open" if order.ties == "open" else ""
        return ", then ".join(parts) + ties

    def _key(self, key: s.Key, scope: Scope) -> str:
        value, highest = key.value, key.highest
        if isinstance(value, s.Unary) and value.operator == "-":
            value, highest = value.operand, not highest
        name = value.name if isinstance(value, s.Name) else ""
        if (name, highest) in KEYS:
            tricks = self.context.counts_tricks or name == "tricks"
            return KEYS[name, highest] if tricks else KEYS[name, highest].replace("most tricks", "furthest")
        if name:
            noun = self._nouns.attribute(value)
            return f"{degree(noun, highest=highest)} {noun} first"
        noun = self._nouns.noun(value, scope.about(THAT_PLAYER).about(again("card")))
        return f"{degree(noun, highest=highest)} first by {noun}"

    # ------------------------------------------------------------------------------ calls of other rules

    def _do(self, t: s.Do, scope: Scope) -> list[Step]:
        trees = self.context.trees.get(t.rule, ())
        if trees and all(isinstance(x, s.Procedure) and _nothing(x.body) for x in trees):
            return []
        refs = [self._nouns.ref(a, scope) for a in t.arguments]
        if self.context.expand and t.rule not in ASPECTS and not trees:
            self.context.inlined.append(t.rule)
        if self.context.expand and t.rule not in ASPECTS and trees:
            lengths = len(self.context.inlined), len(self.context.named)
            said = self._inline(t.rule, trees, refs, scope)
            if sum(_length(step) for step in said) <= LONGEST_EXPANDED:
                return said
            del self.context.inlined[lengths[0] :], self.context.named[lengths[1] :]
        if t.rule not in ASPECTS and trees:
            self.context.named.append(t.rule)
        title = title_of(t.rule, "")
        if t.rule in CALLS and (refs or "{" not in CALLS[t.rule]):
            return [Step(CALLS[t.rule].format(*(r.text for r in refs)), call=title)]
        of = f" for {' and '.join(r.text for r in refs)}" if refs else ""
        roles = [f"the {role(word.value)}" for _, word in self.context.file.rules[t.rule].parameters]
        if len(refs) > 1 and roles != [r.text for r in refs] and all(len(x) > 6 for x in roles):
            parts = (self._nouns.part(a, scope) for a in t.arguments)
            of = f", with {' and '.join(f'{x} as {as_}' for x, as_ in zip(parts, roles, strict=True))}"
        if is_plural(title) or "taking" in title:  # what there is rather than what is done
            return [Step(f"{title}{of} follow{'' if is_plural(title) else 's'}", call=title)]
        happens = " takes place" if title.startswith(("the ", "“")) else ""
        return [Step(title + happens + of, call=title)]

    def _inline(
        self, rule: str, trees: Sequence[s.RuleText], refs: Sequence[Ref], outside: Scope
    ) -> list[Step]:
        self.context.inlined.append(rule)
        scope = self._nouns.names.inside_rule(rule, refs, outside)
        bodies = [self.body(x.body, scope) for x in trees if isinstance(x, s.Procedure)]
        if len(bodies) == 1:
            return list(bodies[0])
        names = [r.name.value for r in self.context.file.rules[rule].readings]
        return [Step(f"reading “{plain(n)}”", body) for n, body in zip(names, bodies, strict=True)]


_AS_MANY = "as many times as there are "
_LONG = 70
"""Longest phrase "each player who …", in characters, that can still be followed by a verb."""
_LONG_CONDITION = 200
"""Longest nested condition, in characters, that is not better a list."""
_LONG_VALUE = 180
"""Longest value with three cases or more, in characters, that is not better a list."""
_LONG_SENTENCE = 300
"""Longest sentence with "otherwise" in it, in characters, that is not better split."""
_SETS = (s.PlayerSet, s.CardSet, s.Quantified, s.BestOf, s.UnionOf)
"""Values that may refer to other players."""


def _under(text: str, steps: tuple[Step, ...], comma: str = ":") -> list[Step]:
    """A heading over steps; a single plain step is merged into it."""
    if not steps:
        return []
    if len(steps) == 1 and not steps[0].steps:
        return [Step(f"{text}{comma} {steps[0].text}")]
    return [Step(text, steps)]


def _all_of_them(times: str, steps: Sequence[Step]) -> list[Step] | None:
    """`play all the tricks in the deal`, for playing a trick as many times as there are; None if it is not that."""
    one = re.fullmatch(r"(\w+) an? (\w+)", steps[0].text) if len(steps) == 1 else None
    if one is None or not times.startswith(f"{_AS_MANY}{one[2]}s "):
        return None
    return [Step(f"{one[1]} all the {times.removeprefix(_AS_MANY)}")]


def _length(step: Step) -> int:
    return len(step.text) + sum(map(_length, step.steps))


def _is_given(t: s.For) -> bool:
    """Whether the player of a loop takes part in an exchange: is given cards, or named with another player."""
    pairs = (x.arguments for x in nodes(t.body) if isinstance(x, s.Do | s.Apply) and len(x.arguments) > 1)
    given = (x.to for x in nodes(t.body) if isinstance(x, s.Act) and x.to is not None)
    return any(isinstance(x, s.Name) and x.name == t.binder for x in (*given, *chain.from_iterable(pairs)))


def _set_in(t: s.Stmt) -> frozenset[str]:
    """The variables that a statement sets."""
    of = [x.target for x in nodes(t) if isinstance(x, s.Becomes)]
    single, by_owner = (
        (x.name for x in of if isinstance(x, s.Name)),
        (x.function for x in of if isinstance(x, s.Apply)),
    )
    return frozenset((*single, *by_owner))


def _unseen(t: s.Stmt) -> bool:
    """Bookkeeping that nobody notices: announced events, and clearing the cards played after a trick."""
    match t:
        case s.Announce():
            return True
        case s.Becomes(s.Name("played") | s.Apply("played"), s.Nothing()):
            return True
        case s.For():
            return all(_unseen(x) for x in t.body)
        case _:
            return False


def _later(t: s.Stmt) -> bool:
    """What a rule sheet need not say: that after the first deal the next is not the first."""
    match t:
        case s.Becomes(s.Name("first-hand"), s.Truth(False)):
            return True
        case _:
            return False


def _taker(t: s.Stmt, then: s.Stmt | None) -> s.Expr | None:
    """Who takes the trick, if it is counted for a player and then put on the same player's pile; else None."""
    match t, then:
        case (
            s.Becomes(s.Apply("tricks", (who,)) as tricks, s.Binary("+", before, s.IntegerLiteral(1))),
            s.Put(s.Name("trick"), None, s.Apply("tricks-taken", (to,))),
        ) if before == tricks and who == to:
            return who
        case _:
            return None


def _nothing(body: Sequence[s.Stmt]) -> bool:
    return all(isinstance(x, s.NothingHappens) for x in body)


def _opens_with(t: s.Stmt) -> str | None:
    """The name that begins a statement, if it is a player's."""
    match t:
        case s.Act(s.Name(name)) | s.Chooses(s.Name(name)):
            return name
        case s.Becomes(s.Apply(_, (s.Name(name),))) | s.Deal(_, s.Apply(_, (s.Name(name),))):
            return name
        case _:
            return None
