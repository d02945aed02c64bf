"""What goes into the wheel: every module, without the comments and docstrings that only readers of the source need.

Users of an installed trickproof ask `help()` of the public modules and read the manuals of commands and checks; those docstrings
stay, and so do the annotations of what users call.  All other modules are inner ones: they have no annotations but those that something
may ask for (of fields, in some folders), import nothing for annotations alone, and name their private functions, their variables and the modules that they import in as
few letters as python-minifier can do with, which writes all modules.  A traceback names lines of the installed modules.  Scripts of pages
have neither indentation nor lines that are comments; of rulesets, such lines stay empty, and their JSON Schemas are left out.  An
`__init__.py` without code is left out of inner folders.
"""

from __future__ import annotations

import ast
import builtins
import json
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Set
from os.path import commonpath
from pathlib import Path
from symtable import Symbol, symtable
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface
from zopfli.zlib import compress

try:
    from python_minifier import minify
except ImportError:  # there is none yet for a Python that is newer than it
    minify = None  # type: ignore[assignment]

SOURCES = ("dsl", "checker")

PUBLIC = (
    "trickproof/adapters/openspiel.py",
    "trickproof/adapters/pettingzoo.py",
    "trickproof/adapters/settings.py",
    "trickproof/simulate/api.py",
    "trickproof/support/bundled.py",
    "trickproof_dsl/__init__.py",
    "trickproof_dsl/compiled/machine.py",
    "trickproof_dsl/compiled/state.py",
    "trickproof_dsl/diagnostics/diagnostic.py",
    "trickproof_dsl/library.py",
    "trickproof_dsl/playing.py",
    "trickproof_dsl/scenarios/json_lines.py",
    "trickproof_dsl/scenarios/json_values.py",
    "trickproof_dsl/scenarios/moves.py",
    "trickproof_dsl/scenarios/replay.py",
    "trickproof_dsl/scenarios/writing.py",
    "trickproof_dsl/semantics/chance.py",
    "trickproof_dsl/semantics/decisions.py",
    "trickproof_dsl/semantics/events.py",
    "trickproof_dsl/semantics/faults.py",
)
"""Modules that docs/api.md and docs/adapters.md name, or whose names `trickproof_dsl` passes on."""

INNER = (
    "trickproof/",
    "trickproof_dsl/compiled/",
    "trickproof_dsl/core/",
    "trickproof_dsl/diagnostics/",
    "trickproof_dsl/elaboration/",
    "trickproof_dsl/files/",
    "trickproof_dsl/formatting/",
    "trickproof_dsl/scenarios/",
    "trickproof_dsl/semantics/",
    "trickproof_dsl/syntax/",
)
"""Folders of modules that users do not import, except those named above."""

TYPED = (
    "trickproof/checking/",
    "trickproof/diff/kept_pairs.py",
    "trickproof/diff/questions.py",
    "trickproof/diff/results.py",
    "trickproof/diff/rule_dependencies.py",
    "trickproof/diff/ruleset_diff.py",
    "trickproof/diff/witnesses/",
    "trickproof/play/saved_match.py",
    "trickproof/simulate/ir/",
    "trickproof/simulate/runtime/",
    "trickproof/simulate/statistics/",
    "trickproof/support/",
    "trickproof/validate/edits.py",
    "trickproof/validate/kept_effects.py",
    "trickproof_dsl/core/",
    "trickproof_dsl/diagnostics/",
    "trickproof_dsl/files/",
    "trickproof_dsl/semantics/",
)
"""Modules whose dataclasses may be read from JSON, by the types of their fields; of other inner ones nothing asks them."""


def is_untyped(name: str) -> bool:
    """Whether nothing asks what types the fields of a module's dataclasses have."""
    return is_inner(name) and not name.startswith(TYPED)


MANUALS = ("trickproof/checks", "trickproof/cli/commands")
"""Folders of modules whose docstrings are printed."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Holder = ast.Module | ast.ClassDef | Function


class ReadmeHook(MetadataHookInterface):
    """Takes README into the metadata up to the parts that refer to pictures and pages, which are not in the wheel."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": text[: text.index("## What a rule looks like")],
        }


class WheelHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts shorter modules in the place of the source's; an editable install has the source itself."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        left_out = self.build_config.target_config["exclude"]
        modules: dict[str, ast.Module] = {}
        self.folder = tempfile.TemporaryDirectory(prefix="trickproof-wheel-")
        for source in SOURCES:
            base = Path(self.root, source)
            for module in sorted(base.rglob("*.py")):
                name = module.relative_to(base).as_posix()
                if f"{source}/{name}" not in left_out:
                    modules[name] = ast.parse(module.read_bytes())
            for script in sorted((*base.rglob("*.js"), *base.rglob("*.css"))):
                self.pack(script.relative_to(base).as_posix(), plain_script(script.read_bytes()), build_data)
            for data in sorted(base.rglob("*.json")):
                short = json.dumps(json.loads(data.read_bytes()), ensure_ascii=False, separators=(",", ":"))
                self.pack(data.relative_to(base).as_posix(), short.encode(), build_data)
        rulesets = Path(self.root, "rulesets")
        for path in sorted(rulesets.rglob("*.yaml")):
            name = f"trickproof/rulesets/{path.relative_to(rulesets).as_posix()}"
            self.pack(name, plain_ruleset(path.read_bytes()), build_data)
        prelude = Path(self.root, "dsl/trickproof_dsl/prelude.yaml")
        self.pack("trickproof_dsl/prelude.yaml", plain_ruleset(prelude.read_bytes()), build_data)
        taken = leave_out(modules)
        for name, tree in modules.items():
            self.pack(name, shortened(tree, name, taken).encode(), build_data)

    def pack(self, name: str, content: bytes, build_data: dict[str, Any]) -> None:
        copy = Path(self.folder.name, name)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)
        build_data["force_include"][str(copy)] = name

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self.folder.cleanup()
            compress_well(Path(artifact_path))


def compress_well(path: Path) -> None:
    """The same archive without what is `needless`, compressed as far as possible."""
    with zipfile.ZipFile(path) as archive:
        files = {info: archive.read(info) for info in archive.infolist()}
    left_out = {info.filename for info, content in files.items() if needless(info.filename, content)}
    with zipfile.ZipFile(path, "w") as archive:
        for info, content in files.items():
            if info.filename.endswith(".dist-info/RECORD"):
                lines = content.splitlines(keepends=True)
                content = b"".join(x for x in lines if x.decode().partition(",")[0] not in left_out)
            if info.filename not in left_out:
                info.compress_type = zipfile.ZIP_DEFLATED
                with archive.open(info, "w") as member:
                    member._compressor = Compressor()  # type: ignore[attr-defined]  # zipfile has no public way to say it
                    member.write(content)


class Compressor:
    """Zopfli as `zipfile` asks for it.  Split into blocks, files as small would take twenty times as long and save 2 kB in all."""

    def __init__(self) -> None:
        self.content = b""

    def compress(self, content: bytes) -> bytes:
        self.content += content
        return b""

    def flush(self) -> bytes:
        header, checksum = 2, 4
        return compress(self.content, numiterations=5, blocksplitting=False)[header:-checksum]


def needless(name: str, content: bytes) -> bool:
    """Whether a file only says that an inner folder has modules, which Python imports without it."""
    return name.endswith("/__init__.py") and name.count("/") > 1 and content.strip() in (b"", b"...")


def plain_script(source: bytes) -> bytes:
    """A script or style without indentation and without lines that are comments; no text in it has several lines."""
    lines = (line.strip() for line in source.split(b"\n"))
    return b"".join(line + b"\n" for line in lines if line and not line.startswith(b"//"))


def plain_ruleset(source: bytes) -> bytes:
    """A ruleset in which lines that are comments are empty: those that are not indented, or rules between sections."""
    comments = b"#", b"  # ----"
    return b"".join(b"\n" if line.startswith(comments) else line for line in source.splitlines(keepends=True))


def is_inner(name: str) -> bool:
    """Whether only trickproof itself imports the module: one that no page for users names."""
    return name.startswith(INNER) and name not in PUBLIC


def leave_out(modules: Mapping[str, ast.Module]) -> Set[str]:
    """Take out of all modules what is needed only to read them; the names that any of them takes from another are returned."""
    for name, tree in modules.items():
        leave_out_docstrings(tree, name)
        if is_inner(name):
            _Unannotated(is_untyped(name)).visit(tree)
            leave_out_imports(tree, name)
    taken = {x for tree in modules.values() for x in taken_from_others(tree)}
    for name, tree in modules.items():
        if is_inner(name) and leave_out_types(tree, name, taken):
            leave_out_imports(tree, name)
    return taken


def leave_out_docstrings(tree: ast.Module, name: str) -> None:
    """Texts that stand as a statement and are not shown; a body that is nothing else becomes `...`."""
    for holder in ast.walk(tree):
        if isinstance(holder, Holder) and not _shown(holder, name):
            kept = [x for x in holder.body if not is_text(x)]
            holder.body = kept or ([] if isinstance(holder, ast.Module) else [ast.Expr(ast.Constant(...))])


def is_text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _shown(holder: Holder, name: str) -> bool:
    """Whether users are shown the docstring: of a public name, a check's module, or a command, which is decorated."""
    if name in PUBLIC:
        return isinstance(holder, ast.Module) or not holder.name.startswith("_")
    if not name.startswith(MANUALS):
        return False
    return (
        isinstance(holder, ast.Module) if "/checks/" in name else bool(getattr(holder, "decorator_list", ()))
    )


class _Unannotated(ast.NodeTransformer):
    """Leaves out the annotations of functions and of variables; fields of classes have theirs, or 0 where they are `untyped`."""

    def __init__(self, untyped: bool) -> None:
        self.untyped = untyped

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        untyped = self.untyped and any("dataclass" in ast.unparse(x) for x in node.decorator_list)
        for part in node.body:
            if not isinstance(part, ast.AnnAssign):
                self.visit(part)
            elif untyped and not ast.unparse(part.annotation).startswith(("ClassVar", "InitVar", "KW_ONLY")):
                part.annotation = ast.Constant(0)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        return node if node.value is None else ast.copy_location(ast.Assign([node.target], node.value), node)


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def taken_from_others(tree: ast.Module) -> Iterator[str]:
    """The names that a module imports, alone and with their modules, and those that it reads of anything, alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{x.name}" for x in node.names)
        elif isinstance(node, ast.Attribute):
            yield node.attr


def leave_out_types(tree: ast.Module, name: str, taken: Set[str]) -> bool:
    """Names for types that nothing uses or takes, and what is imported for these alone; whether there were any."""
    own = module_name(name)
    used = {x.id for x in ast.walk(tree) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Load)}

    def needed(statement: ast.stmt) -> bool:
        match statement:
            case ast.Assign(
                targets=[ast.Name(x)], value=ast.Subscript() | ast.Call(func=ast.Name("TypeVar"))
            ):
                return x in used or not taken.isdisjoint((x, f"{own}.{x}"))
            case ast.If(test=ast.Name("TYPE_CHECKING")):
                return not used.isdisjoint(imported(statement.body))
        return True

    before = len(tree.body)
    tree.body = [x for x in tree.body if needed(x)]
    return len(tree.body) < before


def module_name(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")


def imported(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names that imports set."""
    for x in nodes:
        if isinstance(x, ast.Import | ast.ImportFrom):
            yield from ((y.asname or y.name).partition(".")[0] for y in x.names)


def leave_out_imports(tree: ast.Module, name: str) -> None:
    """The names that an inner module imports and does not mention.

    Packages, and modules with a list `__all__`, import for others.
    """
    nodes = list(ast.walk(tree))
    mentioned = {x.id for x in nodes if isinstance(x, ast.Name)}
    if name.endswith("/__init__.py") or "__all__" in mentioned:
        return
    if any(isinstance(x, ast.AnnAssign) and not isinstance(x.annotation, ast.Constant) for x in nodes):
        mentioned.add("annotations")
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom):
            statement.names = [
                x for x in statement.names if x.asname == x.name or (x.asname or x.name) in mentioned
            ]
    tree.body = [x for x in tree.body if not isinstance(x, ast.ImportFrom) or x.names]


def shortened(tree: ast.Module, name: str, taken: Set[str]) -> str:
    """A module in as few letters as possible; only inner ones have other names for their variables and what is private in them.

    Names stay that other modules may have `taken`, that texts mention, or that a call may name a parameter by.
    """
    if minify is None:
        return ast.unparse(tree)
    nodes = list(ast.walk(tree))
    texts = " ".join(x.value for x in nodes if isinstance(x, ast.Constant) and isinstance(x.value, str))
    given = [x for x in nodes if isinstance(x, ast.arguments)]
    by_place = any(x.posonlyargs for x in given)
    if name != "trickproof/__main__.py":
        import_nearby(nodes, name)
    take_parameters_by_place(tree, nodes)
    source = ast.unparse(tree)

    def kept(symbol: Symbol) -> bool:
        own = symbol.get_name()
        seen = {own, f"{module_name(name)}.{own}"} & taken or own in texts
        return not is_private(own) or symbol.is_imported() or bool(seen)

    symbols = symtable(source, name, "exec").get_symbols()
    return minify(
        source,
        combine_imports=True,
        constant_folding=False,
        convert_posargs_to_args=not by_place,
        hoist_literals=False,
        preserve_globals=[*(x.get_name() for x in symbols if kept(x)), *dir(builtins)],
        preserve_locals=[y for x in given for y in called_by_name(x)],
        remove_annotations=False,
        remove_builtin_exception_brackets=False,
        remove_explicit_return_none=True,
        remove_object_base=False,
        remove_pass=False,
        rename_globals=is_inner(name),
        rename_locals=is_inner(name),
    )


def import_nearby(nodes: Iterable[ast.AST], name: str) -> None:
    """Name other modules of the package from where this one is, where that is shorter."""
    folder = name.rpartition("/")[0]
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            there = node.module.replace(".", "/")
            shared = commonpath([folder, there])
            up = folder.count("/") - shared.count("/") + 1
            near = there.removeprefix(shared).replace("/", ".").removeprefix(".")
            if shared and up + len(near) < len(node.module):
                node.level, node.module = up, near or None


def take_parameters_by_place(tree: ast.Module, nodes: Iterable[ast.AST]) -> None:
    """Mark parameters as positional, so that they may have other names, of functions that no other module calls by name.

    These are private functions and methods, and those inside of functions, if no call in the module names any of their parameters.
    """
    named = {x.arg for x in nodes if isinstance(x, ast.keyword)}
    outer = {id(x) for part in tree.body for x in (part, *getattr(part, "body", ()))}
    for node in nodes:
        match node:
            case ast.FunctionDef() if node.decorator_list or not (
                is_private(node.name) or id(node) not in outer
            ):
                continue
            case ast.FunctionDef() | ast.Lambda() if named.isdisjoint(x.arg for x in node.args.args):
                node.args.posonlyargs += node.args.args
                node.args.args = []


def called_by_name(given: ast.arguments) -> Iterator[str]:
    """The names of the parameters that are not only taken by place."""
    return (x.arg for x in (*given.args, given.vararg, *given.kwonlyargs, given.kwarg) if x)
