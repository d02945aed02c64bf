"""What the playground answers without its solver: words, replays, and the table, where others choose the same whatever the worker has kept."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from budget import RUN
from trickproof.playground.tab import Tab
from trickproof.support.bundled import ruleset_folder

TEXT = (ruleset_folder() / "six-over.yaml").read_text(encoding="utf-8")

WITHOUT_SOLVER = """
import json, sys
sys.modules["z3"] = None
from trickproof.playground.tab import Tab
for request in map(json.loads, sys.stdin):
    *_, answer, last = Tab().ask(json.dumps(request))
    assert json.loads(last)["kind"] == "done", last
    print(answer)
"""


def asked(tab: Tab, request: Mapping[str, object]) -> dict[str, Any]:
    items = [json.loads(item) for item in tab.ask(json.dumps(request))]
    assert [item["kind"] for item in items] == ["read", "table", "done"], items[-1]
    return dict(items[1])


@pytest.mark.slow
def test_search_that_is_kept_chooses_as_one_begun_anew() -> None:
    request = {
        "do": "play",
        "text": TEXT,
        "policy": "search:20",
        "seed": 3,
        "seat": 0,
    }
    one = Tab()
    shown = asked(one, {**request, "moves": []})
    for _ in range(4):
        chosen = {**request, "moves": shown["moves"], "choice": list(range(max(1, shown["low"])))}
        shown = asked(one, chosen)
        asked(Tab(), {**request, "seed": 4, "moves": []})
        assert asked(Tab(), chosen) == shown
    assert len(shown["moves"]) > 4


def test_a_match_goes_on_where_a_link_says() -> None:
    request = {
        "do": "play",
        "text": (ruleset_folder() / "six-over.yaml").read_text(encoding="utf-8"),
        "seed": 3,
    }
    shown = asked(Tab(), {**request, "moves": []})
    again = asked(Tab(), {**request, "moves": shown["moves"]})
    assert (again["hand"], again["options"]) == (shown["hand"], shown["options"])


DEAL = {"ruleset": "six-over", "seed": 1, "dealer": 0, "first_hand": True}

REPLAYED = {
    json.dumps(DEAL): (True, True),
    json.dumps({"scenario": DEAL, "expected": {}}): (True, True),
    json.dumps({**DEAL, "ruleset": "pagat"}): (True, True),
    json.dumps({"match": [DEAL]}): (True, True),
    json.dumps({**DEAL, "moves": [{"player": 1, "move": "play", "card": "AS"}]}): (False, True),
    json.dumps({**DEAL, "dealer": 7}): (False, False),
    json.dumps({"match": [DEAL, 3]}): (False, False),
    json.dumps({"ruleset": "six-over", "scenario": 3}): (False, False),
    "[1]": (False, False),
    "{": (False, False),
}
"""What is pasted: whether it can be replayed, and whether a deal is shown."""


@RUN
def test_what_needs_no_solver_is_answered_without_it() -> None:
    requests: list[Mapping[str, object]] = [
        {"do": "read", "text": TEXT},
        {"do": "play", "text": TEXT, "seed": 3, "moves": []},
    ]
    requests += [{"do": "replay", "text": TEXT, "scenario": written} for written in REPLAYED]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_SOLVER],
        input="\n".join(map(json.dumps, requests)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    words, table, *replays = map(json.loads, done.stdout.splitlines())
    assert words["parts"]
    assert table["question"]
    assert [(one["answer"]["ok"], one["deal"] is not None) for one in replays] == [*REPLAYED.values()]
    assert ["names pagat" in one["note"] for one in replays].count(True) == 1
