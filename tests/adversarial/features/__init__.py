"""The unusual features of random rulesets, in the order in which they modify a draft."""

from __future__ import annotations

from adversarial.features.breakdowns import BREAKDOWNS
from adversarial.features.cards import CARDS
from adversarial.features.claims import CLAIMS
from adversarial.features.ends import ENDS
from adversarial.features.exchange import EXCHANGE
from adversarial.features.table import Feature
from adversarial.features.variation import VARIATION

TABLES = (CARDS, ENDS, VARIATION, BREAKDOWNS, EXCHANGE, CLAIMS)

FEATURES: dict[str, Feature] = {name: one for table in TABLES for name, one in table.features.items()}
