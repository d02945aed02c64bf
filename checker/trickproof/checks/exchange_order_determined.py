"""`exchange-order-determined`: where the order of the exchange can matter, the rules fix it.

Cards that one player gave may be passed on or returned before the next one gives, so the order changes who
holds what. It fails for a rule that orders givers by overtricks and does not break ties:

    exchange-order:
      rule: |
        for giver in players with over > 0, highest over first, ties open:
            do exchange-amounts of giver
"""

from __future__ import annotations

from trickproof.checking.finding import Finding
from trickproof.checks.exchange_returns_highest import absent
from trickproof.proofs.hands.check import Check
from trickproof.proofs.hands.exchange_verdicts import decide_openness
from trickproof.testing.subject import Subject


def _run(check: Check, subject: Subject) -> Finding:
    return decide_openness(check, subject, "order")


CHECK = Check(
    "exchange-order-determined",
    ("exchange-order",),
    run=_run,
    absent=absent,
    proved="nothing about the order of the exchange is left open",
)
