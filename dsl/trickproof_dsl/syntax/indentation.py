"""Layout of rule text: where a statement ends, and to which block it belongs.

Takes the bare tokens of a rule (white space and comments already removed) and inserts `_NL`, `_INDENT` and
`_DEDENT`.  The rules: a colon at the end of a line opens a block, which is indented more deeply; any other
line that is indented more deeply than the statement it follows continues that statement; so do lines that
begin with `then`, `and`, `or`, or an `else` that belongs to an open `then`, and everything inside
parentheses.  A block continues at its own column; a line that dedents to no open column is a `DedentError`.
"""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token

_CONTINUES = {"THEN", "AND", "OR"}


class DedentError(Exception):
    """A line whose indentation matches no block; carries its first token."""

    def __init__(self, token: Token, expected: tuple[int, ...]) -> None:
        super().__init__(str(token))
        self.token = token
        self.expected = expected


class Indenter:
    """A lark post-lexer; the `columns` of tokens count from 1 within the user's file."""

    always_accept = ()

    def __init__(self) -> None:
        self._columns: list[int] = []
        self._depth = 0
        self._open_thens = 0

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        self._columns, self._depth, self._open_thens = [], 0, 0
        before: Token | None = None
        for token in stream:
            if before is None:
                self._columns.append(token.column or 1)
            elif token.line != before.end_line and not self._goes_on(before, token):
                yield from self._break(before, token)
            self._count(token)
            yield token
            before = token
        if before is not None:
            yield Token.new_borrow_pos("_NL", "", before)
            for _ in self._columns[1:]:
                yield Token.new_borrow_pos("_DEDENT", "", before)

    def _count(self, token: Token) -> None:
        if token.type == "LPAR":
            self._depth += 1
        elif token.type == "RPAR":
            self._depth -= 1
        elif token.type == "THEN":
            self._open_thens += 1
        elif token.type == "ELSE" and self._open_thens:
            self._open_thens -= 1

    def _goes_on(self, before: Token, token: Token) -> bool:
        if self._depth > 0 or token.type in _CONTINUES:
            return True
        if token.type == "ELSE" and self._open_thens:
            return True
        return before.type != "COLON" and (token.column or 1) > self._columns[-1]

    def _break(self, before: Token, token: Token) -> Iterator[Token]:
        self._open_thens = 0
        column = token.column or 1
        yield Token.new_borrow_pos("_NL", "", before)
        if before.type == "COLON" and column > self._columns[-1]:
            self._columns.append(column)
            yield Token.new_borrow_pos("_INDENT", "", token)
            return
        deeper: tuple[int, ...] = ()
        while len(self._columns) > 1 and column < self._columns[-1]:
            deeper = (self._columns.pop(),)
            yield Token.new_borrow_pos("_DEDENT", "", before)
        if column != self._columns[-1]:
            raise DedentError(token, (self._columns[-1], *deeper))
