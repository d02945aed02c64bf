"""Every command in its group, with a one-line description and examples."""

from __future__ import annotations

from collections.abc import Mapping

GROUPS: Mapping[str, Mapping[str, str]] = {
    "Check rules": {
        "check": "Check rulesets: print what is not proved, and why.",
        "explain": "Explain a check, a result word, a name in rulesets, or an error code.",
        "verify-certificate": "Verify proofs that `check --certificate` wrote, without the prover.",
    },
    "Write a house rule": {
        "new": "Write a new ruleset, with or without a base.",
        "validate": "Judge a house rule: is it sound, and what does it change?",
        "fmt": "Format ruleset files (comments are preserved).",
        "rulesheet": "Print the rules as a page for players.",
        "lsp": "Run the language server, which editors start.",
    },
    "Compare": {
        "diff": "Compare what rulesets do, with a deal that shows each difference.",
        "nearest": "Find the closest documented ruleset, with the differing aspects.",
        "quiz": "Find the questions that identify which ruleset a group plays.",
        "table": "Compare the documented rulesets aspect by aspect.",
        "sources": "Trace every statement of the documents to the rules that encode it.",
        "report": "Write rulesets, verdicts and their comparison as pages for a browser.",
        "playground": "Write the prover itself as a page for a browser.",
    },
    "Play and simulate": {
        "play": "Play a match in the terminal.",
        "simulate": "Simulate many deals and report statistics.",
        "sweep": "Sweep parameter values and compare simulation results.",
    },
    "Implement the game": {
        "replay": "Replay scenarios (JSON Lines) with the reference interpreter.",
        "vectors": "Write test vectors for an implementation, or verify a file of them.",
    },
    "This program": {
        "list": "List the rulesets and documents.",
        "cache": "Show the cache folder, or empty it.",
        "completion": "Print the completion script for a shell.",
        "man": "Print a manual page, or write them all to a folder.",
    },
}

COMMANDS: Mapping[str, str] = {name: line for group in GROUPS.values() for name, line in group.items()}
"""Every command with its one-line description, in the order of the help page."""

EXAMPLES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "check": (
        ("check pagat", "one documented ruleset"),
        ("check my.yaml --only zero-sum,no-fault -vv", "two checks, with evidence"),
    ),
    "explain": (
        ("explain zero-sum", "what a check claims"),
        ("explain E301", "what an error means"),
    ),
    "verify-certificate": (
        ("check pagat --certificate proofs.jsonl", "write the proofs"),
        ("verify-certificate proofs.jsonl", "verify them"),
    ),
    "new": (
        ("new my.yaml --base pagat", "start a house rule based on pagat"),
        ("new cards.yaml", "start a game without a base"),
    ),
    "validate": (
        ("validate my.yaml", "the verdict, and what changes"),
        ("validate my.yaml --fix", "apply the first suggested fix"),
    ),
    "fmt": (
        ("fmt my.yaml", "format a file in place"),
        ("fmt --diff my.yaml", "show what would change"),
    ),
    "rulesheet": (
        ("rulesheet pagat", "read the rules in the terminal"),
        ("rulesheet pagat -o pagat.html", "a page for a browser"),
    ),
    "lsp": (
        ("lsp", 'Neovim: cmd = { "trickproof", "lsp" }'),
        ("lsp", 'Helix: command = "trickproof", args = ["lsp"]'),
    ),
    "diff": (
        ("diff pagat tallyn", "two rulesets, aspect by aspect"),
        ("diff pagat shawn-51 nine-five-two", "which of several agree"),
    ),
    "nearest": (
        ("nearest my.yaml", "the closest documented ruleset"),
        ("nearest gamerules --json", "for programs"),
    ),
    "quiz": (
        ("quiz", "the questions for all documented rulesets"),
        ("quiz pagat tallyn shawn-51", "for three of them"),
    ),
    "table": (
        ("table pagat tallyn", "two rulesets side by side"),
        ("table --aspects kitty,trump -o two.csv", "two aspects for a spreadsheet"),
    ),
    "sources": (
        ("sources", "all documents"),
        ("sources pagat --json", "one ruleset, for programs"),
    ),
    "report": (
        ("report -o site", "all documented rulesets"),
        ("report pagat my.yaml -o site --open", "two, opened in a browser"),
    ),
    "playground": (
        ("playground -o playground", "a folder for any web host"),
        ("playground -o playground --open", "built, and opened in a browser"),
    ),
    "play": (
        ("play pagat", "a match against the greedy policy"),
        ("play pagat --state match.json", "a match that can be resumed"),
    ),
    "simulate": (
        ("simulate pagat --hands 1e6", "a million deals"),
        ("simulate pagat --compare my.yaml", "two rulesets on the same deals"),
    ),
    "sweep": (
        ("sweep nine-five-two --vary goal=8..12", "five values of a parameter"),
        ("sweep pagat --vary end=10..14 --svg end.svg", "a number in a rule, with a chart"),
    ),
    "replay": (
        ("check six-over --save-witness out", "save counterexamples"),
        ("replay out/six-over-examples-agree.jsonl", "replay one"),
    ),
    "vectors": (
        ("vectors pagat --cover > vectors.jsonl", "vectors that reach every clause"),
        ("vectors --verify vectors.jsonl", "verify a file of them"),
    ),
    "list": (
        ("list", "rulesets and documents"),
        ("list --json", "for programs"),
    ),
    "cache": (
        ("cache path", "where the cache is"),
        ("cache clear", "empty it"),
    ),
    "completion": (
        ('eval "$(trickproof completion bash)"', "bash: in ~/.bashrc"),
        ("completion fish | source", "fish"),
    ),
    "man": (
        ("man check | man -l -", "read a page"),
        ("man --output ~/.local/share/man/man1", "install all of them"),
    ),
}
"""Two commands for each, with their purposes."""


def example_lines(command: str) -> list[str]:
    """The examples as typed, each below a comment with its purpose."""
    lines = []
    for typed, purpose in EXAMPLES[command]:
        whole = typed if typed.startswith("eval ") else f"trickproof {typed}"
        lines += [f"# {purpose}", whole]
    return lines
