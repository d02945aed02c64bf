"""Why something is not certified: the reasons that a certificate may give; no other is shown."""

from __future__ import annotations

NOT_WRITTEN = "certificates do not yet cover this kind of proof"
BY_INSPECTION = "evident from the rules; no solver was asked"
BY_CASES = "shown by replaying cases; no solver was asked"
BY_A_MATCH = "shown by a match; no solver was asked"
BY_PLANS = "certificates do not yet cover plans by which a match can be ended"
NOT_RECOGNISED = "refuted; what its match shows is not recognised without the prover"
NOT_EVERYWHERE = "no match that ends was found under some choice of parameters and readings"
NOT_STATED = "it is stated in no deal"
NO_CLAIM = "the certificate makes no claim"

REASONS = frozenset(
    [
        NOT_WRITTEN,
        BY_INSPECTION,
        BY_CASES,
        BY_A_MATCH,
        BY_PLANS,
        NOT_RECOGNISED,
        NOT_EVERYWHERE,
        NOT_STATED,
    ]
)
