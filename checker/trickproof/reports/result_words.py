"""The fixed words of results, explained: verdicts, what comparisons and validations conclude, methods."""

from __future__ import annotations

from collections.abc import Mapping

from trickproof_dsl.core.faults import FAULTS
from trickproof_dsl.syntax.error_examples import COUNTED

VERDICTS: Mapping[str, str] = {
    "proved": "the claim holds in every case",
    "bounded": "the claim holds in every case, up to the number of deals that the message gives",
    "tested": "n random cases were played and none failed: the failure probability is below 3/n with 95% confidence (rule of three)",
    "undecided": "the check gave up; the message says where. This is a limit of the prover, not evidence against the rules: the game can still be played and simulated",
    "unspecified": "the document is silent on what the check needs",
    "not-applicable": "the game does not use the vocabulary that the check is about",
    "refuted": "the claim is false; the counterexample has been replayed by the reference interpreter",
}
"""What a check can conclude, strongest first."""

OTHERS: Mapping[str, str] = {
    "known": "the ruleset records this flaw in its document, with the reason, under `known:`, so `check` still succeeds",
    "same": "both rulesets are proved to do the same, in all deals and whatever the players choose",
    "different": "there is a deal in which the two rulesets do different things; it has been played under both",
    "incomparable": "no deal can be played under both rulesets, for example because the number of players differs",
    "accepted": "the house rule introduces no violation that its base does not have",
    "rejected": "the house rule introduces a violation that its base does not have; the reason and, if one was found, a fix are given",
    "open": "a guarantee of the base that is neither proved nor refuted under the house rule",
    "up": "a player is up by the tricks taken beyond their target in the previous deal; the variable is `over`",
    "down": "a player is down by the tricks by which they missed their target in the previous deal; the variable is `over`, below 0",
    "up or down": "each player's tricks minus their target, above or below 0; the variable is `over`",
    "seat": "a place at the table, named from the dealer clockwise: Left, then Opposite or Right; rules say `left of dealer`",
    "ci": "confidence interval: 95 of 100 such intervals contain the figure for endless play",
    "overtricks": "a player's tricks minus their target; undertricks count below 0; the variable is `over`",
    "undertricks": "the tricks by which a player missed their target; the variable is `over`, below 0, and the rule `under`",
    "result": "what a deal brings a player, usually tricks minus target; the variable is `over`",
    "giver": "a player who gives cards in the exchange, usually one who was up in the previous deal; `exchange-order` says who gives, and `to-give` how many cards",
    "receiver": "a player who is given cards in the exchange, usually one who was down in the previous deal; `exchange-returns` says what goes back to the giver",
    "discard": "to put cards from the hand out of play; in rules, the move `discards` and the zone `discards`",
    "box": "what some documents call the kitty; in rules, the zone `kitty`",
    "counterexample": "a deal, or a match from its start, that shows that a claim is false; `--save-witness` saves it, and `replay` shows it",
    "base": "the ruleset that a house rule changes, named by `extends`",
    "policy": "how the players of a simulation decide: `random`, `greedy` or `search:N`",
    "sd": "the standard deviation",
    "guarantee": "a claim that is proved or tested for the base of a house rule",
    "preserved": "a guarantee of the base that holds under the house rule as well",
    "violated": "a guarantee of the base that is refuted under the house rule",
    "less certain": "a guarantee that is shown less certainly than for the base, such as tested instead of proved",
    "more certain": "a guarantee that is shown more certainly than for the base, such as proved instead of tested",
    "newly holds": "a claim that is proved under the house rule but does not hold for the base",
    "no longer applicable": "a guarantee about vocabulary that the house rule no longer uses",
    "deals": COUNTED,
    "pp": "percentage points: the difference of two shares, such as 30% and 28%, which is 2 pp",
    "encoded": "a rule, or a field of the ruleset, cites the statement",
    "contradicted": "a rule or a worked example contradicts the statement, and the ruleset says so",
    "uncovered": "no rule and no example cites the statement",
    "static": "method: read off the rules as they are written",
    "enumeration": "method: every case was evaluated, one after the other",
    "smt": "method: the solver decided it for all deals and choices at once",
    "induction": "method: the solver decided it for the beginning, and for every further step",
    "simulation": "a method of checking: playing random deals",
}
"""What other commands conclude, and how a verdict was reached."""

WARNINGS: Mapping[str, str] = {
    "never-set": "warning: a rule of the base sets a variable that the house rule still reads; nothing sets it any more",
    "never-used": "warning: a rule sets a suit, such as trumps, and no rule uses it",
    "amounts-off-convention": "warning: by agreement, gifts differ from what the previous deal calls for; `check`, which does not know of the agreement, refutes `exchange-balanced`",
    "shows-for-nothing": "warning: a player shows cards, and no rule uses what was shown",
    "choice-without-effect": "warning: no rule depends on what a player has chosen, or there is only one option",
    "end-not-monotone": "warning: a number, such as of tricks, ends the match, but a larger one does not",
    "end-and-winner": "warning: the player whose tricks end the match might not win it",
    "no-text": "warning: a rule has no `rule:`, so it changes nothing: the text of the base stays",
    "shows-from-elsewhere": "warning: a player may have to show cards that another player holds",
    "read-too-early": "warning: a rule reads a count of the deal before anything is counted",
    "may-revoke": "warning: a player who holds a card of the suit led may play another",
}
"""What `validate` warns of, though it accepts the house rule."""

POLICIES: Mapping[str, str] = {
    "random": "every player chooses among the legal moves at random",
    "greedy": "every player takes tricks as cheaply as possible (up to the target, if more tricks gain nothing), looks no further than the current trick, and bids by high cards and trumps",
    "search": "at every decision a player tries its moves in N trial deals that fit what the player has seen, each of which plays one move and then the deal to its end, and takes the best; written `search:N`, such as `search:50`",
}
"""How the players of a simulation decide."""

FAILURES: Mapping[str, str] = {
    kind: f"a rule fails: {what}" for kind, what in FAULTS.items() if kind not in VERDICTS
}
"""How rules fail at run time."""

WORDS: Mapping[str, str] = {**VERDICTS, **OTHERS, **WARNINGS, **FAILURES}
