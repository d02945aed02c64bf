"""Names of variables, zones, rules, parameters and seats: "the dealer's target", "the foremost players".

A value rule of the ruleset's own is referred to by name and explained once, elsewhere; only a definition
hardly longer than its name (`Context.inlines`) is spelled out. Seats are normalised, so that "the right of
the right of the dealer" is the dealer's left with three players.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trickproof.english.inflection import listed, may_do, noun_of, of_whom, one_of, small
from trickproof.english.referents import LATELY, Context, Ref, Scope, name_of
from trickproof.english.vocabulary import OWNED, PAIRS, RULE_NOUNS, SHARED, plain, role
from trickproof_dsl.elaboration.builtins import BUILTINS
from trickproof_dsl.syntax import ast as s

Noun = Callable[[s.Expr, Scope], str]
BARE = {name: builtin.takes[0].kind for name, builtin in BUILTINS.items() if len(builtin.takes) == 1}
"""Built-in functions that may be used without an argument, with the type of the implicit one."""


class Names:
    """Names of one ruleset; `noun` words any other value, `part` one nested in a longer phrase."""

    def __init__(self, context: Context, noun: Noun, part: Noun) -> None:
        self._context, self._noun, self._part = context, noun, part

    def ref(self, e: s.Expr, scope: Scope) -> Ref:
        """A reference to an expression, with its possessive."""
        if isinstance(e, s.Name) and e.name in scope.names:
            return scope.names[e.name]
        if isinstance(e, s.Subject) and e.kind in scope.subjects:
            return scope.subjects[e.kind]
        text, kind = self._noun(e, scope), self._context.kind(e, scope)
        short = " " not in text.removeprefix("the ") and not text.endswith("s")
        return Ref(text, kind, f"{text}'s" if short else None)

    def refs(self, e: s.Expr, scope: Scope) -> list[Ref]:
        """The explicit or implicit arguments of a name."""
        if isinstance(e, s.Apply):
            return [self.ref(a, scope) for a in e.arguments]
        owners = self._context.owners(e.name) if isinstance(e, s.Name) else None
        return [scope.subjects.get(kind, Ref(f"the {kind}", kind, f"the {kind}'s")) for kind in owners or ()]

    def named(self, e: s.Name | s.Apply, scope: Scope) -> str:
        """A name, bare or applied, as a noun phrase."""
        name = name_of(e)
        if isinstance(e, s.Name) and name in scope.names:
            return scope.names[name].text
        file = self._context.file
        if name in file.state or name in file.zones:
            return self._variable(name, self.refs(e, scope))
        if name in file.rules:
            return self._rule(e, name, scope)
        if name in file.parameters:
            values = file.parameters[name].values
            if len(values) == 1:
                return f"the {plain(name)} ({values[0]})"
            return f"the agreed {plain(name)} ({one_of(values)})"
        if isinstance(e, s.Apply):
            return self.builtin(e, scope)
        known = (*self._context.suit_names(), *self._context.rank_names())
        return plain(name) if name in known else f"“{plain(name)}”"

    def owned(self, ref: Ref, noun: str) -> str:
        """A noun with its owner."""
        return f"{ref.owns} {noun}" if ref.owns else of_whom(f"the {noun}", ref.text)

    def word(self, name: str) -> str:
        """A name defined by the ruleset as a noun; a bare participle gets a head noun, such as "married cards"."""
        file = self._context.file
        if name in file.state:
            return noun_of(name, file.state[name].type.value)
        if name not in file.zones:
            return noun_of(name, self._context.kind_of_rule(name))
        noun = noun_of(name, "cards")
        return noun[:-1] if noun.endswith(" cards") and self._context.holds_one(name) else noun

    def _variable(self, name: str, refs: Sequence[Ref]) -> str:
        if not refs:
            return SHARED.get(name, f"the {self.word(name)}")
        if name in PAIRS and len(refs) == 2:
            return PAIRS[name].format(*(r.text for r in refs))
        if name == "played" and refs[0].owns is None:
            return f"the card played by {refs[0].text}"
        mine = self.owned(refs[0], OWNED.get(name, self.word(name)))
        return mine if len(refs) == 1 else f"{mine} for {' and '.join(r.text for r in refs[1:])}"

    # ------------------------------------------------------------------------------------------- rules

    def _rule(self, e: s.Name | s.Apply, name: str, scope: Scope) -> str:
        """A value rule: by its standard name, spelled out if tiny, or by its own name."""
        refs = self.refs(e, scope)
        if name in RULE_NOUNS:
            return self.standard(name, refs)
        if self._context.inlines(name):
            tree = self._context.value_tree(name)
            assert tree is not None
            self._context.inlined.append(name)
            return self._noun(tree, self.inside_rule(name, refs, scope))
        self._context.named.append(name)
        return self.called(name, refs)

    def standard(self, name: str, refs: Sequence[Ref]) -> str:
        """A rule of the standard vocabulary."""
        was, lately = ("was", LATELY) if "over" in self._context.past else ("is", "")
        noun = RULE_NOUNS[name]
        if name == "under" and not self._context.counts_tricks:
            noun = noun.replace("the number of tricks", "how far")
        return noun.format(*(r.text for r in refs), was=was, lately=lately)

    def called(self, name: str, refs: Sequence[Ref]) -> str:
        """A rule by its own name, applied to `refs`."""
        noun = self.word(name)
        if not refs:
            return f"the {noun}"
        parameters = self._context.file.rules[name].parameters
        if len(refs) == 1:
            may = may_do(name, self._context.kind_of_rule(name))
            return f"the cards {refs[0].text} {may}" if may else self.owned(refs[0], noun)
        pairs = list(zip((plain(word.value) for _, word in parameters), refs, strict=False))
        if len({kind.value for kind, _ in parameters}) == 1:
            if all(ref.text == f"the {role(word)}" for word, ref in pairs):
                return f"the {noun} for {listed([ref.text for ref in refs])}"
            return f"the {noun} ({_given(pairs)})"
        whose = self.owned(refs[0], noun)
        if [ref.kind for ref in refs[:3]].count("player") == 2 and refs[1].kind == "player":
            whose, pairs = f"{whose} for {refs[1].text}", pairs[1:]
        return f"{whose} ({_given(pairs[1:])})"

    def inside_rule(self, name: str, refs: Sequence[Ref], outside: Scope) -> Scope:
        """The scope of a rule's text, applied to `refs`."""
        parameters = self._context.file.rules[name].parameters
        kinds = [kind.value for kind, _ in parameters]
        scope = Scope(holder=outside.holder)
        for (kind, word), ref in zip(parameters, refs, strict=False):
            scope = scope.bind(word.value, ref)
            if kinds.count(kind.value) == 1:
                scope = scope.about(ref)
        return scope

    # --------------------------------------------------------------------------------- built-in functions

    def builtin(self, e: s.Apply, scope: Scope) -> str:
        """`left of p`, `larger(a, b)`, `suit of c`."""
        if len(e.arguments) == 2:
            a, b = (self._part(x, scope) for x in e.arguments)
            return f"the {e.function} of {a} and {b}"
        if e.function in ("left", "right", "opposite"):
            return self._seat(e, scope)
        ref = self.ref(e.arguments[0], scope)
        return self.owned(ref, "rank" if e.function == "height" else plain(e.function))

    def _seat(self, e: s.Apply, scope: Scope) -> str:
        start, steps = self.seats(e, scope)
        ref = start if isinstance(start, Ref) else self.ref(start, scope)
        n = self._context.players
        seats = steps % n if n else steps
        if seats == 0:
            return ref.text
        if n == 2:
            return self.owned(ref, "opponent")
        if n % 2 == 0 and seats == n // 2:
            return "the player opposite" if ref.text == "the player" else f"the player opposite {ref.text}"
        side, far = ("left", seats) if seats <= n // 2 else ("right", n - seats)
        where = "the player" if far == 1 else f"the player {small(far)} seats"
        if ref.text == "the player":
            return f"{where} to their {side}"
        return f"{where} to {ref.owns} {side}" if ref.owns else f"{where} to the {side} of {ref.text}"

    def seats(self, e: s.Expr, scope: Scope) -> tuple[s.Expr | Ref, int]:
        """The seat that counting starts from, and the number of seats clockwise."""
        n = self._context.players
        match e:
            case s.Apply("left" | "right" | "opposite" as way, (of,)):
                start, steps = self.seats(of, scope)
                return start, steps + {"left": 1, "right": n - 1, "opposite": n // 2}[way]
            case s.Name("left" | "right" | "opposite" as way) if way not in scope.names:
                about = scope.subjects.get("player", Ref("the player", "player", "the player's"))
                return about, {"left": 1, "right": n - 1, "opposite": n // 2}[way]
            case s.Name(name) if name not in scope.names and self._is_seat(name):
                self._context.inlined.append(name)
                tree = self._context.value_tree(name)
                assert tree is not None
                return self.seats(tree, Scope())
            case _:
                return e, 0

    def _is_seat(self, name: str) -> bool:
        """Whether a name is that of a tiny rule without parameters."""
        rule = self._context.file.rules.get(name)
        is_variable = name in self._context.file.state or name in self._context.file.zones
        return rule is not None and not is_variable and not rule.parameters and self._context.inlines(name)


def _given(pairs: Sequence[tuple[str, Ref]]) -> str:
    """What a rule is applied to, by its names for it: "n", "n = 2", "with the dealer as the giver"."""
    short = [word if word == ref.text else f"{word} = {ref.text}" for word, ref in pairs if len(word) < 3]
    others = [
        f"{ref.text} as {f'the {role(word)}' if ref.kind in ('player', 'integer') else f'“{word}”'}"
        for word, ref in pairs
        if len(word) > 2
    ]
    return ", ".join([*short, *([f"with {listed(others)}"] if others else [])])
