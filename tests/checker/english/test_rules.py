"""Rule text in plain words: one table of rules and what a card player reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from budget import RUN, slow_but
from checker.english.house_rule import LIBRARY, words_of
from checker.rulesets_for_tests import house
from trickproof.english.referents import LATELY, MARK
from trickproof.english.rules import Words, compact, sentence
from trickproof.support.bundled import ruleset_folder
from trickproof_dsl.library import Library

WORDED = [*LIBRARY.ruleset_paths(), "draw-two", "forty-in-pairs", "lowest-takes"]
"""Loaded once: rulesets do not change."""

# (rule, its text, what it reads like); the rules are put over `pagat`, whose standard names they use.
PROCEDURES = [
    (
        "trump",
        "dealer draws 1 card of hand of left of dealer blindly",
        "The dealer draws a card from the hand of the player to the dealer's left, without looking.",
    ),
    (
        "kitty",
        "for taker in players with the lowest over:\n    taker discards 4 cards of hand\n    taker picks-up kitty",
        "For each player with the lowest result in the previous deal (the taker): the taker discards 4 cards from hand; then "
        "the taker picks up the kitty.",
    ),
    (
        "kitty",
        "dealer picks-up up to 2 cards of kitty",
        "The dealer picks up at most 2 cards from the kitty, after looking at all of it.",
    ),
    (
        "trump",
        "dealer chooses trump with trump != hearts",
        "The dealer chooses the trump suit, but not hearts.",
    ),
    ("targets", "target of dealer becomes 8", "The dealer's target is 8."),
    (
        "scoring",
        """\
        for p in players:
            score of p becomes score of p - under of p
            over of p becomes tricks of p - target of p
            score of p becomes score of p - larger(over of p, under of p)
        """,
        "For each player: the number of tricks that player was down in the previous deal is taken from their score; "
        "then their result is their tricks minus their target; "
        "then the larger of their result and the number of tricks that player is down is taken from their score.",
    ),
    (
        "scoring",
        """\
        for p in players:
            score of p becomes score of p + tricks of p
        """,
        "Each player's tricks are added to their score.",
    ),
    (
        "scoring",
        """\
        if (sum of score for players - 3) mod 26 = 0:
            target of dealer becomes 8
        """,
        "If (the sum of all players' scores) minus 3 is a multiple of 26, the dealer's target is 8.",
    ),
    (
        "kitty",
        "dealer discards (1 * over of left of dealer) cards of hand",
        "The dealer discards as many cards from hand as the player to the dealer's left was up in the previous deal.",
    ),
    (
        "scoring",
        "score of dealer becomes if tricks of dealer > 3 then 1 * target of dealer else -10 * target of dealer",
        "If the dealer has taken more than 3 tricks, the dealer's score becomes the dealer's target; "
        "otherwise minus 10 times the dealer's target.",
    ),
    (
        "scoring",
        """\
        for p in players:
            score of p becomes (score of p + tricks of p) mod 10
        """,
        "For each player: their tricks are added to their score, "
        "and only the remainder after division by 10 is kept.",
    ),
    (
        "scoring",
        "score of dealer becomes (5 + tricks of dealer) mod (3 + 2 * target of dealer)",
        "The dealer's score becomes the remainder when 5 plus the dealer's tricks is divided by "
        "(3 plus twice the dealer's target).",
    ),
    (
        "scoring",
        "score of dealer becomes 10 + 5 * tricks of dealer - 2 * target of dealer",
        "The dealer's score becomes 10 plus (5 times the dealer's tricks) minus twice the dealer's target.",
    ),
    (
        "targets",
        "if first-hand or some player has tricks > 3:\n    target of dealer becomes 8",
        "If it is the first deal or any player has taken more than 3 tricks, the dealer's target is 8.",
    ),
    (
        "targets",
        "target of left of dealer becomes 5",
        "The target of the player to the dealer's left is 5.",
    ),
    (
        "deal",
        """\
        for p in players, clockwise from left of dealer:
            deal 16 cards to hand of p
        deal the rest to kitty
        """,
        "Deal 16 cards to each player, clockwise from the player to the dealer's left. "
        "The remaining cards form the kitty.",
    ),
    (
        "exchange-order",
        """\
        for giver in players with over > 0, highest target first, ties impossible:
            do exchange-amounts of giver
            for taker in players with over < 0, clockwise from giver:
                do exchange-returns(giver, taker)
        """,
        "For each player who was up in the previous deal (the giver), highest target first: the giver passes cards; "
        "then for each player who was down (the receiver), clockwise from the giver: "
        "the receiver returns cards to the giver.",
    ),
    (
        "exchange-order",
        """\
        for giver in players with over > 0, highest over first, then clockwise from dealer:
            do exchange-amounts of giver
        """,
        "For each player who was up in the previous deal (the giver), most tricks up first, "
        "then clockwise from the dealer: the giver passes cards.",
    ),
    (
        "exchange-order",
        """\
        for giver in players with over > 0, highest target first, ties open:
            do exchange-amounts of giver
        """,
        "For each player who was up in the previous deal (the giver), highest target first, "
        "with the order of ties left open: the giver passes cards.",
    ),
    (
        "exchange-amounts",
        """\
        for taker in players with over < 0, clockwise from giver:
            giver gives (if number of players with over > 0 = 1 then under of taker else over of giver)
                    cards of hand to taker as gift(giver, taker)
        """,
        "For each player who was down in the previous deal (the receiver), clockwise from the giver: the giver gives "
        "as many cards from hand to the receiver as the receiver was down if exactly one player was up, "
        "otherwise as many as the giver was up.",
    ),
    (
        "exchange-returns",
        "taker returns highest of hand matching gift(giver, taker) to giver as returned(taker, giver)",
        "The receiver returns to the giver the highest cards in hand, in each suit as many as the giver gave the receiver.",
    ),
    ("kitty", "dealer discards 4 cards of hand", "The dealer discards 4 cards from hand."),
    (
        "kitty",
        "dealer discards 4 cards of hand with rank < king",
        "The dealer discards 4 cards from hand that rank lower than a king.",
    ),
    (
        "kitty",
        "dealer discards 4 cards of hand with followed-suit != trump",
        "The dealer discards 4 cards from hand that are not trumps.",
    ),
    (
        "kitty",
        "for p in players, simultaneously:\n    p discards 1 card of hand",
        "Each player discards a card from hand, all at the same time.",
    ),
    (
        "kitty",
        "dealer discards 1 card of hand blindly",
        "The dealer discards a card from hand, without looking.",
    ),
    (
        "kitty",
        "dealer discards up to 4 cards of hand with suit != trump",
        "The dealer discards up to 4 cards from hand that are not trumps.",
    ),
    (
        "kitty",
        "dealer discards any number of cards of hand",
        "The dealer discards any number of cards from hand.",
    ),
    ("kitty", "dealer picks-up kitty as picked-up", "The dealer picks up the kitty."),
    (
        "kitty",
        """\
        do trump
        do reveal
        """,
        "Trump is chosen. Then cards are revealed as required.",
    ),
    ("exchange-timing", "nothing happens", "Nothing happens."),
    ("trump", "dealer chooses trump", "The dealer chooses the trump suit."),
    (
        "reveal",
        """\
        for giver in players other than dealer, clockwise from left of dealer:
            dealer shows cards c in picked-up with some card back in returned(dealer, giver) has
                (suit of c = suit of back and rank of c > rank of back) to giver
        """,
        "For each player other than the dealer (the giver), clockwise from the player to the dealer's left: "
        "the dealer shows the giver every card picked up that ranks higher than some card of the same suit "
        "the dealer returned to the giver.",
    ),
    (
        "scoring",
        """\
        for p in players:
            over of p becomes tricks of p - target of p
        """,
        "Each player's result is their tricks minus their target.",
    ),
    (
        "scoring",
        """\
        for p in players:
            over of p becomes tricks of p - target of p
            score of p becomes score of p + over of p
        """,
        "For each player: their result is their tricks minus their target; then their result is added to their score.",
    ),
    (
        "scoring",
        """\
        if first-hand:
            score of dealer becomes 0
        else if trump = hearts:
            score of dealer becomes 1
        else:
            score of dealer becomes 2
        """,
        "In the first deal, the dealer's score becomes 0; otherwise, if the trump suit is hearts, the dealer's score becomes 1; "
        "otherwise, the dealer's score becomes 2.",
    ),
    (
        "scoring",
        """\
        for p in dealer + left of dealer:
            score of p becomes score of p + 2 * tricks of p
        """,
        "For each of the dealer and the player to the dealer's left: twice their tricks are added to their score.",
    ),
    (
        "scoring",
        """\
        if first-hand:
            if trump = hearts:
                score of dealer becomes 0
            else:
                score of dealer becomes 2
        """,
        "In the first deal: if the trump suit is hearts, the dealer's score becomes 0; otherwise, the dealer's score becomes 2.",
    ),
    (
        "scoring",
        """\
        repeat until some player has score >= 3, at most 5 times:
            score of dealer becomes score of dealer + 1
        """,
        "Until some player's score is 3 or more, repeat (at most 5 times): the dealer's score goes up by 1.",
    ),
]

VALUES = [
    ("lead", "left of dealer", "The player to the dealer's left."),
    ("lead", "right of left of dealer", "The dealer."),
    ("end", "some player has tricks >= 12", "Some player has taken 12 or more tricks."),
    ("end", "some player has tricks > target", "Some player has taken more tricks than their target."),
    ("end", "every player has over = 0", "Every player is exactly on target."),
    ("end", "no player has over < -3", "No player is more than 3 down."),
    ("end", "some player has score >= 15 or some player has score <= -15", "Some player's score is 15 or more, or some player's score is -15 or less."),
    ("end", "some player has (over > 0 and tricks >= 9)", "Some player is up and has taken 9 or more tricks."),
    ("end", "number of players with over > 0 = 2", "Exactly two players are up."),
    ("end", "number of hand of dealer < 2", "The dealer has fewer than two cards in hand."),
    ("end", "kitty is empty", "There are no cards in the kitty."),
    ("end", "tricks of dealer mod 2 = 1", "The dealer has taken an odd number of tricks."),
    ("end", "number of players with tricks mod 2 = 0 = 2", "Exactly two players have taken an even number of tricks."),
    ("end", "some player has tricks mod 3 != 0", "Some player has taken a number of tricks that is not a multiple of 3."),
    ("end", "score of dealer mod 2 = 1", "The dealer's score is odd."),
    ("end", "(tricks of dealer + 1) mod 2 = 0", "The dealer's tricks plus 1 are even."),
    ("end", "not first-hand and trump != none", "It is not the first deal and there is a trump suit."),
    ("end", "(trump = none) = (kitty is empty)", "There is no trump suit if and only if there are no cards in the kitty."),
    ("end", "(trump = none) != (kitty is empty)",
     "Either there is no trump suit or there are no cards in the kitty, but not both."),
    ("end", "(trump = none and kitty is empty) = (first-hand)",
     "(There is no trump suit and there are no cards in the kitty) if and only if it is the first deal."),
    ("end", "sum of score for players = 0", "The sum of all players' scores is 0."),
    ("end", "sum of score of p for players p other than dealer = 0",
     "The sum of the scores of the players other than the dealer is 0."),
    ("end", "sum of (2 * score) for players = 0", "The sum, over all players, of twice the player's score is 0."),
    ("kitty", "dealer discards 4 cards of hand with (suit != trump and rank < king)",
     "The dealer discards 4 cards from hand that are not trumps and rank lower than a king."),
    ("end", "every player has tricks = 0", "No player has taken any tricks."),
    ("end", "some player has tricks = 0", "Some player has taken no tricks."),
    ("end", "number of (kitty + discards) = 2", "There are exactly two cards in the kitty and the discards."),
    ("end", "highest score among players >= 10", "The highest score among the players is 10 or more."),
    ("winner", "players with tricks >= 12", "Whoever has taken 12 or more tricks."),
    ("winner", "players with score >= 10", "All players whose score is 10 or more."),
    ("winner", "players with the highest score", "Whoever has the highest score."),
    ("end", "no player has (over > 0 and tricks > 0)", "No player who is up has taken any tricks."),
    (
        "end",
        "no player has (tricks = 0 and not (player = dealer))",
        "There is no player who has taken no tricks and is not the dealer.",
    ),
    ("end", "some player has tricks >= 16", "Some player has taken 16 tricks."),
    ("end", "some player has tricks >= 15", "Some player has taken 15 or more tricks."),
    ("end", "some player has tricks = 16", "Some player has taken exactly 16 tricks."),
    ("winner", "players with the highest tricks", "Whoever has taken the most tricks."),
    ("winner", "players with the lowest tricks", "Whoever has taken the fewest tricks."),
    ("next-dealer", "if number of (players with the lowest tricks) = 1 then only player in players with the lowest tricks else left of dealer",
     "If there is exactly one player with the fewest tricks, whoever has taken the fewest tricks; otherwise the player to the dealer's left."),
    ("trick-winner", "players with the highest rank of played among players with suit of played = (if some player has suit of played = trump then trump else led)",
     "Whoever played the highest card of the trump suit if some player played a trump, otherwise of the suit led."),
    ("follow", "cards in hand with followed-suit != led", "Any card in hand that does not follow the suit led."),
    ("winner", "players other than dealer", "The players other than the dealer."),
    (
        "follow",
        "if some card in hand has followed-suit = led then cards in hand with followed-suit = led else hand",
        "Any card in hand that follows the suit led, if there is one; otherwise any card in hand.",
    ),
    ("may-lead", "if 2C in hand then cards in hand with card = 2C else hand",
     "If the two of clubs is in hand, the two of clubs; otherwise any card in hand."),
    ("may-lead", "cards in kitty with card = 2C", "Any card in the kitty that is the two of clubs."),
    ("follow", "cards in hand with suit = hearts", "Any heart in hand."),
    ("follow", "cards in hand with suit = led", "Any card in hand of the suit led."),
    ("follow", "cards in hand with rank = ace", "Any ace in hand."),
    ("follow", "cards in hand with suit != hearts", "Any card in hand that is not a heart."),
    ("follow", "hand - (AC + AD + AH)", "The player's hand without the ace of clubs, the ace of diamonds and the ace of hearts."),
    ("end", "gift(dealer, left of dealer) is empty", "The dealer gave the player to the dealer's left no cards."),
    ("end", "number of gift(dealer, left of dealer) > 1",
     "The dealer gave the player to the dealer's left more than one card."),
    ("follow", "cards in hand with (suit = hearts or rank = queen)", "Any card in hand that is a heart or a queen."),
    ("follow", "top 3 of hand by rank", "Any of the 3 highest cards in hand."),
    (
        "next-dealer",
        "only player in bottom 1 of players with over < 0 by over",
        "The one with the lowest result of the players who are down (of equals, the first by seat).",
    ),
    (
        "next-dealer",
        "only player in bottom 1 of players by tricks",
        "The one with the fewest tricks of all players (of equals, the first by seat).",
    ),
    (
        "next-dealer",
        "only player in top 1 of players by tricks",
        "The one with the most tricks of all players (of equals, the first by seat).",
    ),
    ("trump", "dealer shows kitty to dealer", "The dealer looks at the kitty."),
    (
        "trump",
        "trump becomes suit of only card in bottom 1 of kitty by rank",
        "The suit of the lowest card in the kitty (of equals, the first by suit) becomes trumps.",
    ),
    ("follow", "cards with the highest rank among cards in hand with suit = led", "The highest card in hand of the suit led."),
    (
        "trick-winner",
        """\
        if some player has suit of played = trump
        then players with the highest rank of played among players with suit of played = trump
        else players with the highest rank of played among players with suit of played = led
        """,
        "If any player played a trump, whoever played the highest trump; "
        "otherwise whoever played the highest card of the suit led.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "text", "words"), PROCEDURES + VALUES)
def test_rule_inwords_of(rule: str, text: str, words: str) -> None:
    assert compact(words_of(rule, text).rule(rule)[0].steps) == words


STATE = """
state:
  barred: {type: boolean, of: player}
  passed: {type: boolean, of: player}
  trick-points: {type: integer, of: player}
  trick-share: {type: integer, of: player}
  round-on: {type: boolean}
  hands-left: {type: integer}
  drawn: {type: card}
  last-trump: {type: suit}
  loot: {type: cards}
  won-by: {type: player}
zones:
  upturned: {seen-by: everyone}
"""
HELPERS = """
  way-from-dealer:
    of: player p
    rule: if p = dealer then 0 else tricks of p
    assumes: x
  drawings:
    of: player p
    rule: p discards 1 card of hand
    gives: nothing
    assumes: x
  foremost:
    rule: players with the highest score among players with score >= 15
    assumes: x
  round-length:
    rule: larger(target of dealer, 1)
    assumes: x
  caller:
    rule: right of dealer
    assumes: x
  owed:
    of: [player giver, player taker]
    rule: smaller(score of giver, -score of taker)
    assumes: x
  rate:
    of: [player payer, player payee, integer n]
    rule: n * tricks of payer + score of payee
    assumes: x
  aces:
    of: player p
    rule: cards in hand with rank = ace
    assumes: x
  may-give:
    of: player p
    rule: hand of p - AS
    assumes: x
  pick:
    of: [player p, integer n]
    rule: top n of hand of p by rank
    assumes: x
  beats:
    of: [card mine, card theirs]
    rule: suit of mine = suit of theirs and rank of mine > rank of theirs or suit of mine = trump
    assumes: x
  is-high:
    of: card c
    rule: rank of c > ten and (suit of c = trump or suit of c = hearts) and c != QS
    assumes: x
  higher:
    of: [cards mine, cards theirs]
    rule: cards c in mine with (is-high of c and every card d in theirs has rank of d < rank of c)
    assumes: x
"""
# (rule, its text, what it reads like on a rule sheet); the rules are put over `pagat` with STATE and HELPERS.
OWNERS = [
    (
        "kitty",
        "for q in players, clockwise from left of dealer:\n    dealer draws 1 card of hand of q blindly",
        "For each player, clockwise from the player to the dealer's left: "
        "the dealer draws a card from that player's hand, without looking.",
    ),
    (
        "exchange-amounts",
        "for q in players with score < 0:\n    giver draws 1 card of hand of q with suit = trump blindly",
        "For each player whose score is less than 0: "
        "the giver draws a card from that player's hand, without looking (a card that is a trump).",
    ),
    (
        "kitty",
        "for p in players:\n    p draws 1 card of hand of left of p blindly",
        "Each player draws a card from the hand of the player to their left, without looking.",
    ),
    (
        "scoring",
        "for p in players:\n    for q in players other than p:\n        score of p becomes score of p + score of q",
        "For each player (player p): for each player other than player p: that player's score is added to player p's score.",
    ),
    (
        "scoring",
        "for p in players:\n    score of p becomes score of p + number of players q with score of q > score of p",
        "For each player: the number of players whose score is more than that player's score "
        "is added to that player's score.",
    ),
    (
        "kitty",
        "dealer gives 1 card of hand with card != drawn to left of dealer as drawn",
        "The dealer gives to the player to the dealer's left a card from hand that is not the drawn card "
        "(the drawn card).",
    ),
    (
        "end",
        "some player has (AS in hand and score > 3)",
        "The match ends when there is a player who holds the ace of spades and whose score is more than 3.",
    ),
    ("end", "number of kitty != 1", "The match ends when there is not exactly one card in the kitty."),
    (
        "end",
        "score of dealer = score of left of dealer",
        "The match ends when the dealer's score equals the score of the player to the dealer's left.",
    ),
    (
        "end",
        "number of hand of dealer != 4",
        "The match ends when the dealer has not exactly four cards in hand.",
    ),
    ("end", "aces of dealer is empty", "The match ends when the dealer has no aces."),
    (
        "end",
        "every player has number of hand = 2",
        "The match ends when every player has exactly two cards in hand.",
    ),
]
CHAINS = [
    (
        "first-hand or (trump = none and passed of dealer)",
        "The match ends when either it is the first deal, or both there is no trump suit and the dealer has passed.",
    ),
    (
        "(first-hand or trump = none) and passed of dealer",
        "The match ends when the dealer has passed, and either it is the first deal or there is no trump suit.",
    ),
    (
        "not (first-hand and passed of dealer)",
        "The match ends when it is not the first deal or the dealer has not passed.",
    ),
    (
        "(first-hand and trump = none) or (round-on and passed of dealer)",
        "The match ends when either both it is the first deal and there is no trump suit, "
        "or both “round on” applies and the dealer has passed.",
    ),
    (
        "some player has (tricks > 3 and (over > 0 or tricks = 0))",
        "The match ends when a player has taken more than 3 tricks and is either up or has taken no tricks.",
    ),
    (
        "first-hand and round-on and passed of dealer",
        "The match ends when it is the first deal, “round on” applies, and the dealer has passed.",
    ),
    (
        "hands-left >= 1 and hands-left <= 9",
        "The match ends when the number of hands left is from 1 to 9.",
    ),
    (
        "first-hand or hands-left >= 1 and hands-left != target of dealer",
        "The match ends when either it is the first deal, or both the number of hands left is 1 or more and "
        "the number of hands left differs from the dealer's target.",
    ),
    (
        "first-hand or hands-left >= 1 and hands-left <= 9",
        "The match ends when either it is the first deal or the number of hands left is from 1 to 9.",
    ),
    (
        "first-hand and (hands-left >= 5 or round-on) and passed of dealer",
        "The match ends when it is the first deal, and the dealer has passed, and "
        "either the number of hands left is 5 or more or “round on” applies.",
    ),
    ("trick-points of dealer < 4", "The match ends when the dealer's trick points are fewer than 4."),
    ("trick-points of dealer <= 4", "The match ends when the dealer's trick points are 4 or fewer."),
]
SENTENCES = [
    (
        "winner",
        "players with (score >= 20 and score >= score of left of player + 2)",
        "The match is won by every player whose score is 20 or more and at least 2 more than the score of the player "
        "to their left.",
    ),
    (
        "scoring",
        "score of dealer becomes way-from-dealer of left of leader",
        "The dealer's score becomes the way of the player to the leader's left from the dealer.",
    ),
    (
        "trump",
        "dealer chooses hands-left from 0 to 9 with "
        "(hands-left = 0 or hands-left > 3 and hands-left <= tricks of dealer)",
        "The dealer chooses the number of hands left from 0 to 9, which must be either 0, "
        "or both more than 3 and at most the dealer's tricks.",
    ),
    (
        "trump",
        "dealer chooses hands-left from 0 to 9 with (hands-left = 0 or tricks of dealer = 0)",
        "The dealer chooses the number of hands left from 0 to 9, such that the number of hands left is 0 "
        "or the dealer has taken no tricks.",
    ),
    (
        "exchange-returns",
        "taker returns pick(taker, 2) from hand of taker to giver",
        "The receiver returns to the giver, from hand, the receiver's pick cards (n = 2).",
    ),
    (
        "end",
        "every player in (players with tricks > 0) has player in (players with the highest score)",
        "The match ends when every player who has taken at least one trick is among the players with the highest score.",
    ),
    (
        "end",
        "tricks of dealer + target of left of dealer = 13",
        "The match ends when the dealer's tricks and the target of the player to the dealer's left add up to 13.",
    ),
    ("trump", "trump becomes last-trump", "The trump suit is set to the last trump."),
    ("trump", "last-trump becomes trump", "The last trump is set to the trump suit."),
    (
        "targets",
        "for p in players:\n    barred of p becomes tricks of p = 0 or passed of p",
        "From now on each player is barred if and only if they have taken no tricks or have passed.",
    ),
    ("trump", "do drawings of dealer", "The drawings for the dealer follow."),
    (
        "end",
        "some player p has (some card in tricks-taken of p has suit = trump) or passed of dealer",
        "The match ends when a player's pile of tricks contains a trump or the dealer has passed.",
    ),
    (
        "end",
        "some player p has (QS in tricks-taken of p and number of cards in tricks-taken of p with suit = hearts = 13)",
        "The match ends when there is a player whose pile of tricks contains the queen of spades and whose "
        "pile of tricks contains exactly 13 hearts.",
    ),
    (
        "end",
        "score of dealer != score of left of dealer",
        "The match ends when the dealer's score differs from the score of the player to the dealer's left.",
    ),
    ("next-dealer", "only player in players with AS in hand", "The next dealer is the player who holds the ace of spades."),
    (
        "next-dealer",
        "only player in players other than dealer with barred",
        "The next dealer is the only player other than the dealer who is barred.",
    ),
    (
        "winner",
        "if foremost is not empty then foremost else dealer",
        "If there are foremost players, the match is won by the foremost players; otherwise by the dealer.",
    ),
    (
        "end",
        "if round-on then hands-left = 0 else some player has score >= 10",
        "If “round on” applies, the match ends when the number of hands left is 0; "
        "otherwise when a player's score is 10 or more.",
    ),
    (
        "trump",
        "dealer chooses trump from suits or none\nbarred of dealer becomes trump = none",
        "The dealer chooses the trump suit from all suits or none. "
        "From now on the dealer is barred if and only if there is no trump suit.",
    ),
    ("scoring", "round-on becomes true", "From now on “round on” applies."),
    ("payout", "nothing happens", "Nothing is paid."),
    (
        "end",
        "no player has (barred and score > 3)",
        "The match ends when there is no player who is barred and whose score is more than 3.",
    ),
    ("end", "some player has (not barred)", "The match ends when a player is not barred."),
    ("end", "number of winner > 1", "The match ends when there is more than one winner."),
    ("end", "dealer in foremost", "The match ends when the dealer is among the foremost players."),
    ("targets", "target of right of caller becomes 3", "The target of the player to the dealer's left is 3."),
    ("targets", "hands-left becomes round-length", "The number of hands left becomes the round length."),
    ("scoring", "won-by becomes dealer", "The dealer becomes the won-by player."),
    (
        "kitty",
        "dealer discards owed(dealer, left of dealer) cards of hand",
        "The dealer discards as many cards from hand as the number owed (with the dealer as the giver and the player "
        "to the dealer's left as the receiver).",
    ),
    (
        "exchange-returns",
        "taker returns owed(giver, taker) cards of aces of taker to giver",
        "The receiver returns as many cards from the receiver's aces to the giver as the number owed for the giver and "
        "the receiver.",
    ),
    (
        "exchange-returns",
        "taker returns number of gift(giver, taker) cards of hand to giver",
        "The receiver returns as many cards from hand to the giver as the giver gave the receiver.",
    ),
    ("kitty", "dealer discards number of trick cards of hand", "The dealer discards as many cards from hand as there are cards in the trick."),
    ("kitty", "dealer discards pick(dealer, 2) from hand", "The dealer discards the dealer's pick cards (n = 2) from hand."),
    (
        "follow",
        "cards mine in hand with (every card theirs in trick has beats(mine, theirs))",
        "A player who follows may play any card in hand such that it beats every card in the trick.",
    ),
    ("follow", "aces of p", "A player who follows may play any of the player's aces."),
    ("foremost", None, "The foremost players: whoever has the highest score among the players whose score is 15 or more."),
    ("owed", None, "The number owed for two players, the giver and the receiver: the smaller of the giver's score and "
     "minus the receiver's score."),
    ("aces", None, "The aces of a player: all aces in hand."),
    (
        "beats",
        None,
        "The card “mine” beats the card “theirs” when either the card “mine” is a trump, or both the card “mine” is "
        "of the same suit as the card “theirs” and the card “mine” ranks higher than the card “theirs”.",
    ),
    ("may-give", None, "The cards a player may give: the player's hand without the ace of spades."),
    ("kitty", "dealer gives 1 card of may-give of dealer to left of dealer",
     "The dealer gives to the player to the dealer's left 1 of the cards the dealer may give."),
    ("under", "-score of p", "The number of tricks a player is down: minus the player's score."),
    ("round-length", None, "The round length: the larger of the dealer's target and 1."),
    # sums are said as they are added up
    ("scoring", "score of dealer becomes score of dealer + 10 + tricks of dealer",
     "10 plus the dealer's tricks is added to the dealer's score."),
    ("scoring", "score of dealer becomes score of dealer - 10 + tricks of dealer",
     "10 minus the dealer's tricks is taken from the dealer's score."),
    ("scoring", "score of dealer becomes 2 + 3 * hands-left - 1 * (hands-left + 1)",
     "The dealer's score becomes 2 plus (3 times the number of hands left) minus (the number of hands left plus 1)."),
    ("scoring", "score of dealer becomes target of dealer + tricks of dealer + 1",
     "The dealer's score becomes the dealer's target plus the dealer's tricks plus 1."),
    ("scoring", "score of dealer becomes target of left of dealer + tricks of dealer - over of dealer",
     "The dealer's score becomes the target of the player to the dealer's left, plus the dealer's tricks, minus the dealer's result."),
    ("scoring", "score of dealer becomes target of dealer - (tricks of dealer + over of dealer) - 1",
     "The dealer's score becomes the dealer's target minus (the dealer's tricks plus the dealer's result) minus 1."),
    ("scoring", "score of dealer becomes 10 * (tricks of dealer div 3)",
     "The dealer's score becomes 10 times (the dealer's tricks divided by 3, rounded down)."),
    ("scoring", "for p in players:\n    score of p becomes score of p + tricks of p", "Each player's tricks are added to their score."),
    ("kitty", "loot becomes hand of dealer + kitty + discards",
     "The loot cards become the dealer's hand together with the kitty and the discards."),
    # cards that a deal puts into a zone of cards
    ("deal", "deal 1 card to upturned", "Deal 1 card face up as the upturned card."),
    ("deal", "deal 2 cards to upturned", "Deal 2 cards face up as the upturned cards."),
    ("deal", "deal 4 cards to kitty", "Deal 4 cards to the kitty."),
    # what players answer about themselves
    ("trump", "dealer chooses passed of dealer", "The dealer decides whether they have passed."),
    ("trump", "dealer chooses barred of dealer", "The dealer decides whether they are barred."),
    ("trump", "dealer chooses barred of left of dealer", "The dealer chooses “barred” or not."),
    ("trump", "dealer chooses round-on", "The dealer chooses “round on” or not."),
    # many of them
    ("higher", None, "The higher cards of cards “mine” and cards “theirs”: all cards in “mine” that are high "
     "and such that every card in “theirs” ranks lower than the card."),
    ("kitty", "dealer discards cards c in hand of dealer with no card d in hand of dealer has (suit of d = suit of c and rank of d > rank of c) from hand",
     "The dealer discards the cards in hand that no card in hand of the same suit outranks from hand."),
    ("trick-winner", "players with played = AS", "The trick is won by whoever played the ace of spades."),
    ("trick-winner", "players with the highest rank of played among players with (played != none and suit of played = trump)",
     "The trick is won by whoever played the highest trump among the players who have played a card."),
    ("winner", "players with the highest trick-points", "The match is won by whoever has the most trick points."),
    ("winner", "players with the lowest trick-share", "The match is won by whoever has the smallest trick share."),
    ("winner", "players in foremost with score > 20", "The match is won by the foremost players whose score is more than 20."),
    ("scoring", "score of dealer becomes larger(score of dealer, 0) + 1",
     "The dealer's score becomes the larger of the dealer's score and 0, plus 1."),
    ("scoring", "score of dealer becomes tricks of left of dealer + sum of tricks for players",
     "The dealer's score becomes the tricks of the player to the dealer's left plus the sum of all players' tricks."),
    ("scoring", "score of dealer becomes sum of number of gift(dealer, p) for players p",
     "The dealer's score becomes the total number of cards the dealer gave any player."),
    ("scoring", "score of dealer becomes 1 + target of dealer + (if first-hand then 1 else 0) + (if round-on then 2 else 0)",
     "The dealer's score becomes 1, plus the dealer's target, plus 1 if it is the first deal, plus 2 if “round on” applies."),
    ("scoring", "score of dealer becomes tricks of left of dealer + (if first-hand then 1 else 0)",
     "The dealer's score becomes the tricks of the player to the dealer's left, plus 1 if it is the first deal."),
    ("scoring", "score of dealer becomes tricks of left of dealer + (if first-hand then 1 else 2)",
     "The dealer's score becomes the tricks of the player to the dealer's left plus (1 if it is the first deal, otherwise 2)."),
    ("scoring", "score of dealer becomes sum of number of (players q with score of q > score of payer) for players payer with score > 2",
     "The dealer's score becomes the sum, over each player whose score is more than 2 (the payer), of the number of "
     "players whose score is more than the payer's score."),
    ("scoring", "for n in 1 to 3:\n    score of dealer becomes n", "For each whole number n from 1 to 3: the dealer's score becomes n."),
    ("scoring", "score of dealer becomes rate(dealer, leader, 2)", "The dealer's score becomes the dealer's rate for the leader (n = 2)."),
    ("pick", None, "The pick cards of a player and a number n: the n highest cards in hand."),
    ("trick", "leader becomes left of dealer\ntricks of leader becomes tricks of leader + 1\nput trick into tricks-taken of leader",
     "The player to the dealer's left becomes the leader. The leader takes the trick."),
    ("trick", "tricks of leader becomes tricks of leader + 1\nput trick into tricks-taken of dealer",
     "The leader's tricks go up by 1. The trick goes to the dealer's pile of tricks."),
    ("trick", "tricks of leader becomes tricks of leader + 2\nput trick into tricks-taken of leader",
     "The leader's tricks go up by 2. The trick goes to the leader's pile of tricks."),
    ("play", "hand-size becomes number of hand of leader",
     "There are as many tricks in the deal as the leader has cards in hand."),
    ("play", "hand-size becomes number of kitty", "The number of tricks in the deal is the number of cards in the kitty."),
    ("trick", "led becomes suit of played of leader", "The suit led is the suit of the leader's card."),
    ("trump", "trump becomes hearts", "Hearts are trumps."),
    ("trump", "trump becomes none", "There are no trumps."),
    ("trump", "passed of dealer becomes true", "The dealer has passed."),
    ("targets", "for p in players:\n    p chooses hands-left from 0 to 3 with (not barred of p or hands-left != 2)",
     "Each player chooses the number of hands left from 0 to 3, such that they are not barred or "
     "the number of hands left is not 2."),
    ("scoring", "hands-left becomes if round-on then hands-left + 1 else hands-left - 2",
     "If “round on” applies, the number of hands left goes up by 1; otherwise it goes down by 2."),
    ("scoring", "hands-left becomes if round-on then hands-left + 1 else 2",
     "If “round on” applies, the number of hands left becomes the number of hands left plus 1; otherwise 2."),
    ("kitty", "dealer gives between 1 and hands-left cards of hand to left of dealer",
     "The dealer gives cards from hand to the player to the dealer's left, at least 1 and "
     "at most the number of hands left."),
    ("kitty", "dealer gives between 1 and 3 cards of hand to left of dealer",
     "The dealer gives between 1 and 3 cards from hand to the player to the dealer's left."),
    ("scoring", "if first-hand:\n    nothing happens\nelse:\n    do reveal", "In every deal but the first, cards are revealed as required."),
    ("deal", "deal hands-left cards to hand of dealer", "Deal as many cards to the dealer as the current number of hands left."),
    ("scoring", "for p in players with over > 0:\n    score of p becomes score of p + 10 + tricks of p",
     "For each player who was up in the previous deal: 10 plus their tricks is added to their score."),
    ("scoring", "for p in players with over > 0:\n    score of p becomes score of p + 10",
     "The score of each player who was up in the previous deal goes up by 10."),
    ("scoring", "loot becomes union of gift(p, dealer) for players p", "The loot cards become the cards any player gave the dealer."),
    ("scoring", "loot becomes union of hand for players other than dealer",
     "The loot cards become the hands of the players other than the dealer."),
    ("scoring", "trump becomes suit of only card in upturned", "The suit of the upturned card becomes trumps."),
    ("scoring", "trump becomes suit of played of left of dealer",
     "The suit of the card played by the player to the dealer's left becomes trumps."),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "text", "words"), [*OWNERS, *SENTENCES])
def test_sentence_of_a_rule_sheet(rule: str, text: str | None, words: str) -> None:
    made = (
        words_of(rule, text, STATE, HELPERS)
        if text is not None
        else words_of("end", "first-hand", STATE, HELPERS)
    )
    said = compact(made.rule(rule, opened=True)[0].steps)
    assert said == words


@pytest.mark.parametrize(("text", "words"), CHAINS)
def test_what_belongs_together_can_be_heard(text: str, words: str) -> None:
    said = compact(words_of("end", text, STATE).rule("end", opened=True)[0].steps)
    assert said == words


def test_deep_conditions_are_lists_on_a_rule_sheet_and_have_brackets_in_a_table() -> None:
    words = words_of("end", "first-hand or trump = none and (passed of dealer or round-on)", STATE)
    (listed,), (flat,) = words.rule("end", opened=True), words.rule("end", expand=True)
    step = listed.steps[0]
    assert step.text == "the match ends when one of these holds"
    assert [x.text for x in step.steps] == ["it is the first deal", "all of these hold"]
    assert [x.text for x in step.steps[1].steps] == [
        "there is no trump suit",
        "the dealer has passed or “round on” applies",
    ]
    assert compact(flat.steps) == (
        "Either it is the first deal, or (there is no trump suit, and either the dealer has passed or "
        "“round on” applies)."
    )


def test_up_is_in_tricks_only_where_the_rules_count_so() -> None:
    text = "for p in players with over > 0, highest over first, ties open:\n    dealer discards over of p cards of hand"
    counted = words_of("exchange-order", text)
    other = words_of(
        "exchange-order", text, rules="  scoring:\n    rule: over of dealer becomes 3\n    assumes: x\n"
    )
    assert counted.counts_from_target()
    assert not other.counts_from_target()
    assert "most tricks up first" in compact(counted.rule("exchange-order")[0].steps)
    assert "furthest up first" in compact(other.rule("exchange-order")[0].steps)


def test_parameters_say_what_may_be_agreed() -> None:
    words = words_of("end", "some player has score >= goal", "parameters: {goal: 10 | 20 | 5}")
    assert (
        compact(words.rule("end")[0].steps)
        == "Some player's score is at least the agreed goal (10, 20 or 5)."
    )


def test_helper_rules_are_expanded_or_sent_for() -> None:
    helper = "  open-up:\n    rule: dealer discards 4 cards of hand\n    assumes: x\n"
    words = words_of("kitty", "do open-up\ndealer picks-up kitty", rules=helper)
    (expanded,), (sent,) = words.rule("kitty", expand=True), words.rule("kitty")
    assert compact(expanded.steps) == "The dealer discards 4 cards from hand. The dealer picks up the kitty."
    assert expanded.inlined == ("open-up",)
    assert compact(sent.steps) == "“Open up” takes place. The dealer picks up the kitty."


def test_a_value_rule_of_the_rulesets_own_is_said_in_full() -> None:
    helper = "  far:\n    of: player p\n    rule: score of p >= 10\n    gives: boolean\n    assumes: x\n"
    words = words_of("end", "some player has far", rules=helper)
    assert compact(words.rule("end")[0].steps) == "Some player's score is 10 or more."


def test_who_was_up_is_of_the_last_hand_only_until_the_hand_is_scored() -> None:
    words = words_of("end", "some player has over >= 6")
    assert compact(words.rule("end")[0].steps) == "Some player is 6 or more up."


def test_rules_with_a_value_open_as_sentences() -> None:
    steps = words_of("end", "some player has tricks >= 12").rule("end", opened=True)[0].steps
    assert sentence(steps[0].text) == "The match ends when a player has taken 12 or more tricks."
    by_case = (
        "if some player has tricks = 16 then players with tricks = 16 else players with the highest tricks"
    )
    (step,) = words_of("winner", by_case).rule("winner", opened=True)[0].steps
    assert sentence(step.text).startswith("If any player has taken")


def test_a_rule_of_the_same_name_as_a_zone_is_reached_only_by_do() -> None:
    words = words_of("exchange-timing", "do trump")
    assert "trump" in words.course.written
    assert "kitty" not in words.course.written


@pytest.mark.parametrize("name", slow_but(("pagat", "weaver-four", "draw-two"), WORDED, RUN))
def test_every_rule_of_every_ruleset_haswords_of(name: str) -> None:
    library = Library([ruleset_folder(), Path(__file__).parents[2] / "cases" / "rulesets"])
    ruleset, wrong = library.load(name)
    assert ruleset is not None, wrong
    words = Words(ruleset.whole)
    for rule in words.course.rules:
        for text in [*words.rule(rule), *words.rule(rule, expand=True)]:
            said = compact(text.steps)
            assert not any(mark in said for mark in (MARK, LATELY, "  ", "None", "Span(", "{", "}")), (
                rule,
                said,
            )


def test_a_condition_that_always_holds_is_not_mentioned() -> None:
    helper = "  never-so:\n    rule: false\n    assumes: x\n"
    words = words_of("trump", "dealer chooses trump from suits with (not never-so)", rules=helper)
    assert (
        compact(words.rule("trump", opened=True)[0].steps)
        == "The dealer chooses the trump suit from all suits."
    )


def test_all_rules_are_gone_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not again for every rule that is put into words: the time would be the square of their number."""
    words = words_of("end", "first-hand", STATE)
    passes: list[object] = []

    def counted(tree: object) -> Iterator[object]:
        passes.append(tree)
        return iter(())

    monkeypatch.setattr("trickproof.english.rules.nodes", counted)
    for name in words.trees:
        words.rule(name)
    assert len(passes) == len(words.course.rules)


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("some card in kitty has suit = trump", "Some card in the kitty is of the trump suit."),
        ("some card in kitty has followed-suit = trump", "Some card in the kitty is a trump."),
        ("some card in kitty has suit = hearts", "Some card in the kitty is a heart."),
        (
            "some card in kitty has followed-suit = hearts",
            "Some card in the kitty is a card that counts as a heart.",
        ),
    ],
)
def test_the_printed_suit_is_another_one_where_cards_may_belong_to_others(condition: str, words: str) -> None:
    rules = f"  shown:\n    rule: {condition}\n    assumes: x\n"
    made = words_of("followed-suit", "if c = JC then trump else suit of c", rules=rules)
    assert compact(made.rule("shown")[0].steps) == words


def test_players_for_whom_a_rule_is_run_take_its_parts() -> None:
    rules = """
  talk:
    of: [player bidder, player hearer]
    rule: bidder gives 1 card of hand to hearer
    gives: nothing
    assumes: x
"""
    words = words_of("trump", "do talk(dealer, if first-hand then leader else left of dealer)", rules=rules)
    assert compact(words.rule("trump")[0].steps) == (
        "The talk takes place, with the dealer as the bidder and (the leader if it is the first deal, "
        "otherwise the player to the dealer's left) as the hearer."
    )


def test_a_letter_for_a_number_stays_small() -> None:
    assert [sentence(text) for text in ("n is 23", "a card", "“n” is it")] == [
        "n is 23.",
        "A card.",
        "“N” is it.",
    ]


def test_a_long_sentence_is_split_at_otherwise() -> None:
    some = "dealer gives hands-left cards of hand with (suit != trump and rank < king) to left of dealer"
    text = f"if round-on and hands-left > tricks of dealer:\n    {some}\nelse:\n    {some}"
    steps = words_of("kitty", text, STATE).rule("kitty")[0].steps
    assert [step.text.partition(",")[0] for step in steps] == [
        "if “round on” applies and the number of hands left is more than the dealer's tricks",
        "otherwise",
    ]


def test_a_long_value_with_several_cases_is_a_list() -> None:
    text = (
        "if some card in hand has suit = led then cards in hand with suit = led else "
        "if hands-left > tricks of dealer and round-on then cards in hand with rank < king else hand"
    )
    words = words_of("follow", text, STATE)
    (listed,), (flat,) = words.rule("follow", opened=True), words.rule("follow", expand=True)
    assert listed.steps[0].text == "a player who follows may play"
    assert [x.text for x in listed.steps[0].steps] == [
        "any card in hand of the suit led, if there is one",
        "otherwise, if the number of hands left is more than the dealer's tricks and “round on” applies: "
        "any card in hand that ranks lower than a king",
        "otherwise: any card in hand",
    ]
    assert not flat.steps[0].steps


def test_a_zone_that_the_deal_gives_a_single_card_is_that_card() -> None:
    def said(dealt: str) -> str:
        deal = f"\n  deal:\n    rule: {dealt}\n    assumes: x\n"
        words = words_of("kitty", "dealer picks-up upturned as picked-up", STATE, deal)
        return compact(words.rule("kitty", opened=True)[0].steps)

    assert said("deal 1 card to upturned") == "The dealer picks up the upturned card."
    assert said("deal 2 cards to upturned") == "The dealer picks up the upturned cards."


def test_a_condition_has_a_heading_with_what_it_is_about() -> None:
    words = words_of("end", "first-hand", STATE, HELPERS)
    assert words.heading("beats") == "when a card “mine” beats a card “theirs”"
    assert words.heading("is-high") == "when a card is high"
    assert words.heading("aces") == "the aces"


@pytest.mark.parametrize(
    ("value", "words"), [("false", "by the player to the dealer's left."), ("true", "by the dealer.")]
)
def test_a_condition_that_a_helper_rule_settles_is_not_told(value: str, words: str) -> None:
    """It was "If never, the dealer; otherwise the player to the dealer's left"."""
    body = f"rules:\n  bold: {{of: player p, rule: {value}, assumes: ours}}\n"
    lead = "  lead: {rule: if bold of dealer then dealer else left of dealer, assumes: ours}\n"
    steps = Words(house(body + lead).whole).rule("lead", opened=True)[0].steps
    assert compact(steps) == f"The first trick is led {words}"
