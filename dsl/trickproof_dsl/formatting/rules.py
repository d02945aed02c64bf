"""Rule text in canonical form, from the syntax tree and the comments of its region.

Promises: parsing the text gives an equal tree, for every tree the parser can produce; formatting is
idempotent.  The text has 4 blanks per level, brackets as placed by `expressions.py`, lines of at most `width`
characters where they can be broken, no trailing blanks, and no final line break.  A continuation line of a
statement is indented by 4 more, that of a heading by 8 more, to set it off from the block.  Statements break
between their clauses (`with …`, `to …`, `as …`), each line as full as possible.

Comments are preserved if the region is given: those alone on a line stay before the statement they precede,
in its block; one beside a statement stays on its last line.  Of several comments within one statement the
last stays beside it and the others move above it.  One blank line between statements is preserved.
"""

from __future__ import annotations

import re
from typing import assert_never

from trickproof_dsl.diagnostics.source import Span
from trickproof_dsl.formatting.doc_printer import LINE, STEP, Doc, fill, group, layout, listed
from trickproof_dsl.formatting.expressions import (
    ENDS,
    Follow,
    Level,
    arguments,
    clauses,
    condition,
    conditional,
    expression,
    format_expression,
    level_of,
)
from trickproof_dsl.formatting.trivia import Trivia
from trickproof_dsl.syntax import ast as s

__all__ = ["format_expression", "format_rule", "rule_comments"]

_COMMENT = re.compile(r"#[^\n\r]*")


def format_rule(text: s.RuleText, width: int = 100, region: Span | None = None) -> str:
    """The canonical text of a rule, without a final line break.

    With `region`, from which the tree was parsed, comments and blank lines are preserved.
    """
    trivia = Trivia(region, rule_comments(region)) if region else None
    writer = _Writer(width, trivia)
    if isinstance(text, s.Value):
        writer.line(expression(text.expr), 0, text.span)
    else:
        writer.statements(text.body, 0)
    if trivia:
        writer.put(trivia.rest(), 0)
    return "\n".join(writer.lines)


def rule_comments(region: Span) -> list[Span]:
    """The comments in a region of rule text, in order; the language has no strings, so every `#` starts one."""
    matches = _COMMENT.finditer(region.source.text, region.start, region.end)
    return [Span(region.source, *match.span()) for match in matches]


class _Writer:
    """Collects lines; without a `Trivia`, spans are ignored."""

    def __init__(self, width: int, trivia: Trivia | None) -> None:
        self.lines: list[str] = []
        self._width = width
        self._trivia = trivia
        self._opened = True

    def put(self, lines: list[str], indent: int) -> None:
        """Add comments and blank lines; no blank line at the start of a block."""
        for line in lines:
            if line or not self._opened:
                self.lines.append(" " * indent + line if line else "")
                self._opened = not line

    def line(self, doc: Doc, indent: int, span: Span) -> None:
        """Add the statement at `span`, with its comments."""
        if self._trivia:
            above, beside = self._trivia.around(span.start, span.end)
            self.put(above, indent)
            self._print(doc, indent, beside)
        else:
            self._print(doc, indent, "")

    def heading(self, doc: Doc, indent: int, start: int, body: tuple[s.Stmt, ...]) -> None:
        """Add the line that opens a block, from `start` to the colon, and the block."""
        if self._trivia:
            end = self._trivia.last_code(":", body[0].span.start) + 1
            above, beside = self._trivia.around(start, end)
            follows_block = body[0].span.source.text.startswith("else", start)
            self.put([line for line in above if line or not follows_block], indent)
            self._print(doc, indent, beside, STEP)
        else:
            self._print(doc, indent, "", STEP)
        self._opened = True
        self.statements(body, indent + STEP)
        if self._trivia:
            last = body[-1].span.end
            self.put(self._trivia.below(last, body[0].span.column), indent + STEP)

    def _print(self, doc: Doc, indent: int, beside: str, deeper: int = 0) -> None:
        self.lines += layout(doc, indent, self._width, deeper)
        if beside:
            self.lines[-1] += f"  {beside}"
        self._opened = False

    # ------------------------------------------------------------------------------------- statements

    def statements(self, body: tuple[s.Stmt, ...], indent: int) -> None:
        for stmt in body:
            match stmt:
                case s.If():
                    self._if(stmt, indent)
                case s.For() | s.RepeatTimes() | s.RepeatUntil():
                    start = stmt.span.start if self._trivia else 0
                    self.heading(_heading(stmt), indent, start, stmt.body)
                case _:
                    self.line(_simple(stmt), indent, stmt.span)

    def _if(self, stmt: s.If, indent: int) -> None:
        start = stmt.span.start if self._trivia else 0
        opening = "if "
        for holds, body in stmt.branches:
            self.heading(group(opening, expression(holds, Level.DISJUNCTION), ":"), indent, start, body)
            start = self._trivia.next_code(body[-1].span.end) if self._trivia else 0
            opening = "else if "
        if stmt.otherwise:
            self.heading("else:", indent, start, stmt.otherwise)


def _heading(stmt: s.For | s.RepeatTimes | s.RepeatUntil) -> Doc:
    match stmt:
        case s.For():
            order = _order(stmt.order) if stmt.order else []
            at_once: list[Doc] = [",", LINE, "simultaneously"] if stmt.simultaneous else []
            return fill(f"for {stmt.binder} in ", *_domain(stmt.domain), *order, *at_once, ":")
        case s.RepeatTimes():
            return group("repeat ", _before("times", stmt.count), " times:")
        case s.RepeatUntil():
            until = "repeat until ", *clauses(stmt.condition, Level.DISJUNCTION)
            if stmt.bound is None:
                return group(*until, ":")
            return fill(*until, ",", LINE, "at most ", _before("times", stmt.bound), " times:")
        case _:
            assert_never(stmt)


def _order(order: s.Order) -> list[Doc]:
    parts: list[Doc] = []
    for key in order.keys:
        degree = "highest " if key.highest else "lowest "
        parts += [",", LINE, degree, _before("first", key.value), " first"]
    match order.ties:
        case None:
            pass
        case s.Circle():
            word = "clockwise" if order.ties.clockwise else "anticlockwise"
            then = "then " if order.keys else ""
            parts += [",", LINE, f"{then}{word} from ", expression(order.ties.start, Level.ARITH)]
        case _:
            parts += [",", LINE, f"ties {order.ties}"]
    return parts


def _domain(domain: s.Domain, follow: Follow = ENDS) -> list[Doc]:
    if isinstance(domain, s.Range):
        return [_before("to", domain.low), LINE, "to ", expression(domain.high, Level.ARITH, follow)]
    return [*clauses(domain, Level.ARITH, follow)]


def _before(word: str, expr: s.Expr, level: Level = Level.ARITH) -> Doc:
    """The doc of an expression that is followed by `word`."""
    return expression(expr, level, frozenset({word}))


_Simple = (
    s.Becomes
    | s.Put
    | s.NothingHappens
    | s.Do
    | s.Shuffle
    | s.Deal
    | s.Announce
    | s.HandEnds
    | s.MatchEnds
    | s.Act
    | s.Chooses
)


def _simple(stmt: _Simple) -> Doc:
    match stmt:
        case s.Becomes():
            target = expression(stmt.target, Level.ARITH)
            if isinstance(stmt.value, s.Conditional):
                return group(target, " becomes", LINE, *conditional(stmt.value))
            return group(target, " becomes ", *clauses(stmt.value))
        case s.Put():
            return fill("put ", *_places(stmt.cards, ("from", stmt.source), ("into", stmt.to)))
        case s.NothingHappens():
            return "nothing happens"
        case s.Do():
            return _do(stmt)
        case s.Shuffle():
            return "shuffle"
        case s.Deal():
            count = ("the rest",) if stmt.count is None else _cards(stmt.count)
            return fill("deal ", *count, LINE, "to ", expression(stmt.to, Level.ARITH))
        case s.Announce():
            if not stmt.fields:
                return f"announce {stmt.event}"
            levels = [Level.DISJUNCTION] * (len(stmt.fields) - 1) + [Level.EXPR]
            fields = zip(stmt.fields, levels, strict=True)
            shown = (group(f"{key} ", expression(value, level)) for (key, value), level in fields)
            return group(f"announce {stmt.event}: ", listed(shown))
        case s.HandEnds():
            return "deal again" if stmt.again else "the hand ends"
        case s.MatchEnds():
            won = () if stmt.winners is None else (",", LINE, "won by ", *clauses(stmt.winners))
            return fill("the match ends", *won)
        case s.Act():
            return _act(stmt)
        case s.Chooses():
            return _chooses(stmt)
        case _:
            assert_never(stmt)


def _do(stmt: s.Do) -> Doc:
    if not stmt.arguments:
        return f"do {stmt.rule}"
    if len(stmt.arguments) == 1:
        return group(f"do {stmt.rule} of ", expression(stmt.arguments[0], Level.APPLIED))
    return group(f"do {stmt.rule}(", arguments(stmt.arguments), ")")


def _act(stmt: s.Act) -> Doc:
    places = ("from", stmt.source), ("to", stmt.to), ("as", stmt.binding)
    return fill(_before("NAME", stmt.actor), f" {stmt.verb} ", *_places(stmt.selection, *places))


def _places(selection: s.Chosen | s.Expr, *places: tuple[str, s.Expr | str | None]) -> list[Doc]:
    """The cards, and a phrase for each given place."""
    parts = _chosen(selection) if isinstance(selection, s.Chosen) else [*clauses(selection, Level.ARITH)]
    for word, place in places:
        if place is not None:
            shown = place if isinstance(place, str) else expression(place, Level.ARITH)
            parts += [LINE, f"{word} ", shown]
    return parts


def _chosen(chosen: s.Chosen) -> list[Doc]:
    cards = _before("with", chosen.of) if chosen.condition else expression(chosen.of, Level.ARITH)
    ending = (*condition(chosen.condition), *((" blindly",) if chosen.blindly else ()))
    high = chosen.high
    if high is None:
        return ["any number of cards of ", cards, *ending]
    if chosen.form == "between":
        low, high_shown = _before("and", chosen.low, Level.APPLIED), _before("cards", high, Level.APPLIED)
        return ["between ", low, " and ", high_shown, " cards of ", cards, *ending]
    up_to = "up to " if chosen.form == "up to" else ""
    return [up_to, *_cards(high), " of ", cards, *ending]


def _cards(count: s.Expr) -> tuple[Doc, ...]:
    if isinstance(count, s.IntegerLiteral):
        return expression(count), " card" if count.value == 1 else " cards"
    after: Doc = LINE if level_of(count) < Level.APPLIED else " "
    return _before("cards", count, Level.APPLIED), after, "cards"


def _chooses(stmt: s.Chooses) -> Doc:
    after: Follow = frozenset({"with"}) if stmt.condition else ENDS
    target = expression(stmt.target, Level.ARITH, ENDS if stmt.domain is not None else after)
    parts: list[Doc] = [expression(stmt.actor, Level.ARITH), " chooses ", target]
    if stmt.domain is not None and stmt.or_none:
        parts += [LINE, "from ", *_domain(stmt.domain, frozenset({"or"})), " or none"]
    elif stmt.domain is not None:
        parts += [LINE, "from ", *_domain(stmt.domain, after)]
    return fill(*parts, *condition(stmt.condition))
