"""A sweep as a table and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trickproof.english.inflection import counted, listed
from trickproof.reports.simulation import simulation_document, with_interval
from trickproof.reports.text import PLAIN, Page, plus_minus, share_plus_minus
from trickproof.simulate.statistics.outcome import Outcome
from trickproof.simulate.sweep import varied
from trickproof.support.serialise import Content

if TYPE_CHECKING:
    from trickproof_dsl.library import Ruleset


@dataclass(frozen=True)
class Row:
    """One member: its values by axis, its outcome, and the checks that reject it (None if they were not run)."""

    labels: list[str]
    outcome: Outcome
    flaws: tuple[str, ...] | None

    @property
    def sound(self) -> str:
        if self.flaws is None:
            return "unchecked"
        return f"no: {', '.join(self.flaws)}" if self.flaws else "yes"


def sweep_text(
    ruleset: Ruleset, names: Sequence[str], rows: Sequence[Row], page: Page = PLAIN, own: Sequence[str] = ()
) -> str:
    """A table with one row per member; `own` are the checks that reject the ruleset itself."""
    first = rows[0].outcome
    heads = [*names, *(f"tricks, {seat}" for seat in first.seats)] if first.counts.plan.tricks else [*names]
    heads += ["deals per match", *(f"% wins, {seat}" for seat in first.seats), "sound"]
    hands = counted(max(row.outcome.hands for row in rows), "deal")
    heading = f"{ruleset.id} · {first.policy} · {hands} each, on the same deals · seed {first.seed}"
    notes = [line for text in _notes(ruleset, names, rows, own) for line in page.wrapped(text, "note: ", 2)]
    table = page.table([_cells(row) for row in rows], heads)
    return "\n".join([*page.wrapped(heading, hang=2), "", table, "", *notes])


def _notes(ruleset: Ruleset, names: Sequence[str], rows: Sequence[Row], own: Sequence[str]) -> Iterator[str]:
    policy = rows[0].outcome.policy
    yield f"results depend on the policy (here: {policy}); intervals are 95% confidence intervals"
    if rows[0].outcome.counts.plan.seat:
        yield "wins are by seat in the last deal of a match; `simulate` also shows them by seat in the first"
    if any(sum(x.mean for x in row.outcome.counts.wins()) > 1.0001 for row in rows):
        yield "several players can win a match, so wins can add up to more than 100%"
    troubled: dict[str, list[str]] = {}
    for row in rows:
        member = ", ".join(f"{name} {label}" for name, label in zip(names, row.labels, strict=True))
        for trouble in _troubles(row.outcome):
            troubled.setdefault(trouble, []).append(member)
    for trouble, members in troubled.items():
        yield f"{'all variants' if 1 < len(rows) == len(members) else '; '.join(members)}: {trouble}"
    if own:
        yield f"{ruleset.id} itself fails {listed([*own])}: here `sound` means that nothing else is wrong"
    if any(row.flaws for row in rows):
        yield "unsound variants fail the checks named, and their figures describe a flawed game"
        yield from _alike(ruleset, names)


def _alike(ruleset: Ruleset, names: Sequence[str]) -> Iterator[str]:
    """Rules with the same numbers as one that was varied, which may have to be varied with it."""
    numbers = {name: [span.text for span in spans] for name, spans in varied(ruleset).items()}
    groups = [[x for x in numbers if numbers[x] and numbers[x] == numbers.get(name)] for name in names]
    for alike in dict.fromkeys(map(tuple, groups)):
        if alike[1:]:
            same = f"{listed([f'`{x}`' for x in alike])} have the same numbers"
            yield f"{same}; to vary them together, write `--vary {'+'.join(alike)}=…`"


def _troubles(outcome: Outcome) -> Iterator[str]:
    """What a member's statistics leave out."""
    if nobody := outcome.counts.winners()[0]:
        yield f"nobody won {nobody:,} of {outcome.counts.matches:,} matches"
    if not outcome.counts.matches:
        yield "no match ended, so there are no wins to show"
    elif outcome.counts.few_matches:
        yield "too few matches ended for figures per match"
    elif not outcome.counts.tell_of_matches:
        yield "too many matches stopped before their end for figures per match"
    if outcome.broken:
        yield f"the rules failed in {counted(outcome.broken, 'deal')}, which ended the match there"
    if stopped := outcome.counts.broken - outcome.broken:
        yield f"the simulator met one of its limits in {counted(stopped, 'deal')}, which ended the match there"
    if outcome.left_out:
        yield f"{listed(list(outcome.left_out))} could not be played"


def _cells(row: Row) -> list[str]:
    counts, seats = row.outcome.counts, range(row.outcome.counts.plan.players)
    told = counts.tell_of_matches
    tricks = (
        [plus_minus(with_interval(counts, counts.tricks(s)), 3) for s in seats] if counts.plan.tricks else []
    )
    return [
        *row.labels,
        *tricks,
        plus_minus(counts.match_length().mean) if told or not counts.matches else "",
        *[share_plus_minus(x, "") if told else "" for x in counts.wins()],
        row.sound,
    ]


def sweep_document(
    ruleset: Ruleset, names: Sequence[str], rows: Sequence[Row], interrupted: bool = False
) -> Content:
    """Every member with its values and its `simulate --json` document; `interrupted` appears only if true.

    `sound` is null if the checks were not run.
    """
    members = [
        {
            "values": dict(zip(names, row.labels, strict=True)),
            "sound": None if row.flaws is None else not row.flaws,
            "rejected_by": row.flaws or (),
            "outcome": simulation_document(row.outcome),
        }
        for row in rows
    ]
    content: Content = {"ruleset": ruleset.named, "vary": names, "members": members}
    return {**content, "interrupted": True} if interrupted else content
