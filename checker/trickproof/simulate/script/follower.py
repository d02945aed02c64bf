"""Follows the record of a hand, rejects what does not fit it, and after its end decides by a policy.

A hole (`HOLE`) in the record matches anything, and a choice there is made by the policy.  The first choice
after the record is the job's candidate.
"""

from __future__ import annotations

from collections.abc import Callable

from trickproof.analysis.observable_program import SHOWN
from trickproof.information.record import HOLE, PART_HOLE, SIZED_HOLE, RecordForm, Site
from trickproof.simulate.ir.builder import Builder
from trickproof.simulate.ir.instructions import Expr, load, op
from trickproof.simulate.ir.resumption import pause
from trickproof.simulate.lowering.choices import CardChoice, ValueOptions
from trickproof.simulate.lowering.interfaces import Expressions
from trickproof.simulate.lowering.random_numbers import DEALS, subset
from trickproof.simulate.policies.bids import has_line
from trickproof.simulate.policies.random import Policy
from trickproof.simulate.program.record_items import announcement, question_of_cards, question_of_value
from trickproof_dsl import core as c

AT, END, CANDIDATE, PROBE, MASK, ANSWER = "m.at", "m.end", "m.candidate", "m.probe", "m.mask", "m.answer"
"""Locals: the next word of the record and its end; the first choice after it; the item to be probed, that is,
the item at which to find which cards could be chosen, or would move, if the player held `MASK`, or which number
the policy chooses; the answer, or the actual word where the record differs.
"""

REJECTED, ANSWERED, FITTED = 1 << 20, 1 << 21, 1 << 22
"""Exit codes of a hand that does not fit its record, has answered its probe, or has followed all of its record."""

ONLY_FOLLOW = HOLE + 1
"""Used instead of a candidate to leave the hand at the end of the record."""

MOST_POINTS = 60
"""Maximum number of choices in the program at which hands can be resumed; others are followed from the start."""

SCRIPTS = "notes"
"""The array that holds the records."""


class Follower:
    """The chooser of a program that follows records."""

    def __init__(self, form: RecordForm, b: Builder, policy: Policy) -> None:
        self.form, self.b, self.policy = form, b, policy
        self._points = 0

    # ---------------------------------------------------------------------------------------------- events

    def cards(self, v: Expressions, t: c.ChooseCards, choice: CardChoice) -> Expr:
        b, site = self.b, self.form.site(t)
        with b.when(op("eq", AT, PROBE)):
            b.set(ANSWER, choice.domain)
            b.leave(ANSWERED)
        self._follow(*question_of_cards(site, choice))
        if site.chance:
            return self._chosen(False, lambda given: 0, lambda: subset(b, DEALS, choice.domain, choice.low))

        def illegal(given: Expr) -> Expr:
            number = op("count", given)
            outside = op("ne", op("without", given, choice.domain), 0)
            return op("or", outside, op("or", op("lt", number, choice.low), op("lt", choice.high, number)))

        return self._chosen(True, illegal, lambda: self.policy.cards(v, t, choice))

    def value(self, v: Expressions, t: c.ChooseValue, player: Expr, options: ValueOptions) -> Expr:
        if has_line(v, t):
            with self.b.when(op("eq", AT, PROBE)):
                self.b.set(ANSWER, self.policy.value(v, t, player, options))
                self.b.leave(ANSWERED)
        with self.b.when(op("lt", AT, END)):
            self._fits(question_of_value(v, self.form.site(t), player, options))

        def illegal(given: Expr) -> Expr:
            if options.wide:
                return 0
            at = op("sub", given, options.base)
            within = op("select", op("lt", at, 0), 0, op("lt", at, 64))
            offered = op("and", op("shr", options.mask, op("select", within, at, 0)), within)
            legal = op("or", offered, op("eq", given, -1)) if options.or_none else offered
            return op("not", op("ne", legal, 0))

        def meant(given: Expr) -> Expr:
            return options.given_as_nth(self.b, given) if options.wide else given

        return self._chosen(
            not options.wide, illegal, lambda: self.policy.value(v, t, player, options), meant
        )

    def announced(self, v: Expressions, t: c.Announce) -> None:
        site = self.form.site(t)
        if site.moved_from is not None:
            self._probed(v, site)
        with self.b.when(op("lt", AT, END)):
            at = site.word("cards") if site.event == SHOWN or site.moves else -1
            self._fits(announcement(v, site), *((-1, at) if site.moves else (at, -1)))

    def _probed(self, v: Expressions, site: Site) -> None:
        """At the probed movement or show, put the hypothetical cards into the zone and answer which of them would move or be shown."""
        b, node = self.b, site.node
        assert isinstance(node, c.Announce)
        fields = dict(node.fields)
        owner, cards = fields["from" if site.moves else "player"], fields["cards"]
        assert not isinstance(owner, str)
        assert not isinstance(cards, str)
        with b.when(op("eq", AT, PROBE)):
            b.store(f"z.{site.moved_from}", b.let(v.given(owner)), MASK)
            b.set(ANSWER, v.word(cards))
            b.leave(ANSWERED)

    def about_to_choose(self, v: Expressions, t: c.ChooseCards) -> None:
        """At the probed choice, give the player the hypothetical cards."""
        zone = self.form.decided_by(t)
        if zone is None:
            return
        with self.b.when(op("eq", AT, PROBE)):
            self.b.store(f"z.{zone}", self.b.let(v.given(t.actor)), MASK)

    def dealt(self, v: Expressions, place: c.Place, index: Expr, cards: Expr) -> None:
        """Does nothing: a deal is a choice made by chance."""

    def moved(self, v: Expressions, t: c.Move, cards: Expr) -> None:
        """Does nothing: movements are announced."""

    # ------------------------------------------------------------------------------------------ the record

    def _follow(self, *words: Expr) -> None:
        with self.b.when(op("lt", AT, END)):
            self._fits(words)

    def _fits(self, words: tuple[Expr, ...], shown: int = -1, moved: int = -1) -> None:
        """Reject the hand if these words differ from the record's next ones.

        For the word at `shown`, the record may give just the number of cards; for that at `moved`, some of them.
        """
        b, at = self.b, self.b.let(AT)
        for i, expected in enumerate(words):
            given, word = b.let(load(SCRIPTS, op("add", at, i))), b.let(expected)
            with b.when(op("ne", given, word)):
                differs = op("ne", given, HOLE)
                if i == shown:
                    number = op("sub", SIZED_HOLE, given)
                    sized = op("le", given, SIZED_HOLE)
                    differs = op("select", sized, op("ne", op("count", word), number), differs)
                if i == moved:
                    with b.when(op("le", given, PART_HOLE)):
                        part = b.let(load(SCRIPTS, b.let(op("sub", PART_HOLE, given))))
                        self._reject(op("ne", op("without", part, word), 0), word)
                    differs = op("lt", HOLE, given)
                self._reject(differs, word)
        b.set(AT, op("add", at, len(words)))

    def _reject(self, wrong: Expr, word: Expr) -> None:
        with self.b.when(wrong):
            self.b.set(ANSWER, word)
            self.b.leave(REJECTED)

    def _chosen(
        self,
        can_pause: bool,
        illegal: Callable[[Expr], Expr],
        decide: Callable[[], Expr],
        meant: Callable[[Expr], Expr] = lambda given: given,
    ) -> Expr:
        """The choice given by the record or the candidate, which may mean another word, otherwise the policy's."""
        b = self.b
        given, chosen = b.mutable(HOLE), b.mutable(0)
        with b.when(op("le", AT, END)):
            if can_pause:
                self._pause()
            at = b.let(AT)
            b.set(given, op("select", op("lt", at, END), load(SCRIPTS, at), CANDIDATE))
            b.set(AT, op("add", at, 1))
            b.guard(op("eq", given, ONLY_FOLLOW), FITTED)

        def taken() -> None:
            b.guard(illegal(given), REJECTED)
            b.set(chosen, meant(given))

        b.either(op("eq", given, HOLE), lambda: b.set(chosen, decide()), taken)
        return b.let(chosen)

    def _pause(self) -> None:
        """At the end of the record, stop before a player's choice, so that every candidate can go on from here."""
        if self._points < MOST_POINTS:
            self._points += 1
            with self.b.when(op("select", op("eq", AT, END), op("eq", CANDIDATE, ONLY_FOLLOW), 0)):
                pause(self.b, self._points, FITTED)
