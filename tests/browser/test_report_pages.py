"""The pages of a report in Chromium: whoever looks at them, at whatever width, in light and dark, with keys or on paper."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from browser.conftest import trickproof
from browser.looks import SCHEMES, WIDTHS, page, sideways, violations

pytestmark = pytest.mark.slow(every=True)

PAGES = (
    "index.html",
    "compare.html",
    "quiz.html",
    "effects.html",
    "implementers.html",
    "rulesets/six-over.html",
    "rulesets/hearts.html",
    "rulesets/untrusted.html",
)
MOST_BYTES = {"index.html": 100_000, "rulesets/six-over.html": 300_000, "rulesets/hearts.html": 300_000}


@pytest.mark.parametrize("name", PAGES)
def test_everybody_can_use_it(browser: Any, axe: str, report: Path, name: str) -> None:
    for width in WIDTHS:
        for scheme in SCHEMES:
            with page(browser, width, scheme, bypass_csp=True) as shown:
                shown.goto((report / name).as_uri())
                assert violations(shown, axe) == [], (width, scheme)
                assert sideways(shown) <= 0, (width, scheme)


PRINTED = {
    "table": ("table", "pagat", "gamerules", "six-over", "--format", "html"),
    "rulesheet": ("rulesheet", "gamerules", "--format", "html"),
}
"""Pages that commands print."""


@pytest.fixture(scope="session")
def printed(once: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    def make(folder: Path) -> None:
        for name, command in PRINTED.items():
            text = trickproof(*command, cwd=folder, TRICKPROOF_CACHE=str(folder / "cache"))
            (folder / f"{name}.html").write_text(text, encoding="utf-8")

    return once("printed", make)


@pytest.mark.parametrize("name", PRINTED)
def test_everybody_can_use_what_commands_print(browser: Any, axe: str, printed: Path, name: str) -> None:
    for width in WIDTHS:
        for scheme in SCHEMES:
            with page(browser, width, scheme, bypass_csp=True) as shown:
                shown.goto((printed / f"{name}.html").as_uri())
                assert shown.locator("main h1").count() == 1
                assert violations(shown, axe) == [], (width, scheme)
                assert sideways(shown) <= 0, (width, scheme)


@pytest.mark.parametrize("name", PAGES)
def test_it_runs_under_its_own_policy(browser: Any, report: Path, name: str) -> None:
    """Nothing is refused, nothing else is loaded."""
    with page(browser) as shown:
        shown.goto((report / name).as_uri())
        loaded = shown.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
        assert loaded == []


@pytest.mark.parametrize(("name", "most"), MOST_BYTES.items())
def test_pages_are_small(report: Path, name: str, most: int) -> None:
    assert (report / name).stat().st_size < most


def test_what_a_stranger_wrote_is_text(browser: Any, report: Path) -> None:
    with page(browser) as shown:
        for name in ("rulesets/untrusted.html", "index.html", "compare.html"):
            shown.goto((report / name).as_uri())
            assert shown.evaluate("window.broken") is None
            assert shown.locator("img").count() == 0
            assert "<script>window.broken = 1</script>" in shown.inner_text("main"), name


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(browser: Any, report: Path, name: str) -> None:
    """Every link of a page to a file, and to a place in it."""
    with page(browser) as shown:
        shown.goto((report / name).as_uri())
        links = shown.evaluate("[...document.querySelectorAll('a[href]')].map((one) => one.href)")
        for link in sorted(set(links)):
            file, _, place = link.removeprefix("file://").partition("#")
            assert Path(file).is_file(), link
            if place:
                assert f'id="{place}"' in Path(file).read_text(encoding="utf-8"), link


def test_a_link_shows_a_step_of_a_deal(browser: Any, report: Path) -> None:
    with page(browser) as shown:
        shown.goto((report / "rulesets/six-over.html").as_uri() + "#deal-examples-agree/3")
        figure = shown.locator("#deal-examples-agree")
        assert figure.locator(".controls .small").inner_text().startswith("3 of ")
        figure.get_by_role("button", name="Next").click()
        assert shown.url.endswith("#deal-examples-agree/4")


def test_a_link_shows_a_step_of_a_deal_of_the_quiz(browser: Any, report: Path) -> None:
    """With its question, which need not be the first."""
    quiz = (report / "quiz.html").as_uri()
    with page(browser) as shown:
        shown.goto(quiz)
        deals = shown.locator("figure.deal").evaluate_all("(all) => all.map((one) => one.id)")
        assert deals
    for deal in deals:
        with page(browser) as shown:
            shown.goto(f"{quiz}#{deal}/1")
            assert shown.locator(f"#{deal} .controls .small").inner_text().startswith("1 of ")
            assert shown.locator(f"#{deal} .lanes").is_visible()
            assert shown.url.endswith(f"#{deal}/1")


@pytest.mark.parametrize(
    "place", ["%", "deal-examples-agree/99999", "deal-examples-agree/x", "deal-nobody/1"]
)
def test_a_broken_link_shows_the_page(browser: Any, report: Path, place: str) -> None:
    with page(browser) as shown:
        shown.goto((report / "rulesets/six-over.html").as_uri() + f"#{place}")
        assert "of" in shown.locator("#deal-examples-agree .controls .small").inner_text()
        statements = shown.locator(".statements li:visible")
        every = statements.count()
        shown.get_by_label("uncovered").check()
        assert statements.count() < every


def test_a_deal_is_gone_through_with_keys(browser: Any, report: Path) -> None:
    with page(browser) as shown:
        shown.goto((report / "rulesets/six-over.html").as_uri())
        shown.keyboard.press("Tab")
        assert shown.evaluate("document.activeElement.className") == "skip"
        figure = shown.locator("#deal-examples-agree")
        count = figure.locator(".controls .small")
        back, slider = figure.get_by_role("button", name="Back"), figure.get_by_role("slider")
        back.focus()
        last = int(count.inner_text().split()[-1])
        for key, now in (("ArrowLeft", last - 1), ("ArrowRight", last), ("Enter", last - 1)):
            shown.keyboard.press(key)
            assert count.inner_text() == f"{now} of {last}", key
        shown.keyboard.press("Tab")
        assert slider.evaluate("(one) => one === document.activeElement")
        shown.keyboard.press("Home")
        assert count.inner_text() == f"0 of {last}"
        assert slider.get_attribute("aria-valuetext") == f"step 0 of {last}"
        for name in ("Next", "To the end", "Copy the scenario"):
            shown.keyboard.press("Tab")
            assert shown.evaluate("document.activeElement.textContent") == name
        shown.keyboard.press("Tab")
        shown.keyboard.press("Enter")
        assert figure.locator("details").first.evaluate("(one) => one.open")


def test_a_scenario_is_copied(browser: Any, report: Path) -> None:
    """Or shown, where a browser does not let the page copy."""
    with page(browser, permissions=["clipboard-read", "clipboard-write"]) as shown:
        shown.goto((report / "rulesets/six-over.html").as_uri())
        figure = shown.locator("#deal-examples-agree")
        scenario = json.loads(figure.locator("pre").text_content())
        figure.get_by_role("button", name="Copy the scenario").click()
        figure.get_by_role("button", name="Copied").wait_for()
        assert json.loads(shown.evaluate("navigator.clipboard.readText()")) == scenario
        assert scenario["ruleset"] == "six-over"
        shown.reload()
        assert figure.locator("pre").is_hidden()
        shown.evaluate("(navigator.clipboard.writeText = () => Promise.reject()) && null")
        figure.get_by_role("button", name="Copy the scenario").click()
        figure.locator("pre").wait_for()


def test_statements_rules_and_verdicts_light_up_together(browser: Any, report: Path) -> None:
    with page(browser) as shown:
        shown.goto((report / "rulesets/six-over.html").as_uri())
        shown.locator(".statements li[data-status=encoded]").first.focus()
        assert shown.locator("#rules .lit").count() >= 1
        shown.locator(".statements li[data-status=encoded]").first.blur()
        assert shown.locator(".lit").count() == 0


def test_the_rules_of_a_step_light_up_with_it(browser: Any, report: Path) -> None:
    with page(browser) as shown:
        shown.goto((report / "rulesets/six-over.html").as_uri() + "#deal-examples-agree/1")
        lit = shown.locator("#rules .lit")
        figure = shown.locator("#deal-examples-agree")
        assert lit.evaluate_all("(all) => all.map((one) => one.id)") == ["rule-trump", "rule-kitty"]
        for _ in range(3):
            figure.get_by_role("button", name="Next").click()
        assert figure.locator(".rules").inner_text() == "Rule: follow"
        assert lit.evaluate_all("(all) => all.map((one) => one.id)") == ["rule-follow"]
        shown.mouse.move(0, 0)  # what the page scrolls under the mouse would light up
        shown.locator("#rule-trump").focus()
        assert figure.locator(".lane.lit").count() == 0
        shown.locator("#rule-follow").focus()
        assert figure.locator(".lane.lit").count() == 1
        figure.locator("summary").first.press("Enter")
        shown.locator("#rule-trump").focus()
        assert figure.locator("li.lit").all_inner_texts() == [
            "Dealer chooses trump ♠; Dealer picks up 5♣ 9♣ 6♦ 5♥"
        ]
        figure.locator(".rules a").click()
        assert shown.url.endswith("#rule-follow")


def test_a_phone_shows_one_part_of_a_ruleset_at_a_time(browser: Any, report: Path) -> None:
    """The part that a tab or a link leads to; on paper all of them."""
    with page(browser, 390) as shown:
        shown.goto((report / "rulesets/six-over.html").as_uri())
        parts = shown.locator(".columns > section:visible")

        def one() -> str:
            assert parts.count() == 1
            assert shown.locator(".tabs [aria-current]").count() == 1
            return str(parts.get_attribute("id"))

        assert one() == "statements"
        shown.get_by_role("navigation", name="Parts of this page").get_by_role("link", name="Rules").click()
        assert one() == "rules"
        shown.locator("#rules .cite").first.click()
        assert one() == "statements"
        assert shown.locator(".statements li:target").evaluate("(it) => it.getBoundingClientRect().top >= 0")
        shown.goto((report / "rulesets/six-over.html").as_uri() + "#deal-examples-agree/3")
        assert one() == "verdicts"
        assert shown.locator("#deal-examples-agree .controls .small").inner_text().startswith("3 of ")
        shown.emulate_media(media="print")
        assert parts.count() == 3


def test_what_is_assumed_is_shown_alone(browser: Any, report: Path) -> None:
    with page(browser) as shown:
        shown.goto((report / "rulesets/six-over.html").as_uri())
        rules = shown.locator(".rule:visible")
        every = rules.count()
        shown.get_by_label("Only what is assumed or left open").check()
        assert 0 < rules.count() < every
        for text in rules.all_inner_texts():
            assert "Assumed" in text or "can be read in" in text
        shown.get_by_label("Only what is assumed or left open").uncheck()
        assert rules.count() == every


@pytest.mark.parametrize("name", [*PAGES, *PRINTED])
def test_nothing_is_cut_off_on_paper(browser: Any, report: Path, printed: Path, name: str) -> None:
    """On a sheet of A4 in landscape nothing reaches beyond the right margin, and there is a PDF."""
    with page(browser, 1040) as shown:
        shown.goto((printed / f"{name}.html" if name in PRINTED else report / name).as_uri())
        shown.emulate_media(media="print")
        beyond = shown.evaluate(
            "[...document.querySelectorAll('body *')].filter((one) => one.getClientRects().length &&"
            " one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)"
            ".map((one) => one.outerHTML.slice(0, 100))"
        )
        assert beyond == []
        assert shown.pdf(prefer_css_page_size=True).startswith(b"%PDF")


def test_two_rulesets_are_compared(browser: Any, report: Path) -> None:
    """On a phone: a list of what differs between the two, and nothing of the others."""
    with page(browser, 390) as shown:
        shown.goto((report / "compare.html").as_uri())
        columns, aspects = shown.locator(".matrix thead th:visible"), shown.locator(".aspect:visible")
        every = columns.count(), aspects.count()
        first, second = shown.locator(".pair select").all()
        first.select_option("six-over")
        assert (columns.count(), aspects.count()) == every
        for other in ("hearts", "untrusted", "pagat"):
            second.select_option(other)
            assert columns.all_inner_texts() == [
                "aspect",
                *(one for one in columns.all_inner_texts() if one in ("six-over", other)),
            ]
            assert columns.count() == 3
            for aspect in aspects.all():
                a, b = (set(one.inner_text().split(", ")) for one in aspect.locator("dt b:visible").all())
                assert not a & b
        shown.uncheck("#only-differences")
        assert aspects.count() > 10
        assert sideways(shown) <= 0
        second.select_option("")
        shown.check("#only-differences")
        assert (columns.count(), aspects.count()) == every


def test_the_quiz_asks_one_question_a_screen(browser: Any, report: Path) -> None:
    """Answers are links; at the end stand the rules that one plays, and Back leads back."""
    with page(browser) as shown:
        shown.goto((report / "quiz.html").as_uri())
        while (answers := shown.locator(".screen:visible .answers a")).count():
            assert shown.locator(".screen:visible").count() == 1
            shown.locator(".screen:visible summary").first.click(timeout=1000) if shown.locator(
                ".screen:visible summary"
            ).count() else None
            answers.last.click()
        shown.go_back()
        assert shown.locator(".screen:visible .answers a").count() > 1
        shown.go_forward()
        shown.locator(".screen:visible .cards a").first.click()
        shown.wait_for_selector("#rules")


def pasted(shown: Any, text: str) -> str:
    """What the page for programmers shows of it."""
    shown.fill("#pasted", text)
    shown.click("#show-pasted")
    return str(shown.inner_text("#pasted-deals"))


@pytest.mark.parametrize("name", ["six-over", "hearts"])
def test_pasted_vectors_are_gone_through_step_by_step(browser: Any, report: Path, name: str) -> None:
    """Each ends with the hands and tricks of its answer, as a vector and from its answer alone; every event is a step."""
    vectors = (report / f"vectors/{name}.jsonl").read_text(encoding="utf-8").splitlines()
    with page(browser) as shown:
        shown.goto((report / "implementers.html").as_uri())
        pasted(shown, "\n".join(vectors))
        assert shown.locator("#pasted-deals figure").count() == len(vectors)
        for vector in vectors:
            expected = json.loads(vector)["expected"]
            if not expected["ok"]:
                assert expected["error"]["message"].replace("`", "") in pasted(shown, vector)
                continue
            for text in (vector, json.dumps(expected)):
                pasted(shown, text)
                count = shown.locator("#pasted-deals .controls .small")
                assert count.inner_text() == f"{len(expected['events'])} of {len(expected['events'])}"
                hands = [one.inner_text().split() for one in shown.locator("#pasted-deals .hand").all()]
                for hand, cards, tricks in zip(
                    hands, expected["state"]["hands"], expected["state"]["tricks"], strict=False
                ):
                    ranks = [
                        word for word in hand[hand.index("tricks:") + 2 :] if word[-1] not in "\ufe0e♣♦♥♠"
                    ]
                    ranks = ranks[2:] if ranks[:1] == ["of"] else ranks
                    assert sorted(ranks) == sorted(card[0].replace("T", "10") for card in cards)
                    assert int(hand[hand.index("tricks:") + 1]) == tricks
                assert "not in that hand" not in shown.text_content("#pasted-deals")


def test_pasted_events_are_gone_through(browser: Any, axe: str, report: Path) -> None:
    """One a line, as a program writes them while it plays; what cannot be is said."""
    given = '{"event": "give", "player": 1, "to": 0, "cards": ["AC"]}'
    played = '{"event": "play", "player": 0, "card": "AC"}'
    with page(browser, 390, bypass_csp=True) as shown:
        shown.goto((report / "implementers.html").as_uri())
        assert "Player 0 plays A♣" in pasted(shown, f"{given}\n{played}\n")
        figure = shown.locator("#pasted-deals figure")
        assert figure.get_by_role("button", name="Copy the scenario").count() == 0
        figure.get_by_role("button", name="Back").focus()
        shown.keyboard.press("ArrowLeft")
        assert figure.locator(".says").inner_text().replace("\ufe0e", "") == "Player 1 gives A♣ to player 0"
        shown.keyboard.press("ArrowLeft")
        held = [one.inner_text().replace("\ufe0e", "").split("\n") for one in figure.locator(".hand").all()]
        assert ["♣ A" in hand for hand in held] == [False, True]
        assert violations(shown, axe) == []
        assert sideways(shown) <= 0
        assert "not in that hand" in pasted(shown, f"{played}\n{given}\n{played}\n{played}")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: expected a test vector"),
        ('{"event": "end", "winners": [0]}\n\n{"event": ', "line 3: expected one JSON value on a line"),
        ("[1]", "line 1, event 1: expected an event such as"),
        ('{"a": "<img src=x onerror=alert(1)>"}', "found {\"a\":\"<img src=x onerror=alert(1)>\"}"),
        ('{"event": "play", "player": -1, "card": "TH"}', "expected the number of a player at player, found -1"),
        ('{"event": "play", "player": 0, "card": 10}', "expected cards such as \"TH\", found 10"),
        ('{"event": "play", "card": "TH"}', "expected a player, who moves the cards"),
        ('{"ok": true, "events": [], "state": {"hands": 3}}', "at hands, found 3"),
        ('{"ok": false, "error": {"message": "no"}}', "expected events, found"),
        ('{"ruleset": "pagat", "moves": []}', "expected events, which trickproof replay answers to this scenario"),
        ('{"ok": true, "events": [{"event": "x", "player": 4}], "state": {"hands": [[], []]}}', "players from 0 to 1"),
    ],
)  # fmt: skip
def test_what_is_no_deal_is_said_with_its_line(browser: Any, report: Path, text: str, told: str) -> None:
    with page(browser) as shown:
        shown.goto((report / "implementers.html").as_uri())
        assert told in pasted(shown, text)
        assert shown.locator("#pasted-deals figure, #pasted-deals img").count() == 0
