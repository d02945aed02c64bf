"""What people write who have not met the language, and what they are told."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from trickproof_dsl import core as c
from trickproof_dsl.compiled.machine import apply, start
from trickproof_dsl.compiled.state import State
from trickproof_dsl.diagnostics.diagnostic import Diagnostic
from trickproof_dsl.diagnostics.source import Source, Span
from trickproof_dsl.library import Library, Ruleset, prelude
from trickproof_dsl.semantics.chance import Chance
from trickproof_dsl.syntax.error_examples import (
    AS_MANY,
    BOTH_PARTS,
    COUNTED,
    ERROR_EXAMPLES,
    EXCHANGE,
    FIRST_DEAL,
    FOLLOW_SUIT,
    FOR_EACH,
    FOREIGN_WORDS,
    IF_ENOUGH,
    LAST_TRICK,
    LAST_TRUMP,
    LOOK,
    MAY_LEAD,
    MAY_PLAY,
    NOT_ALL,
    ONE_EQUALS,
    TRICK_WON,
    TURNED_UP,
    UNSEEN,
    UP_TO,
    USUAL_TEXTS,
    WHO,
    WHO_WON,
)
from trickproof_dsl.syntax.parser import parse_rule
from trickproof_dsl.syntax.reserved_words import reserved_words

GAME = """
ruleset: game
title: Made up
players: 4
state:
  bid: {{type: integer, of: player}}
  passed: {{type: boolean, of: player}}
  called: {{type: card}}
rules:
  {name}:
    rule: |
{text}
    assumes: an example
"""

MULTIPLY = "multiply, as in `giver gives (2 * over of giver) cards of hand to taker`"
ONE_OF_SEVERAL = (
    "write `only player in …` where there is exactly one; where several may tie, "
    "`if number of (…) = 1 then only player in … else left of dealer`"
)

RULESETS = Path(__file__).parents[3] / "rulesets"

NO_TRUMP_YET = "no player has (some card in tricks-taken has suit = trump)"

# Rule text, then what helps (of the message that helps).
HELP = [
    ("trump := hearts", "write `becomes` to change a variable"),
    ("if tricks of dealer equals tricks of left of dealer:\n    do deal", "write `if tricks of dealer = tricks of left of dealer:`"),
    ("add 10 points to score of dealer", "write `score of dealer becomes score of dealer + 10`"),
    ("reduce score of dealer by tricks of dealer", "write `score of dealer becomes score of dealer - tricks of dealer`"),
    ("score of dealer becomes number of hearts in tricks-taken of dealer", "write `number of (cards in tricks-taken of dealer with suit = hearts)`"),
    ("for all players p:\n    do deal", "write `for p in players:`"),
    ("nothing", "write `nothing happens`"),
    ("no cards are returned", "write `nothing happens`"),
    ("the player on the right", "write `right of dealer`"),
    ("left of the dealer leads", "write `left of dealer`"),
    ("dealer discards up to 4 cards", "write `dealer discards up to 4 cards of hand`"),
    ("dealer chooses trump unless first-hand", "write `if not (first-hand):`, and indented below it `dealer chooses trump`"),
    ("deal 7 cards each", "write `for p in players:`, and indented below it `deal 7 cards to hand of p`"),
    ("whoever took the fewest tricks", "write `players with the lowest tricks`; for one player, `only player in (players with the lowest tricks)`, which fails if two of them tie"),
    ("dealer returns highest card of suit of gift(dealer, leader) to leader", "write `cards with the highest rank among hand`"),
    ("score of dealer += 1", "write `score of dealer becomes score of dealer + 1`"),
    ("if first-hand\n    do deal", "end the line with `:` and indent what follows"),
    ("if first-hand:\ndo deal", "indent the block under the `:`"),
    ("if first-hand: do deal", "what follows the `:` begins on a line of its own, indented"),
    ("trump becomes if first-hand then hearts", "a value needs both parts: `if … then … else …`"),
    ("if first-hand then trump becomes hearts", "`then` makes a value; statements go in a block: `if …:`, then indented lines"),
    ("trump becomes hearts if first-hand", "write `if first-hand:`, and indented below it `trump becomes hearts`"),
    ("dealer scores 3 if he takes all tricks", "write `if tricks of dealer = hand-size:`, and indented below it `score of dealer becomes score of dealer + 3`"),
    ("13 if called is the queen of spades", "write `if called = QS then 13 else 0`"),
    ("if called is a heart then 1 else 0", "write `if suit of called = hearts then 1 else 0`"),
    ("if called is not an ace then 1 else 0", "write `if rank of called != ace then 1 else 0`"),
    ("some player took all hearts and the queen of spades", "write `some player has (number of (cards in tricks-taken with suit = hearts) = number of ranks and QS in tricks-taken)`"),
    ("if dealer has taken all four aces:\n    do deal", "write `if number of (cards in tricks-taken of dealer with rank = ace) = number of suits:`"),
    ("whoever took the queen of spades scores 13", "write `for p in players with QS in tricks-taken:`, and indented below it `score of p becomes score of p + 13`"),
    ("a player with no tricks loses 10 points", "write `for p in players with tricks = 0:`, and indented below it `score of p becomes score of p - 10`"),
    ("every player with at least 4 tricks scores 2", "write `for p in players with tricks >= 4:`, and indented below it `score of p becomes score of p + 2`"),
    ("the team with the most tricks gets 1 point", "write `for p in players with the highest tricks:`, and indented below it `score of p becomes score of p + 1`"),
    ("every player bids a number from 0 to 13", "write `for p in players:`, and indented below it `p chooses bid of p from 0 to 13`"),
    ("dealer bids between 0 and hand-size", "write `dealer chooses bid of dealer from 0 to hand-size`"),
    ("dealer chooses bid of dealer from 0 to 13 so that the total of all bids is not 13", "write `dealer chooses bid of dealer from 0 to 13 with (sum of bid for players) != 13`"),
    ("tricks of dealer is at least 4", "write `tricks of dealer >= 4`"),
    ("score at least 500", "write `some player has score >= 500`"),
    ("score of dealer becomes score of dealer minus 10", "write `score of dealer becomes score of dealer - 10`"),
    ("for p in players with passed and bid > 0:\n    do deal", "put the whole condition in brackets: `with (… and …)`"),
    ("dealer plays 1 card of hand with suit = led or suit = trump", "put the whole condition in brackets: `with (… and …)`"),
    ("dealer discards 4 cards of hand with rank != ace and suit != trump", "put the whole condition in brackets: `with (… and …)`"),
    ("dealer discards 4 cards of hand and plays 1 card of hand", "each statement begins on a line of its own"),
    ("dealer if tricks of dealer >= 8 else left of dealer", "the condition comes first: `if … then … else …`"),
    ("some player has 10 tricks", "say what is compared, as in `tricks of p >= 10` or `some player has tricks >= 10`"),
    ("dealer plays", "say which cards, as in `p plays 1 card of hand`; to compare, write `=`"),
    ("players with highest score", "write `players with the highest score`"),
    ("the player who has the fewest tricks", "write `players with the lowest tricks`; for one player, `only player in (players with the lowest tricks)`, which fails if two of them tie"),
    ("dealer takes 4 cards of hand", "did you mean `picks-up`?"),
    ("exactly one player has score >= 100", "write `number of (players with score >= 100) = 1`"),
    ("at least two players have over < 0", "write `number of (players with over < 0) >= 2`"),
    ("score of p goes up by 3", "write `score of p becomes score of p + 3`"),
    ("score of dealer is reduced by tricks of dealer", "write `score of dealer becomes score of dealer - tricks of dealer`"),
    ("number of hearts taken by p", "write `number of (cards in tricks-taken of p with suit = hearts)`"),
    ("dealer lays 4 cards of hand", "did you mean `discards`?"),
    ("put cards in trick with suit = led and rank = ace into discards", "put the whole condition in brackets: `with (… and …)`"),
    ("dealer discards cards in trick with suit = led or rank = ace", "put the whole condition in brackets: `with (… and …)`"),
    ("for p in players with not passed:\n    do deal", "put it in brackets: `with (not …)`"),
    ("if some player has not passed:\n    do deal", "put it in brackets: `has (not …)`"),
    ("target of left dealer becomes 5", "write `target of left of dealer becomes 5`"),
    ("if trump is hearts:\n    do deal", "write `if trump = hearts:`"),
    ("if dealer has AS:\n    do deal", "write `if AS in hand of dealer:`"),
    ("if dealer has ace:\n    do deal", "for cards write `AS in hand of p` or `no card in hand of p has rank = ace`; for a number compare: `tricks of p = 0`"),
    ("called becomes highest card in trick", "write `cards with the highest rank among hand`"),
    ("for p in players with the most tricks:\n    do deal", "write `for p in players with the highest tricks:`"),
    ("for p in players from dealer:\n    do deal", "say `clockwise from …` after a comma"),
    ("for p in players, highest score:\n    do deal", "say `highest … first`"),
    ("for each p in players:\n    do deal", "write `for p in players:`"),
    ("while first-hand:\n    do deal", "write `repeat until …:`"),
    ("deal 13 cards", "say where to: `deal 16 cards to hand of p`"),
    ("deal 13 cards to dealer", "say which of the player's zones, as in `hand of p`"),
    ("put trick to discards", "write `put trick into discards`"),
    ("dealer chooses trump or none", "write `chooses trump from suits or none`"),
    ("dealer chooses bid from 1 to 13 or none", "leave out `or none`; let 0 or another variable mean it"),
    ("dealer chooses 2 cards of hand", "cards are picked by a move, as in `p discards 3 cards of hand`"),
    ("dealer plays 1 card from hand", "write `dealer plays 1 card of hand`"),
    ("the dealer picks up the kitty", "write `dealer picks-up kitty`"),
    ("dealer takes up kitty", "write `dealer picks-up kitty`"),
    ("The dealer puts down four cards.", "write `dealer discards 4 cards of hand`"),
    ("the dealer may pick up the kitty", "leave out `the`; write it as a choice: `p discards up to 3 cards of hand`, or `p chooses x` with a boolean `x`"),
    ("dealer throws away four cards from his hand", "write `dealer discards 4 cards of hand`"),
    ("the dealer picks up the kitty and discards four cards", "write `dealer picks-up kitty`, and on the next line `dealer discards 4 cards of hand`"),
    ("the dealer takes the kitty", "write `dealer picks-up kitty`"),
    ("dealer takes 4 cards from the kitty", "write `dealer picks-up 4 cards of kitty`"),
    *(
        (f"dealer chooses {trump}hearts", "write `dealer chooses trump with trump != hearts`")
        for trump in (
            "trump, but not ",
            "trump but ",
            "trump other than ",
            "trump except ",
            "trump, not ",
            "trump with trump not ",
            "trump with trump is not ",
            "any suit but ",
        )
    ),
    ("the dealer may choose any suit except hearts", "write `dealer chooses trump with trump != hearts`"),
    ("the dealer can choose any suit but hearts as trump", "write `dealer chooses trump with trump != hearts`"),
    ("dealer may not choose hearts as trump", "write `dealer chooses trump with trump != hearts`"),
    ("dealer chooses trump from suits other than hearts", "write `dealer chooses trump from suits with trump != hearts`"),
    ("dealer chooses trump but not hearts or spades", "write `dealer chooses trump with (trump != hearts and trump != spades)`"),
    ("dealer chooses trump from clubs, diamonds, spades", "write `dealer chooses trump with (trump = clubs or trump = diamonds or trump = spades)`"),
    ("dealer chooses trump from clubs or spades", "write `dealer chooses trump with (trump = clubs or trump = spades)`"),
    ("dealer chooses bid of dealer from 1 to 13 but not 3", "write `dealer chooses bid of dealer from 1 to 13 with bid of dealer != 3`"),
    *(
        (f"dealer discards 4 cards of hand{but} aces", "write `dealer discards 4 cards of hand with rank != ace`")
        for but in (" but no", ", but no", " that are not", " except", " other than", " with no", " without")
    ),
    ("dealer discards four cards except hearts or aces", "write `dealer discards 4 cards of hand with (suit != hearts and rank != ace)`"),
    *(
        (f"dealer gives {cards} to left of dealer", "write `dealer gives bottom 2 of hand by rank to left of dealer`")
        for cards in ("2 lowest cards of hand", "the two lowest cards", "lowest 2 cards of hand", "2 cards of hand, lowest first")
    ),
    ("over of p > = 3", "write `over of p >= 3`"),
    ("if over of p is 3 or more:", "write `if over of p >= 3:`"),
    ("if up of p >= 3:", "write `if over of p >= 3:`"),
    ("if dealer is down:", "write `if over of dealer < 0:`"),
    ("if over of dealer is not down:", "write `if over of dealer >= 0:`"),
    ("if dealer is not up:", "write `if over of dealer <= 0:`"),
    ("if dealer is down-twice:", "compare with `=` or `!=`; to change a variable write `becomes`"),
    ("if tricks of p < 5: dealer else left of p", "write `if tricks of p < 5 then dealer else left of p`"),
    ("target of dealer is 8", "write `target of dealer = 8`"),
    ("target of dealer is 8\ntarget of left of dealer is 5", "write `target of dealer becomes 8`"),
    ("dealer plays the highest card in hand", "write `dealer plays top 1 of hand by rank`"),
    ("dealer gives 2 cards for each overtrick to left of dealer", MULTIPLY),
    ("dealer gives 2 cards of hand for each overtrick to left of dealer", MULTIPLY),
    ("every player discards four cards", "write `for p in players:`, and indented below it `p discards 4 cards of hand`"),
    ("every player adds tricks - target", FOR_EACH),
    ("each player scores tricks - target", FOR_EACH),
    ("everybody scores tricks - target", FOR_EACH),
    ("the game ends when dealer likes", "leave out `the`"),
    ("the game ends after 10 deals", f"leave out `the`; {COUNTED}"),
    ("the dealer picks a suit after looking at the box", f"leave out `the`; {LOOK}"),
    ("for the dealer:\n    do deal", "leave out `the`"),
    ("players must follow suit", FOLLOW_SUIT),
    ("follow suit", FOLLOW_SUIT),
    ("dealer plays a card of hand", "did you mean `1`?"),
    ("dealer gives 3 cards of hand to everyone", "add `to` and a player or zone"),
    ("dealer becomes max(1, 2)", "did you mean `larger`?"),
    ("score of dealer becomes larger of 1", "write `larger(…, …)`"),
    ("leader becomes trick-winner", ONE_OF_SEVERAL.replace("(…)", "(trick-winner)").replace("…", "trick-winner")),
    ("if number of players with passed = 3:\n    do deal", "to compare how many there are, put the set in brackets: `number of (players with …) = 4`"),
    ("if rank of called > 10:\n    do deal", "ranks are named: `ten`, `jack`; `height of c` is a number"),
    ("if some player has tricks > 8 or score > 30:\n    do deal", "write `score of …`; if it belongs to what follows `has` or `with`, put all of that in brackets"),
    ("trump becomes Hearts", "names are written in lower case"),
    ("if some card in hand of dealer has rank = A:\n    do trump", "write the name: `ace`"),
    ("trump becomes H", "write the name: `hearts`"),
    (
        "score of p becomes score of p + 5 for each queen in tricks-taken of p",
        "write `score of p becomes score of p + 5 * number of (cards in tricks-taken of p with rank = queen)`",
    ),
    ("trump becomes 'hearts'", "names have no quotes; what belongs to someone is `hand of dealer`"),
    ("end match", "write `the match ends`"),
    ("dealer leads", "write `dealer`"),
    ("left hand player leads", "the rule `lead` names a player, such as `left of dealer` or `only player in players with 2C in hand`"),
    ("whoever has most tricks", "write `players with the highest tricks`; for one player, `only player in (players with the highest tricks)`, which fails if two of them tie"),
    ("dealer must discard 4 cards", "write `dealer discards 4 cards of hand`"),
    ("ten deals have been played", COUNTED),
    ("if a player has tricks = 0:\n    do deal", "write `if some player has tricks = 0:`"),
    ("if some player has no card of rank jack:\n    do deal", "say what the cards have, as in `(no card in hand has rank = ace)`"),
    ("hearts are trump", "to change a variable write `becomes`, as in `trump becomes hearts`; to compare write `=`"),
    ("if some player has trick >= 12:\n    do deal", "a set is not a number: write `number of …`, or name a number such as `tricks`"),
    ("if number of aces in hand of dealer > number of kings in hand of leader:\n    do deal", "write `number of (cards in hand of dealer with rank = ace)`"),
    ("if number of hearts in hand of left of dealer > 2:\n    do deal", "write `number of (cards in hand of left of dealer with suit = hearts)`"),
    ("if number of trumps in hand of dealer > 2:\n    do deal", "write `number of (cards in hand of dealer with suit = trump)`"),
    ("if dealer has no aces:\n    do deal", "write `number of (cards in hand of dealer with rank = ace) = 0`"),
    ("dealer discards 2 sixes from hand", "write `2 cards of hand with rank = six`"),
    ("for p in players with aces in hand:\n    do deal", "write `cards in hand with rank = ace`"),
    ("dealer discards kings", "write `cards in hand of p with rank = king`"),
    ("dealer discards hearts", "for the cards of a suit write `cards in hand of p with suit = hearts`"),
    ("if number of hearts = 2:\n    do deal", "write `number of (cards in hand of p with suit = hearts)`"),
    ("if the first trick:\n    do deal", "for the first trick write `every player has tricks = 0`"),
    ("if first trick then hearts else spades", "for the first trick write `every player has tricks = 0`"),
    ("if first-trick:\n    do deal", "for the first trick write `every player has tricks = 0`"),
    ("if trick = 1:\n    do deal", "`trick` is the cards of the current trick; for the first trick write `every player has tricks = 0`"),
    *(
        (f"if {said}:\n    do deal", f"write `if {written}:`")
        for said, written in (
            ("no trump has been played", NO_TRUMP_YET),
            ("trumps have not been broken", NO_TRUMP_YET),
            ("a trump hasn't been played yet", NO_TRUMP_YET),
            ("nobody has played a trump", NO_TRUMP_YET),
            ("QS has not been played", "no player has (QS in tricks-taken)"),
        )
    ),
    ("if some player has taken 4 aces:\n    do deal", "write `has number of (cards in tricks-taken with rank = ace) = 4`"),
    ("if the first deal:\n    do deal", FIRST_DEAL),
    ("if trump has been played:\n    do deal", "write `if some player has (some card in tricks-taken has suit = trump):`"),
    ("if hearts are broken:\n    do deal", "write `if some player has (some card in tricks-taken has suit = hearts):`"),
    ("if dealer took the queen of spades:\n    do deal", "write `if QS in tricks-taken of dealer:`"),
    ("if took ace of spades:\n    do deal", "write `if AS in tricks-taken of p:`"),
    ("if a spade was led:\n    do deal", "write `if led = spades:`"),
    ("for p in players:\n    score of p becomes half the score of p", "write `score of p becomes score of p div 2`"),
    ("for p in players:\n    score of p becomes half of tricks", "write `hand-size div 2`, which is rounded down"),
    ("for p in players:\n    score of p becomes twice the tricks of p", "write `score of p becomes 2 * tricks of p`"),
    ("if some player has more than half of the tricks:\n    do deal", "write `if some player has tricks > hand-size div 2:`"),
    ("if some player has all the tricks:\n    do deal", "write `if some player has tricks = hand-size:`"),
    ("if dealer took no tricks:\n    do deal", "write `if tricks of dealer = 0:`"),
    ("if dealer has 3 tricks or more:\n    do deal", "write `if tricks of dealer >= 3:`"),
    ("if dealer has the queen of spades:\n    do deal", "write `if QS in hand of dealer:`"),
    ("if queen of spades in hand of dealer:\n    do deal", "write `QS`"),
    ("dealer discards 4", "write `4 cards of hand`"),
    ("p gives 1 card of hand to player with 2C in hand", "write `p gives 1 card of hand to only player in players with 2C in hand`"),
    ("if sum of bids of players = 13:\n    nothing happens", "write `if (sum of bid for players) = 13:`"),
    ("player with most tricks chooses trump", "write `only player in (players with the highest tricks) chooses trump`"),
    ("bid of dealer becomes twelve", "numbers are written in digits: `12`"),
    ("score of loser becomes 1", WHO_WON),
    *(
        (f"dealer picks-up kitty{then} discards four cards{but} aces", "write `dealer picks-up kitty`, and on the next line `dealer discards 4 cards of hand with rank != ace`")
        for then, but in ((" and then", ", but no"), (", then", ", no"), (" and", " except"))
    ),
    ("dealer picks-up kitty\nand then discards four cards", "write `dealer discards 4 cards of hand`"),
    ("dealer may not discard an ace", NOT_ALL),
    ("aces must not be discarded", NOT_ALL),
    ("the dealer scores 2 extra points", "write `score of dealer becomes score of dealer + 2`"),
    ("score of dealer becomes score of dealer plus 1", "write `score of dealer becomes score of dealer + 1`"),
    ("deal 13 cards to each player, one at a time", "write `for p in players:`, and indented below it `deal 13 cards to hand of p`"),
    ("each player passes two cards to the right", "write `for p in players:`, and indented below it `p passes 2 cards of hand to right of p`"),
    ("dealer exchanges 1 card of hand with kitty", EXCHANGE),
    ("for p in players:\n    p swaps up to 2 cards of hand with left of p", EXCHANGE),
    ("dealer gives 2 cards of hand to the player on the left", "write `dealer gives 2 cards of hand to left of dealer`"),
    ("if number of cards in hand of dealer with suit other than trump >= 4:\n    do deal", "write `if number of cards in hand of dealer with suit != trump >= 4:`"),
    ("dealer discards 4 cards of hand with suit hearts", "write `dealer discards 4 cards of hand with suit = hearts`"),
    ("dealer discards 4 cards of hand with suit not trump", "write `dealer discards 4 cards of hand with suit != trump`"),
    ("if any card in hand of dealer has suit led:\n    do deal", "write `if some card in hand of dealer has suit = led:`"),
    ("if some card in hand of dealer has suit == led:\n    do deal", ONE_EQUALS),
    ("score of dealer becomes (score of dealer + 1", "close every `(` with a `)`"),
    ("if (first-hand and tricks of dealer > 3:\n    do deal", "close every `(` with a `)`"),
    ("score of dealer becomes dealer.tricks", "write `score of dealer becomes tricks of dealer`"),
    ("for p in players:\n    deals 13 cards to p", "write `deal 13 cards to hand of p`"),
    ("for p in players:\n    deal all cards to hand of p", "say how many, as in `deal 13 cards to hand of p`, or `deal the rest to kitty`"),
    ("for p in players:\n    score of p becomes tricks of q", "did you mean `p`?"),
    ("dealer discards 4 cards of hand with suit != trump if possible", IF_ENOUGH),
    ("if at least 4 such cards, dealer discards 4 cards of hand, else any", IF_ENOUGH),
    ("if trick contains the queen of spades:\n    do deal", "write `if QS in trick:`"),
    ("dealer becomes dealer + 1", "the next player is `left of …`; how many there are is `number of …`"),
    ("trump is hearts", "write `trump becomes hearts`"),
    ("bid of eldest hand becomes 5", "write `bid of left of dealer becomes 5`"),
    ("dealer becomes eldest", "did you mean `left of dealer`?"),
    ("for p in players:\n    bid of next becomes 5", "did you mean `left of p`?"),
    ("bid of left-of-dealer becomes 5", "did you mean `left of dealer`?"),
    ("bid of seat 1 becomes 5", WHO),
    ("bid of 1 becomes 5", WHO),
    ("bid of me becomes 5", WHO),
    ("dealer's bid becomes 5", "write `bid of dealer becomes 5`"),
    ("bid of dealer *= 2", "write `bid of dealer becomes bid of dealer * 2`"),
    ("bid of dealer--", "write `bid of dealer becomes bid of dealer - 1`"),
    ("do bid", "`bid` is a value, and `do` runs a rule that consists of statements"),
    ("targets of dealer becomes 5", "did you mean `target`?"),
    ("if number of hand-size = 3:\n    do deal", "it is a number already: leave out `number of`"),
    ("if hand = 3:\n    do deal", f"write `hand of …`; or {COUNTED}"),
    ("if number of hands played = 3:\n    do deal", COUNTED.replace("10", "3")),
    ("if 10 deals are over:\n    do deal", COUNTED),
    ("dealer becomes player left of dealer", "write `dealer becomes left of dealer`"),
    ("dealer may choose no trumps", "write `dealer chooses trump from suits or none`"),
    ("for every p in players with over > 0:\n    do deal", "write `for p in players:`"),
    ("everybody passes 3 cards left", "write `for p in players:`, and indented below it `p passes 3 cards of hand to left of p`"),
    ("dealer gives back highest card", "write `dealer returns top 1 of hand by rank to giver`"),
    ("dealer gives 1 card of hand to taker", "name a player, such as `left of dealer`, or write it in the block of `for taker in players with …:`"),
    ("score of p becomes score of p - the difference of bid of p and tricks of p", "write `score of p becomes score of p - larger(bid of p - tricks of p, tricks of p - bid of p)`"),
    ("score of p becomes abs(bid of p - tricks of p)", "write `score of p becomes larger(bid of p - tricks of p, tricks of p - bid of p)`"),
    ("score of p becomes 2 * (the difference between the bid of p and 3)", "write `score of p becomes 2 * (larger(bid of p - 3, 3 - bid of p))`"),
    ("if the dealer has taken more than 8 tricks:\n    do deal", "write `if tricks of dealer > 8:`"),
    ("for p in players:\n    score of p becomes score of p - distance of 3", "declare it under `state:`, `zones:`, `rules:`, `parameters:` or `options:`"),
    ("dealer discards all cards of hand with suit != trump", "leave out `all`, as in `cards in hand with suit = clubs`"),
    ("dealer discards the rest", "say which cards: only `deal the rest to …` knows a rest"),
    ("dealer discards (if trump = hearts then AS else hand)", "write `cards in hand with card = AS`"),
    ("if some card in hand has suit != trump\nthen cards in hand except trumps\nelse hand", "write `cards in hand with suit != trump`"),
    ("if trump = hearts then hand which are not trumps else hand", "write `if trump = hearts then cards in hand with suit != trump else hand`"),
    ("any card except a trump", "write `cards in hand with suit != trump`"),
    ("hand except trumps", "write `cards in hand with suit != …`"),
    ("non-trumps", "write `cards in hand with suit != trump`"),
    ("if tricks of dealer >= 12:\n    do deal\notherwise\n    payout of dealer becomes over of dealer", "write `else:`"),
    ("if no player has trumps in tricks-taken:\n    do deal", "write `no player has (some card in tricks-taken has suit = trump)`"),
    ("if nobody has taken a trump:\n    do deal", "write `if no player has (some card in tricks-taken has suit = trump):`"),
    ("if some player has taken an ace:\n    do deal", "write `if some player has (some card in tricks-taken has rank = ace):`"),
    ("player with the lowest over chooses trump", "write `players with …`, or for one player `only player in (players with …)`"),
    ("players with the lowest over chooses trump", "write `only player in (players with the lowest over)` where there is exactly one; where several may tie, `(if number of (players with the lowest over) = 1 then only player in (players with the lowest over) else left of dealer)`"),
    ("for p in players:\n    payout of p becomes if highest rank of trick = ace\n        then 1 else 0", "write `highest rank among trick`"),
    ("do exchange-returns(dealer)", "write `exchange-returns of dealer`, or, for what is of two, name both: `exchange-returns(giver, taker)`"),
    ("payout of dealer becomes 0.5 * over of dealer", "numbers are whole: multiply first and divide then, as in `3 * x div 2`"),
    ("payout of dealer becomes 0 // nothing", "a comment begins with `#`"),
    ("dealer pays 2 to everyone", "write `payout of p becomes …`, as in `payout of p becomes payout of p - 2`"),
]  # fmt: skip


def loaded(text: str, name: str = "before-play") -> tuple[Ruleset | None, list[Diagnostic]]:
    return Library([]).load_text(GAME.format(name=name, text=textwrap.indent(text, " " * 6)), "game.yaml")


@pytest.mark.parametrize(("text", "helped"), HELP, ids=[text for text, _ in HELP])
def test_help(text: str, helped: str) -> None:
    _, wrong = loaded(text)
    assert helped in [d.suggestion for d in wrong], [(d.message, d.suggestion) for d in wrong]


@pytest.mark.parametrize(
    ("rule", "text", "helped"),
    [
        ("scoring", "whoever takes no trick pays double", USUAL_TEXTS["scoring"]),
        ("lead", "left of dealer may not lead hearts", MAY_LEAD),
        ("follow", "nobody may play a spade to the first trick", MAY_PLAY),
        ("follow", "hearts cannot be played", MAY_PLAY),
        ("lead", "any card but hearts", USUAL_TEXTS["lead"]),
        ("end", "first to 20 points", USUAL_TEXTS["end"]),
        ("end", "after 10 deals", COUNTED),
        ("end", "after three deals", COUNTED.replace("10", "3")),
        ("end", "a player at 50 or after 9 deals", COUNTED.replace("10", "9")),
        ("end", "one player has 21 points", USUAL_TEXTS["end"]),
        ("winner", "players who took the queen of spades", "write `players with QS in tricks-taken`"),
        ("winner", "players with the queen of spades", "write `players with QS in hand`"),
        ("lead", "whoever won QS", "write `only player in players with QS in tricks-taken`"),
        ("end", "some player has taken the queen of spades", "write `some player has (QS in tricks-taken)`"),
        ("exchange-timing", "nobody passes", "write `nothing happens`"),
        ("exchange-timing", "No cards are passed.", "write `nothing happens`"),
        ("lead", "the player with 2C in hand", "write `only player in players with 2C in hand`"),
        ("end", "nobody took the queen of spades", "write `no player has (QS in tricks-taken)`"),
        ("lead", "holder of the two of clubs", "write `only player in players with 2C in hand`"),
        ("lead", "only player with 2 of clubs in hand", "write `only player in players with 2C in hand`"),
        ("lead", "only player in players with two of clubs in hand", "write `2C`"),
        ("lead", "only player with the 2 of clubs", "write `only player in players with 2C in hand`"),
        ("kitty", "dealer discards 3 of hearts", "write `1 card of hand`"),
        ("winner", "players with 10 of hearts in hand", "write `players with TH in hand`"),
        ("next-dealer", "same dealer", "write `dealer`"),
        ("next-dealer", "dealer's left", "write `left of dealer`"),
        ("lead", "player to the left of the dealer", "write `left of dealer`"),
        ("trump", "the player to the dealer's left chooses trump", "write `left of dealer chooses trump`"),
        ("follow", "cards in hand of suit led", "write `cards in hand with suit = led`"),
        ("end", "a player has score of 20 or more", "write `some player has score >= 20`"),
        ("end", "when a player has more than 20 points", "write `some player has score > 20`"),
        ("end", "a player reaches 20 points", "write `some player has score >= 20`"),
        ("winner", "players with fewer than 3 tricks", "write `players with tricks < 3`"),
        (
            "end",
            "some player has score of 20 or more",
            "to compare with a number write `>=`, `=` or another sign, as in `score >= 20`",
        ),
        ("end", "score reaches 20", USUAL_TEXTS["end"]),
        ("next-dealer", "winner of last trick", LAST_TRICK),
        ("after-trick", "if last trick:\n    do deal", LAST_TRICK),
        ("lead", "dealers left", "write `left of dealer`"),
        ("winner", "player with score >= 5", "write `players with score >= 5`"),
        ("winner", "player with the most tricks", "write `players with the highest tricks`"),
        ("next-dealer", "winner of trick", TRICK_WON),
        ("next-dealer", "the winner of the trick", f"leave out `the`; {TRICK_WON}"),
        (
            "may-lead",
            "if trump has been played then all cards",
            "write `some player has (some card in tricks-taken has suit = trump)`",
        ),
        ("next-dealer", "5", "write a player, such as `left of dealer`"),
        ("next-dealer", "the loser deals", f"leave out `the`; {WHO_WON}"),
        ("next-dealer", "loser", WHO_WON),
        ("next-dealer", "winner of last deal", WHO_WON),
        ("trump", "turn up the last card for trumps", TURNED_UP),
        ("trump", "the top card is turned over", f"leave out `the`; {TURNED_UP}"),
        ("trump", "dealer chooses trump other than last trump", LAST_TRUMP),
        ("exchange-amounts", "dealer gives at most 2 cards of hand to left of dealer", UP_TO),
        ("lead", "eldest hand", "write `left of dealer`"),
        ("lead", "player left of dealer", "write `left of dealer`"),
        ("trick-winner", "the player with the highest card", USUAL_TEXTS["trick-winner"]),
        (
            "trump",
            "trump = hearts",
            "a rule that changes it writes `trump becomes …`; otherwise rename one of the two",
        ),
        ("follow", "any card", "write `hand`"),
        ("follow", "hand except QS", "write `cards in hand with card != QS`"),
        ("trump", "hearts is trump", "write `trump becomes hearts`"),
        ("next-dealer", "the dealer keeps the deal", "write `dealer`"),
        ("follow", "hand with suit = led", "write `cards in hand with suit = led`"),
        (
            "follow",
            "if some card in hand has suit = led then cards in hand with suit = led, else hand",
            "write `if some card in hand has suit = led then cards in hand with suit = led else hand`",
        ),
        ("follow", "if can follow then hand", FOLLOW_SUIT),
        ("winner", "highest score", "write `players with the highest score`"),
        ("end", "never", "did you mean `false`?"),
        ("scoring", "winner of last trick gets 2 points", LAST_TRICK),
        ("trick-winner", "no trumps", USUAL_TEXTS["trick-winner"]),
        ("end", "the game ends when somebody has 20 points", f"leave out `the`; {USUAL_TEXTS['end']}"),
        ("scoring", "every player adds tricks - target", USUAL_TEXTS["scoring"]),
        ("trump", "the dealer picks the suit after the deal", f"leave out `the`; {USUAL_TEXTS['trump']}"),
        ("trump", "dealer names trump", "did you mean `chooses`?"),
        ("kitty", "dealer may look at the kitty first", LOOK),
        ("kitty", "dealer may exchange 1 card with kitty", EXCHANGE),
        ("kitty", "dealer exchanges up to 3 cards with the kitty", EXCHANGE.replace("1 card", "3 cards", 1)),
        ("kitty", "the dealer can swap a card with the box", f"leave out `the`; {EXCHANGE}"),
        (
            "exchange-timing",
            "dealer trades 2 cards with left of dealer",
            EXCHANGE.replace("1 card", "2 cards", 1),
        ),
        ("kitty", "no kitty", USUAL_TEXTS["kitty"]),
        ("scoring", "for p in players:\n    the score", "leave out articles: `score`"),
    ],
)
def test_a_sentence_is_answered_with_what_the_rule_usually_says(rule: str, text: str, helped: str) -> None:
    _, wrong = loaded(text, rule)
    assert helped in [d.suggestion for d in wrong], [(d.message, d.suggestion) for d in wrong]


def test_what_is_said_of_an_exchange_can_be_written() -> None:
    taken, discarded, given = re.findall("`(.*?)`", EXCHANGE)
    for name, text in (
        ("kitty", f"{taken}\n{discarded}"),
        ("before-play", f"for p in players:\n    {given}"),
    ):
        ruleset, wrong = loaded(text, name)
        assert ruleset is not None
        assert not wrong


def test_a_sentence_is_answered_where_fields_are_wrong_too() -> None:
    text = "ruleset: mine\nplayers: 3\nrules:\n  lead: me\n  end: {rule: first to 20, assumes: an example}\n"
    _, wrong = Library([]).load_text(text, "mine.yaml")
    assert USUAL_TEXTS["end"] in [d.suggestion for d in wrong]


def test_a_value_where_something_is_done_is_one_mistake() -> None:
    """`trump` names a variable too, which is no reason to rename the rule."""
    text = "ruleset: mine\nextends: {}\nrules:\n  trump: {{rule: hearts, assumes: an example}}\n"
    for base, code in (("pagat", "E311"), ("hearts", "E405")):  # no rule of hearts does `trump`
        _, wrong = Library([RULESETS]).load_text(text.format(base), "mine.yaml")
        assert [d.code for d in wrong] == [code]


def test_what_a_rule_usually_says_is_what_its_base_says() -> None:
    """Over a base that counts `over`, scoring is not said in `score`."""
    text = "ruleset: mine\nextends: pagat\nrules:\n  {}: {{rule: {}, assumes: an example}}\n"
    for rule, line, of_base in (
        ("scoring", "winner scores 10", "over of p becomes tricks of p - target of p"),
        (
            "scoring",
            "each player scores 1 point for every trick",
            "over of p becomes tricks of p - target of p",
        ),
        ("end", "game over at 20", "some player has tricks >= 12"),
        ("end", "score reaches 20", "some player has tricks >= 12"),
    ):
        _, wrong = Library([RULESETS]).load_text(text.format(rule, line), "mine.yaml")
        assert [f"`{of_base}`" in str(d.suggestion) for d in wrong] == [True], wrong


@pytest.mark.parametrize(
    ("rule", "line", "hint"),
    [
        ("winner", "player with highest score", "write `players with the highest score`"),
        ("end", "a player reaches 30 points", "write `some player has score >= 30`"),
        ("end", "50 points", "the rule `end` is a condition, such as `some player has score >= 100`"),
        ("lead", "left of the dealer leads", "write `left of dealer`"),
        ("lead", "the declarer leads", "leave out `the`; the rule `lead` names a player, such as `only player in players with 2C in hand`"),
        ("trick-winner", "player with highest card of suit led", f"{USUAL_TEXTS['trick-winner']}"),
        ("exchange-timing", "pass 3 cards left", "this replaces the whole rule; in hearts it is"),
        ("may-lead", "cards in hand except hearts", "write `cards in hand with suit != hearts`"),
        ("follow", "if some card in hand has suit = led then cards in hand with suit = led else if QS in hand except first-trick then hand else hand", "in hearts, `follow` is `if some card in hand has suit = led then cards in hand with suit = led else if first-trick and some card in hand has worth = 0 then cards in hand with worth = 0 else hand`"),
        ("follow", "if some card in hand is QS then hand else hand", "write `if QS in hand then hand else hand`"),
        ("follow", "if QS in hand then QS in hand else hand", "write `cards in hand with card = QS`"),
        ("exchange-timing", "none", "write `nothing happens`"),
        ("worth", "'if c = QS: 13'", "write `if c = QS then 13 else 0`"),
        ("worth", "'QS: 13, hearts: 1'", "in hearts, `worth` is `if c = QS then 13 else if suit of c = hearts then 1 else 0`"),
    ],
)  # fmt: skip
def test_a_hint_puts_right_what_is_written_and_otherwise_says_what_the_base_has(
    rule: str, line: str, hint: str
) -> None:
    text = f"ruleset: mine\nextends: hearts\nrules:\n  {rule}:\n    rule: {line}\n    assumes: an example\n"
    _, wrong = Library([RULESETS]).load_text(text, "mine.yaml")
    assert [d.suggestion for d in wrong] == [hint]


IN_SPADES = "in spades, `contract-score` is `if tricks-for-contract of p >= contract of p then 10 * contract of p else -10 * contract of p`"


@pytest.mark.parametrize(
    ("rule", "lines", "hint"),
    [
        ("contract-score", "if contract of p is ten or more then 9 else 5", "write `if contract of p >= 10 then 9 else 5`"),
        ("contract-score", "if contract of p >= 10 then 100 extra points", "write `if contract of p >= 10 then 100 else 0`"),
        ("contract-score", "if contract of p > 9 then 9 + 100 points else 5", "write `if contract of p > 9 then 9 + 100 else 5`"),
        ("contract-score", "5 + (if contract of p >= 10 then 100)", BOTH_PARTS),
        ("contract-score", "5 + 100 if contract of p >= 10", IN_SPADES),
        ("contract-score", "if bid > 9:\n          p gets 100 points", IN_SPADES),
        ("contract-score", "contract-score of p + 100", f"{IN_SPADES}; write that, and your change"),
        ("scoring", "a team that makes ten gets 100", "this replaces the whole rule; in spades it is"),
        ("scoring", "for p in players:\n          team of p gets 100 extra points", "write `score of p becomes score of p + 100`"),
        ("scoring", "for p in players:\n          p scores 100", "write `score of p becomes score of p + 100`"),
        ("scoring", "if bid of team of dealer > 9:\n          score of dealer becomes 1", "write `dealer` for one player; for a side, `sum of … for players with team = team of dealer`"),
    ],
)  # fmt: skip
def test_points_and_sides_are_said_in_the_words_of_spades(rule: str, lines: str, hint: str) -> None:
    text = f"ruleset: mine\nextends: spades\nrules:\n  {rule}:\n    rule: |\n      {lines}\n    assumes: an example\n"
    _, wrong = Library([RULESETS]).load_text(text, "mine.yaml")
    assert [d.suggestion for d in wrong] == [hint]


@pytest.mark.parametrize(
    ("lines", "hint"),
    [
        (
            "if dealer was up last deal:\n          dealer discards 4 cards of hand",
            "write `if over of dealer > 0:`",
        ),
        ("dealer discards 4 cards of hand as dropped", "declare the variable, as in"),
        ("dealer picks-up as many cards of kitty", AS_MANY),
        (
            "for p in players with the highest target of over:\n          p discards 1 card of hand",
            "leave out `of over`: `the highest target` is that of each player",
        ),
        ("dealer picks-up top 2 cards of kitty", UNSEEN),
        ("dealer picks-up (2 top cards) of kitty", UNSEEN),
    ],
)
def test_a_change_of_the_kitty_is_said_in_the_words_of_pagat(lines: str, hint: str) -> None:
    text = f"ruleset: mine\nextends: pagat\nrules:\n  kitty:\n    rule: |\n      {lines}\n    assumes: an example\n"
    _, wrong = Library([RULESETS]).load_text(text, "mine.yaml")
    assert [d.suggestion for d in wrong] == [hint]


@pytest.mark.parametrize("rule", USUAL_TEXTS)
def test_usual_texts_are_rule_text(rule: str) -> None:
    """The quoted texts parse, and the rule is one of the standard vocabulary."""
    assert rule in prelude().rules
    quoted = [text for text in re.findall("`([^`]*)`", USUAL_TEXTS[rule]) if " " in text]
    for text in quoted:
        source = Source("usual", f"{text}\n    do x\n" if text.endswith(":") else text)
        assert parse_rule(source, Span(source, 0, len(source.text)))[1] == []
    assert quoted


@pytest.mark.parametrize("text", [text for texts in ERROR_EXAMPLES.values() for text in texts])
def test_examples_of_mistakes_are_mistakes(text: str) -> None:
    source = Source("mistake", text)
    tree, _ = parse_rule(source, Span(source, 0, len(text)))
    assert tree is None


# ------------------------------------------------------------ what the forms next to them mean


def begun(text: str) -> State:
    ruleset, wrong = loaded(f"deal 13 cards to hand of dealer\n{text}\nthe match ends", "deal")
    assert ruleset is not None, [d.message for d in wrong]
    return start(ruleset.program, Chance(1))


def test_none_may_be_chosen_whatever_the_condition() -> None:
    state = begun("dealer chooses called from hand or none with rank of called > ace")
    assert state.decision is not None
    assert state.decision.legal == (None,)


def test_a_card_is_chosen_from_the_deck_under_a_condition_on_the_one_who_chooses() -> None:
    state = begun("dealer chooses called with called not in hand")
    assert state.decision is not None
    assert set(state.decision.legal) == set(range(52)) - set(state.cards("hand", 0))


def test_what_is_moved_is_kept_for_the_one_who_moves() -> None:
    state = begun("dealer plays 1 card of hand as played")
    assert state.decision is not None
    card = state.decision.legal[0]
    assert apply(state, frozenset((card,))).variable("played", 0) == card


def test_no_word_of_the_language_is_foreign() -> None:
    """But for words that stand in other phrases: `any number of cards`, `to everyone`."""
    known = set(FOREIGN_WORDS) & reserved_words() - {"any", "everyone"}
    assert known == set(), "the language has these words now: remove them from FOREIGN_WORDS"


def test_a_missing_rule_is_unspecified_where_cards_move() -> None:
    state = begun("dealer plays 1 card of follow of dealer")
    assert state.fault is not None
    assert state.fault.kind == "unspecified"


def test_a_procedure_that_falls_silent_stays_one() -> None:
    text = GAME.format(name="before-play", text="      nothing happens").replace("nothing happens", "do deal")
    text = text.replace("    rule: |\n      do deal\n    assumes: an example", "    silent: not a word")
    ruleset, wrong = Library([]).load_text(text, "game.yaml")
    assert ruleset is not None, [d.message for d in wrong]
    body = ruleset.program.rules["before-play"].body
    assert body == (c.Unspecified("before-play", ruleset.program.rules["before-play"].span),)
