"""The playground as static files: its pages and scripts, Python in WebAssembly, the solver, the editor.

Guarantees that the same trickproof gives the same bytes, that nothing in the folder refers to another site,
and that a manifest lists every file with its digest, which tells the service worker what to cache and when it
is stale. What a tab keeps of its findings is kept under the digest of the prover.
"""

from __future__ import annotations

import base64
import hashlib
import json
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from trickproof.cli.new_ruleset_text import starter
from trickproof.playground.packages import Packages, run
from trickproof.playground.python_files import archive
from trickproof.reports.templates import page, text_of
from trickproof.support.bundled import ruleset_folder
from trickproof_dsl.library import Library

PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")

MODULES = {
    "@codemirror/commands": "dist/index.js",
    "@codemirror/lang-yaml": "dist/index.js",
    "@codemirror/language": "dist/index.js",
    "@codemirror/lint": "dist/index.js",
    "@codemirror/state": "dist/index.js",
    "@codemirror/streamparser": "dist/index.js",
    "@codemirror/view": "dist/index.js",
    "@lezer/common": "dist/index.js",
    "@lezer/highlight": "dist/index.js",
    "@lezer/lr": "dist/index.js",
    "@lezer/yaml": "dist/index.js",
    "@marijn/find-cluster-break": "src/index.js",
    "crelt": "index.js",
    "style-mod": "src/style-mod.js",
    "w3c-keyname": "index.js",
}
"""The editor's modules, one file each, by import name."""

OWN = ("app.js", "editor.js", "kept.js", "link.js", "prover.js", "panels.js", "icon.svg")
"""The page's own scripts, and its icon."""

SOLVER = "z3_solver"

FILE = Path("my.yaml")
"""The file name of a new ruleset."""


def files(packages: Packages, report: str | None = None) -> dict[str, bytes]:
    """Every file of the folder, by name; `report` is the address of a report for the page to link to."""
    contents = dict(_files(packages, report))
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(contents.items())}
    listed = json.dumps(digests, indent=1, sort_keys=True)
    contents["files.json"] = f"{listed}\n".encode()
    names = json.dumps(["./", *sorted(digests)])
    build = hashlib.sha256(listed.encode()).hexdigest()[:16]
    script = text_of("playground/sw.js").replace('"BUILD"', json.dumps(build)).replace('"FILES"', names)
    contents["sw.js"] = f"{script}\n".encode()
    return contents


def _files(packages: Packages, report: str | None) -> Iterator[tuple[str, bytes]]:
    (solver,) = (wheel for wheel in packages.wheels if wheel.name.startswith(SOLVER))
    archived = _compiled(packages, solver)
    yield f"python/{solver.name}", solver.read_bytes()
    yield "python/trickproof.zip", archived
    prover = b"".join(hashlib.sha256(part).digest() for part in (archived, solver.read_bytes()))
    worker = text_of("playground/worker.js").replace("PROVER", hashlib.sha256(prover).hexdigest()[:16])
    yield "worker.js", f"{worker}\n".encode()
    for name in PYODIDE:
        yield f"pyodide/{name}", (packages.node_modules / "pyodide" / name).read_bytes()
    for name, file in MODULES.items():
        yield f"{_flat(name)}", (packages.node_modules / name / file).read_bytes()
    for name in OWN:
        yield name, f"{text_of(f'playground/{name}')}\n".encode()
    yield "viewer.js", f"{text_of('site/viewer.js')}\n".encode()
    style = "\n".join(map(text_of, ("colours.css", "site/site.css", "playground/playground.css")))
    yield "playground.css", f"{style}\n".encode()
    yield "rulesets.json", f"{json.dumps(rulesets(), ensure_ascii=False, indent=1)}\n".encode()
    yield "index.html", f"{_index(solver.name, report)}\n".encode()


def _compiled(packages: Packages, solver: Path) -> bytes:
    """The Python archive with compiled files; node runs the tab's Python to compile them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "compile.mjs").write_text(text_of("playground/compile.mjs"), encoding="utf-8")
        (folder / "archive.zip").write_bytes(
            archive(wheel for wheel in packages.wheels if wheel is not solver)
        )
        pyodide = packages.node_modules / "pyodide"
        run(["node", "compile.mjs", str(pyodide), str(solver), "archive.zip", "result.zip"], folder, "node")
        return (folder / "result.zip").read_bytes()


def _flat(module: str) -> str:
    return f"editor/{module.replace('@', '').replace('/', '-')}.js"


def rulesets() -> list[dict[str, object]]:
    """The rulesets that can be opened, documented ones first, with their texts and a new ruleset over each."""
    library = Library([ruleset_folder()])
    documented = library.documented()
    paths = library.ruleset_paths()
    order = [*documented, *sorted(paths.keys() - set(documented))]
    listed: list[dict[str, object]] = []
    for name in order:
        ruleset, _ = library.load(name)
        if ruleset is not None:
            text = paths[name].read_text(encoding="utf-8")
            new = "\n".join(starter(FILE, ruleset, name).split("\n")[1:])  # without the schema's location
            listed.append(
                {
                    "id": name,
                    "title": ruleset.title,
                    "documented": name in documented,
                    "text": text,
                    "starter": new,
                }
            )
    return listed


def _index(solver: str, report: str | None) -> str:
    imports = {name: f"./{_flat(name)}" for name in MODULES}
    import_map = json.dumps({"imports": imports}, sort_keys=True)
    supported = text_of("playground/supported.js")
    return page(
        "playground/index.html.jinja",
        import_map=import_map,
        supported=supported,
        policy=policy(import_map, supported),
        solver=solver,
        report=report,
        version=version("trickproof"),
    )


def policy(*inline: str) -> str:
    """The content security policy: the page may run its own scripts and WebAssembly, and load its own files.

    `inline` are the scripts in the page itself. Styles are in a separate sheet, and the editor's are created by
    script; the editor sets some styles by attribute, and underlines errors with `data:` images. The worker is
    started from a `blob:` URL so that it inherits this policy.
    """
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in inline)
    scripts = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {scripts}; style-src 'self'; "
        "style-src-attr 'unsafe-inline'; "
        "worker-src 'self' blob:; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
    )
