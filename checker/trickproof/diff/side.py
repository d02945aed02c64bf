"""One side of a comparison, with its memoised analyses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from trickproof.check_runner.findings_cache import meaning
from trickproof.checking.proof_session import ProofSession
from trickproof.diff.rule_dependencies import Texts
from trickproof.equivalence.program_equivalence import begins_known
from trickproof.proofs.hands.verdicts import fixed_total
from trickproof.proofs.symbolic.expressions import NotEncodedError
from trickproof.testing.subject import Subject
from trickproof_dsl.library import Ruleset
from trickproof_dsl.semantics.values import Key, Value

SOME = 4
"""Number of deals played to check the derived number of tricks."""


def unchecked(ruleset: Ruleset, session: ProofSession) -> Subject:
    """A ruleset as a subject without checks, the same one for all comparisons of a session and all copies of it."""
    key = "compared", meaning(ruleset), SOME
    if key not in session.subjects:
        session.subjects[key] = Subject(ruleset, (), SOME, session)
    return cast(Subject, session.subjects[key])


@dataclass(eq=False)
class Side:
    """One ruleset of a comparison, with its memoised analyses."""

    texts: Texts
    session: ProofSession
    _begins: list[Mapping[Key, Value]] | None = field(default=None)
    _counted: bool | None = field(default=None)

    def begins(self) -> list[Mapping[Key, Value]]:
        """The initial states of its deals. Raises one of UNENCODED."""
        if self._begins is None:
            self.counted()
            subject = unchecked(self.texts.ruleset, self.session)
            self._begins = subject.once(begins_known, lambda: begins_known(subject))
        return self._begins

    def supposed(self) -> Side:
        """The same side, without the check of `counted`; nothing that is found with it counts until that has passed."""
        return replace(self, _counted=True)

    def counted(self) -> None:
        """Check that the dealer determines how many tricks are played and won. Raises NotEncodedError."""
        if self._counted is None:
            self._counted = fixed_total(unchecked(self.texts.ruleset, self.session))
        if not self._counted:
            span = self.texts.ruleset.program.rules["hand"].span
            raise NotEncodedError("nothing is proved of deals whose number of tricks may vary", span)
