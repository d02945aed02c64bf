"""The playground in Chromium: the real prover in a tab, which says what it says on the command line."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from browser.conftest import run, trickproof
from browser.looks import SCHEMES, WIDTHS, page, sideways, violations
from browser.texts import HOUSE, UNTRUSTED
from dsl.small_games import bundled
from trickproof.checks import all_checks
from trickproof.checks.restatements import stated_checks

pytestmark = pytest.mark.slow(every=True)

LONG = 240_000
"""Milliseconds after which something does not come any more, on a machine that does other things, too."""

LISTEN = """
window.items = [];
window.Worker = class extends Worker {
  constructor(...all) {
    super(...all);
    this.addEventListener("message", ({ data }) => data.item && window.items.push(data.item));
  }
};
"""
"""Collects what workers say."""

PATIENT = """document.addEventListener("DOMContentLoaded", () => { document.getElementById("limit").value = "600"; });"""
"""Gives a check more time than the page does by itself, after a reload, too."""

SILENT = """
window.workers = [];
window.Worker = class extends EventTarget {
  constructor() {
    super();
    this.sent = [];
    workers.push(this);
  }
  postMessage(data) { this.sent.push(data); }
  terminate() { this.ended = true; }
  tell(data) { this.dispatchEvent(new MessageEvent("message", { data })); }
};
"""
"""Workers that say only what a test lets them say, for what the page does itself."""


def ended(shown: Any) -> None:
    """Waits until nothing is under way."""
    shown.wait_for_selector("body:not([data-busy])", state="attached", timeout=LONG)


def until(shown: Any, condition: str) -> None:
    """Waits until an expression is true; Playwright's own way evaluates text in the page, which its policy forbids."""
    latest = time.monotonic() + LONG / 1000
    while not shown.evaluate(condition):
        assert time.monotonic() < latest, condition
        time.sleep(0.1)


def verdict(check: str, word: str) -> str:
    return f"#findings .verdict:not(.stale)[data-check={check}][data-verdict={word}]"


@contextmanager
def opened(browser: Any, address: str, width: int = 1280, before: str = "", **options: Any) -> Iterator[Any]:
    """The playground, with `before` run before its own scripts."""
    with page(browser, width, **options) as shown:
        shown.set_default_timeout(LONG)
        shown.add_init_script(LISTEN)
        shown.add_init_script(PATIENT)
        shown.goto(address)
        shown.wait_for_selector("#tool", timeout=LONG)
        yield shown


@contextmanager
def without_python(browser: Any, address: str, **options: Any) -> Iterator[Any]:
    """The playground with silent workers."""
    with page(browser, **options) as shown:
        shown.add_init_script(SILENT)
        shown.goto(address)
        shown.wait_for_selector("#tool")
        yield shown


def write(shown: Any, text: str) -> None:
    """Types a text in place of the one that is there."""
    shown.locator("#editor .cm-content").click()
    shown.keyboard.press("Control+A")
    shown.keyboard.insert_text(text)


def findings(shown: Any) -> dict[str, Any]:
    items = shown.evaluate("items.filter((one) => one.kind === 'finding').map((one) => one.finding)")
    return {finding["check"]: finding for finding in items}


def without_time(finding: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in finding.items() if key != "seconds"}


def test_it_says_what_the_command_line_says(
    browser: Any,
    playground: str,
    playground_files: Path,
    once: Callable[[str, Callable[[Path], None]], Path],
) -> None:
    """Every field of every finding of six-over, with the same solver and the same sampler as packages of this machine."""

    def make(folder: Path) -> None:
        pinned = [
            line.split()[0]
            for line in PINS.read_text().splitlines()
            if line.startswith(("z3-solver", "hypothesis"))
        ]
        run(
            [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", "packages", *pinned],
            folder,
        )

    packages = once("same-solver", make) / "packages"
    native = json.loads(
        trickproof("check", "six-over", "--json", "--no-cache", cwd=packages, PYTHONPATH=str(packages))
    )
    assert native["solver"] == "z3 5.3.3.0"
    with opened(browser, f"{playground}#six-over") as shown:
        shown.wait_for_selector("#findings .verdict")
        ended(shown)
        mine = findings(shown)
        assert shown.locator("#findings .verdict").count() == len(mine)
    expected = {one["check"]: without_time(one) for one in native["rulesets"][0]["findings"]}
    assert {check: without_time(one) for check, one in mine.items()} == expected


PINS = Path(__file__).parents[2] / "checker/trickproof/playground/pins/requirements.txt"


def test_a_target_turns_red_and_its_fix_turns_it_green(browser: Any, playground: str) -> None:
    with opened(browser, playground) as shown:
        write(shown, HOUSE)
        shown.wait_for_selector(verdict("target-total", "proved"))
        ended(shown)
        write(shown, HOUSE.replace("becomes 3", "becomes 4"))
        shown.wait_for_selector(verdict("target-total", "refuted"))
        ended(shown)
        assert shown.locator(".stale").count() == 0
        shown.click("#validate")
        shown.wait_for_selector("#validation [data-answer=rejected]")
        shown.locator("#validation .fix").first.get_by_role("button").click()
        shown.wait_for_selector(verdict("target-total", "proved"))
        assert shown.locator("#errors li").count() == 0


def test_what_differs_from_the_base(browser: Any, playground: str) -> None:
    with opened(browser, playground) as shown:
        write(shown, HOUSE.replace("becomes 8", "becomes 7").replace("becomes 3", "becomes 4"))
        shown.wait_for_selector(verdict("target-total", "proved"))
        shown.click("#compare")
        shown.wait_for_selector("#diff [data-aspect=targets][data-status=different] .deal")
        ended(shown)
        assert shown.locator("#diff .verdict").count() == 1


def test_errors_are_shown_while_one_writes(browser: Any, playground: str) -> None:
    with opened(browser, playground) as shown:
        write(shown, HOUSE.replace("of dealer", "of delaer"))
        shown.wait_for_selector("#errors li")
        assert "delaer" in shown.inner_text("#errors")
        assert shown.locator("#editor .cm-lintRange-error").count() >= 1
        assert shown.locator("#findings .verdict").count() == 0
        shown.locator("#errors button").first.click()
        shown.keyboard.insert_text("x")
        write(shown, HOUSE)
        shown.wait_for_selector("#no-errors")
        shown.wait_for_selector(verdict("target-total", "proved"))


def test_the_text_is_read_in_words(browser: Any, playground: str) -> None:
    """What a house rule states at once, with the way to its line, and the whole game on request."""
    with opened(browser, playground) as shown:
        write(shown, HOUSE)
        shown.wait_for_selector("#words > .rule")
        assert shown.locator("#words > .rule h3").all_inner_texts() == ["The targets In the text"]
        assert "The dealer's target is 8." in shown.inner_text("#words > .rule")
        shown.click("#words summary")
        assert shown.locator("#words details .rule").count() > 10
        places = shown.evaluate("[...document.querySelectorAll('[id^=rule-]')].map((one) => one.id)")
        assert {"rule-targets", "rule-scoring"} <= {*places}
        assert len({*places}) == len(places)
        shown.locator("#words > .rule button").click()
        shown.keyboard.insert_text("x")
        until(shown, "location.hash.startsWith('#s=')")
        shown.wait_for_selector("#errors li")
        assert "xtargets" in shown.inner_text("#errors")
        assert shown.locator("#words").inner_text() == ""


def test_a_link_shows_the_same(browser: Any, playground: str) -> None:
    text = f"# ♠ und Müller\n{HOUSE}"
    with opened(browser, playground) as shown:
        write(shown, text)
        until(shown, "location.hash.startsWith('#s=')")
        shown.click("#share")
        shown.wait_for_selector("#shared")
        address = shown.input_value("#address")
    with opened(browser, address) as shown:
        shown.wait_for_selector(verdict("target-total", "proved"))
        lines = shown.locator("#editor .cm-line").all_inner_texts()
        assert [line.strip("\n") for line in lines] == text.split("\n")


def test_a_link_is_copied(browser: Any, playground: str) -> None:
    """Or can be copied with the keys, from a field, where a browser does not let the page do so."""
    with without_python(browser, playground, permissions=["clipboard-read", "clipboard-write"]) as shown:
        write(shown, HOUSE)
        shown.click("#share")
        until(shown, "document.getElementById('status').textContent === 'Link copied.'")
        address = shown.input_value("#address")
        assert address.startswith(f"{playground}#s=")
        assert shown.evaluate("navigator.clipboard.readText()") == address
        shown.evaluate("navigator.clipboard.writeText('nothing')")
        shown.evaluate("(navigator.clipboard.writeText = () => Promise.reject()) && null")
        shown.click("#share")
        until(shown, "document.activeElement.id === 'address'")
        shown.keyboard.press("Control+C")
        assert shown.evaluate("navigator.clipboard.readText()") == address


def link_of(state: str) -> str:
    """The part of an address that holds a state."""
    packed = zlib.compress(state.encode(), wbits=-15)
    return f"s={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


BROKEN = {
    "no base64": "s=%%%",
    "no deflate": "s=AAAA",
    "nothing": "s=",
    "nobody": "nobody",
    "malformed deflate": "s=" + "A" * 5000,
    "cut off": link_of(json.dumps({"text": HOUSE}))[:-20],
    "not an object": link_of("[1]"),
    "without a text": link_of('{"play": {"moves": []}}'),
    "too much": link_of(json.dumps({"text": "x" * 100_000_000})),
}
"""Parts of addresses that are no links; the last is 130 kB that would become 100 MB."""


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_link_is_told(browser: Any, playground: str, name: str) -> None:
    assert len(BROKEN[name]) < 200_000
    with without_python(browser, f"{playground}#{BROKEN[name]}") as shown:
        shown.wait_for_selector("#notice")
        assert "This link" in shown.inner_text("#notice")
        assert "ruleset:" in shown.locator("#editor .cm-content").inner_text()


def test_a_link_asks_for_nothing_but_what_it_shows(browser: Any, playground: str) -> None:
    """Neither other jobs nor other texts, whatever the state of a match in it says."""
    match = {"moves": [], "seat": 1, "policy": "greedy", "seed": 7}
    play = {**match, "do": "validate", "text": "other", "choice": [0]}
    with without_python(
        browser, f"{playground}#{link_of(json.dumps({'text': HOUSE, 'play': play}))}"
    ) as shown:
        until(shown, "workers[0].sent.length > 1")
        asked = [{"do": "read", "text": HOUSE}, {"do": "play", "text": HOUSE, **match}]
        assert shown.evaluate("workers[0].sent.map((one) => one.request)") == asked


def test_a_text_that_is_too_long_has_no_link(browser: Any, playground: str) -> None:
    with without_python(browser, playground) as shown:
        write(shown, HOUSE + "#" * 200_000)
        shown.click("#share")
        until(shown, "document.getElementById('status').textContent.startsWith('No link')")
        assert shown.locator("#shared").is_hidden()


def test_marks_that_turn_text_round_are_shown(browser: Any, playground: str) -> None:
    with without_python(browser, playground) as shown:
        write(shown, "# \u202elive\u202c")
        assert shown.locator("#editor .cm-specialChar").count() == 2


def test_the_skip_link_leaves_the_text_alone(browser: Any, playground: str) -> None:
    with without_python(browser, playground) as shown:
        write(shown, HOUSE)
        until(shown, "location.hash.startsWith('#s=')")
        shown.locator(".skip").focus()
        shown.keyboard.press("Enter")
        until(shown, "location.hash.startsWith('#s=')")
        assert "House rule" in shown.locator("#editor .cm-content").inner_text()


def test_what_a_stranger_wrote_is_text(browser: Any, playground: str) -> None:
    with opened(browser, playground) as shown:
        write(shown, UNTRUSTED)
        shown.wait_for_selector(verdict("rules-complete", "unspecified"))
        ended(shown)
        assert shown.evaluate("window.broken") is None
        assert shown.locator("img:not(.cm-widgetBuffer)").count() == 0  # which the editor puts beside a mark
        assert sideways(shown) <= 0


def test_what_takes_long_is_stopped(browser: Any, playground: str) -> None:
    """By the button, and by itself after the time that was set; the next answer comes from a worker that stood by."""
    asked = len(all_checks()) + len(stated_checks(bundled("six-over")))
    with opened(browser, f"{playground}#six-over") as shown:
        shown.wait_for_selector("body[data-state=solver]", state="attached")
        shown.wait_for_selector("body[data-busy=check]", state="attached")
        shown.click("#stop")
        until(shown, "document.getElementById('status').textContent.startsWith('Stopped')")
        assert shown.locator("#findings .verdict").count() < asked
        shown.wait_for_selector("body[data-state=solver]", state="attached")
        shown.fill("#limit", "1")
        shown.click("#check")
        until(shown, "document.getElementById('status').textContent.startsWith('Stopped after 1 ')")
        shown.fill("#limit", "600")
        shown.click("#check")
        ended(shown)
        assert shown.locator("#findings .verdict:not(.stale)").count() == asked


def test_the_time_that_loading_takes_does_not_count(browser: Any, playground: str) -> None:
    """Nor does stopping start Python again while it is loading, as it would never get there on a slow machine."""
    with without_python(browser, playground) as shown:
        shown.fill("#limit", "1")
        shown.wait_for_timeout(1500)
        assert shown.inner_text("#status") == "Checking: Python is loading …"
        shown.click("#stop")
        assert shown.inner_text("#status").startswith("Stopped")
        shown.click("#check")
        assert shown.evaluate("workers.length === 1 && !workers[0].ended")
        shown.evaluate("workers[0].tell({ state: 'ready' })")
        until(shown, "document.getElementById('status').textContent.startsWith('Stopped after 1 ')")
        assert shown.evaluate("workers.length === 2 && workers[0].ended && !workers[1].ended")


KEPT = """(async () => {
  const asked = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const database = await asked(indexedDB.open("trickproof"));
  const held = database.transaction("found", "readwrite").objectStore("found");
  const [paths, values] = [await asked(held.getAllKeys()), await asked(held.getAll())];
  CHANGE
  database.close();
  return paths;
})()"""
"""The names of what the browser keeps, after a change of it."""

DAMAGE = """for (const [number, value] of values.entries()) {
  const word = new TextEncoder().encode("proved");
  const at = value.content.findIndex((_, i) => word.every((byte, j) => value.content[i + j] === byte));
  value.content[at] ^= 1;
  await asked(held.put(value, paths[number]));
}"""

ELSEWHERE = """for (const [number, value] of values.entries()) {
  await asked(held.put(value, paths[number].replace(/cache\\/[0-9a-f]+/, "cache/older")));
  await asked(held.delete(paths[number]));
}"""
"""As if another build had found it."""


def test_what_was_found_is_kept(browser: Any, playground: str) -> None:
    """Findings and comparisons are there again after a reload, unless somebody changed them or the prover is another."""
    with opened(browser, playground) as shown:
        write(shown, HOUSE.replace("becomes 8", "becomes 7").replace("becomes 3", "becomes 4"))
        until(shown, "items.some((one) => one.kind === 'read' && one.id === 'my')")
        shown.wait_for_selector(verdict("target-total", "proved"))
        ended(shown)
        shown.click("#compare")
        shown.wait_for_selector("#diff [data-aspect=targets][data-status=different]")
        ended(shown)
        first = findings(shown)

        def again() -> dict[str, Any]:
            shown.reload()
            shown.wait_for_selector(verdict("target-total", "proved"))
            ended(shown)
            return findings(shown)

        assert again() == first
        paths = shown.evaluate(KEPT.replace("CHANGE", ""))
        assert {path.split("/")[-2].split("-")[0] for path in paths} == {"findings", "pairs"}
        for change in (DAMAGE, ELSEWHERE):
            assert shown.evaluate(KEPT.replace("CHANGE", change)) == paths
            found = again()
            assert found != first
            assert {name: without_time(one) for name, one in found.items()} == {
                name: without_time(one) for name, one in first.items()
            }
            assert not any("older" in path for path in shown.evaluate(KEPT.replace("CHANGE", "")))
            first = found


def test_it_works_without_a_network(browser: Any, playground: str) -> None:
    with opened(browser, f"{playground}#six-over") as shown:
        shown.wait_for_selector("body[data-offline=yes]", state="attached")
        shown.context.set_offline(True)
        shown.reload()
        shown.wait_for_selector("#findings .verdict")
        assert shown.locator("#problem").is_hidden()


def test_nothing_else_can_be_asked(browser: Any, playground: str) -> None:
    """Neither by the page nor by a worker of the kind that runs the prover."""
    ask = "fetch('https://example.org/').then(() => 'answered', (problem) => problem.name)"
    worker = f"""new Promise((resolve) => {{
      const text = {json.dumps(f"{ask}.then((answer) => postMessage(answer))")};
      const url = URL.createObjectURL(new Blob([text], {{ type: "text/javascript" }}));
      new Worker(url, {{ type: "module" }}).onmessage = ({{ data }}) => resolve(data);
    }})"""
    context = browser.new_context()
    shown = context.new_page()
    refused: list[str] = []
    context.on("console", lambda message: refused.append(message.text))
    shown.goto(playground)
    assert shown.evaluate(ask) == "TypeError"
    assert shown.evaluate(worker) == "TypeError"
    assert all("Content Security Policy" in text for text in refused if "example.org" in text)
    assert any("example.org" in text for text in refused)
    context.close()


WITHOUT = {
    "delete globalThis.WebAssembly": "no WebAssembly",
    "delete HTMLScriptElement.supports": "too old",
    "delete globalThis.Worker": "too old",
    """globalThis.Worker = class extends EventTarget {
      constructor() {
        super();
        const data = { state: "broken", message: "could not allocate memory" };
        setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data })));
      }
      postMessage() {}
    }""": "could not allocate memory",
}
"""Browsers in which the prover cannot run, by what they lack, and what they say of it."""


@pytest.mark.parametrize("lack", WITHOUT)
def test_a_browser_without_what_the_prover_needs_is_told(browser: Any, playground: str, lack: str) -> None:
    with page(browser) as shown:
        shown.add_init_script(lack)
        shown.goto(playground)
        shown.wait_for_selector("#problem")
        assert WITHOUT[lack] in shown.inner_text("#problem")
        assert "trickproof report" in shown.inner_text("#problem")


def test_a_file_says_that_it_needs_a_web_address(browser: Any, playground_files: Path) -> None:
    context = browser.new_context()  # errors are part of it: Chromium refuses modules from files
    shown = context.new_page()
    shown.goto((playground_files / "index.html").as_uri())
    shown.wait_for_selector("#problem")
    assert "only from a web address" in shown.inner_text("#problem")
    context.close()


KEEPS_NOTHING = {
    "it has nothing to keep it in": (
        "delete globalThis.indexedDB;",
        "delete Navigator.prototype.serviceWorker; delete globalThis.CompressionStream;",
    ),
    "its database never answers": ("IDBFactory.prototype.open = () => ({});", ""),
}
"""What runs before the scripts of the worker and of the page of a browser that keeps nothing."""


@pytest.mark.parametrize("why", KEEPS_NOTHING)
def test_a_browser_that_keeps_nothing_runs_the_prover(browser: Any, playground: str, why: str) -> None:
    in_worker, in_page = KEEPS_NOTHING[why]

    def altered(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=in_worker + answer.text())

    with page(browser) as shown:
        shown.set_default_timeout(LONG)
        shown.route("**/kept.js", altered)
        shown.add_init_script(in_page)
        shown.add_init_script(PATIENT)
        shown.goto(f"{playground}#pagat")
        shown.wait_for_selector(verdict("target-total", "proved"))
        assert shown.locator("#problem").is_hidden()


def test_a_match_is_played(browser: Any, playground: str) -> None:
    with opened(browser, f"{playground}#six-over") as shown:
        shown.click("#play")
        shown.wait_for_selector("#table h3")
        ended(shown)
        for _ in range(6):
            options = shown.locator("#table [role=group] button")
            least = shown.evaluate("items.filter((one) => one.kind === 'table').at(-1)")
            if least["several"] and (least["low"], least["high"]) != (1, 1):
                for number in range(least["low"]):
                    options.nth(number).click()
                shown.get_by_role("button", name="Choose these").click()
            else:
                options.first.click()
            until(
                shown,
                f"items.filter((one) => one.kind === 'table').at(-1).moves.length > {len(least['moves'])}",
            )
            ended(shown)
        moves = shown.evaluate("items.filter((one) => one.kind === 'table').at(-1).moves.length")
        shown.get_by_role("button", name="Undo").click()
        until(shown, f"items.filter((one) => one.kind === 'table').at(-1).moves.length < {moves}")
        assert shown.evaluate("location.hash").startswith("#s=")


def test_a_suit_in_a_hand_stays_on_its_line(browser: Any, playground: str) -> None:
    table: dict[str, Any] = {
        "kind": "table",
        **dict.fromkeys(("heading", "end", "question"), ""),
        **{key: [] for key in ("says", "standing", "more", "options", "moves")},
        "hand": ["  you hold  ♣ J 10 2  ♥ A K"],
        "several": False,
    }
    with without_python(browser, playground) as shown:
        shown.evaluate("workers[0].tell({ state: 'ready' })")
        until(shown, "workers[0].sent.some(({ request }) => request)")
        answered = "for (const { id } of workers[0].sent) workers[0].tell({ id, item: { kind: 'done' } });"
        shown.evaluate(f"(() => {{ {answered} }})()")
        shown.click("#play")
        until(shown, "workers[0].sent.at(-1).request?.do === 'play'")
        shown.evaluate("(item) => workers[0].tell({ id: workers[0].sent.at(-1).id, item })", table)
        (said,) = shown.locator("#table pre").all_text_contents()
        assert said == "  you\u00a0hold  ♣\u00a0J\u00a010\u00a02  ♥\u00a0A\u00a0K"


def test_a_match_is_played_against_search(browser: Any, playground: str) -> None:
    with opened(browser, f"{playground}#six-over") as shown:
        shown.select_option("#policy", "search:20")
        shown.click("#play")
        shown.wait_for_selector("#table h3")
        ended(shown)
        for number in range(3):
            options = shown.locator("#table [role=group] button")
            asked = shown.evaluate("items.filter((one) => one.kind === 'table').at(-1)")
            for one in range(max(1, asked["low"])):
                options.nth(one).click()
            if asked["several"] and (asked["low"], asked["high"]) != (1, 1):
                shown.get_by_role("button", name="Choose these").click()
            until(shown, f"items.filter((one) => one.kind === 'table').length > {number + 1}")
            ended(shown)
        assert not shown.evaluate("items.filter((one) => one.kind === 'failed')")


def test_a_scenario_is_replayed(browser: Any, playground: str) -> None:
    """Pasted, with its error where a move is not allowed, and once more by a link."""
    vector = trickproof("vectors", "pagat", "-n", "1", cwd=Path.cwd()).splitlines()[0]
    scenario = json.loads(vector)["scenario"]
    with opened(browser, f"{playground}#pagat") as shown:
        shown.fill("#scenario", json.dumps(scenario))
        shown.click("#replay")
        shown.wait_for_selector("#replayed .deal")
        ended(shown)
        until(shown, "location.hash.startsWith('#s=')")
        address = shown.evaluate("location.href")
        answer = json.loads(shown.locator("#replayed > details code").text_content())
        shown.fill("#scenario", json.dumps({**scenario, "dealer": 7}))
        shown.click("#replay")
        shown.wait_for_selector("#replayed .gap")
        shown.fill("#scenario", "{")
        shown.click("#replay")
        until(shown, "document.getElementById('replayed').textContent.includes('not JSON')")
    native = subprocess.run(
        [sys.executable, "-m", "trickproof", "replay"],
        input=json.dumps(scenario),
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer == json.loads(native.stdout)
    with opened(browser, address) as shown:
        shown.wait_for_selector("#replayed .deal")
        assert json.loads(shown.input_value("#scenario")) == scenario


@pytest.mark.parametrize("width", WIDTHS)
def test_everybody_can_use_it(browser: Any, axe: str, playground: str, width: int) -> None:
    """As it opens, and with verdicts and a deal."""
    for scheme in SCHEMES:
        with opened(browser, f"{playground}#hearts", width, scheme=scheme, bypass_csp=True) as shown:
            shown.wait_for_selector("#findings .deal")
            ended(shown)
            assert violations(shown, axe) == [], scheme
            assert sideways(shown) <= 0


def test_the_same_files_are_the_same_bytes(playground_files: Path, tmp_path: Path) -> None:
    trickproof(
        "playground", "-o", "again", cwd=tmp_path, TRICKPROOF_CACHE=str(playground_files.parent / "cache")
    )
    first, again = ((folder / "files.json").read_bytes() for folder in (playground_files, tmp_path / "again"))
    assert first == again
