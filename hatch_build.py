"""What goes into the wheel: every module, without the comments and docstrings that only readers of the source need.

Users of an installed trickproof ask `help()` of the public modules and read the manuals of commands and checks; those docstrings
stay.  A level of indentation is one space, no spaces are around operators, a statement is on one line, and no line is empty: a
traceback names lines of the installed modules.
Functions that users do not call (those of inner modules, private ones, and those inside of functions) have no
annotations, and neither have local variables and the variables of inner modules; fields of inner dataclasses have their types only where
something may ask for these.  What an inner module imports for annotations alone, it
does not import, and a name for a type that is in annotations only, it does not define.  Variables of one function have names of one letter in inner modules, and private functions, classes and constants short ones.  Modules are imported by their relative names.  Scripts of pages have neither indentation nor
lines that are comments; of rulesets, such lines stay empty, and their JSON Schemas are left out.  An `__init__.py` without code is left out of inner folders.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tempfile
import tokenize
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from os.path import commonpath
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

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

MANUALS = ("trickproof/checks", "trickproof/cli/commands")
"""Folders of modules whose docstrings are printed."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Holder = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


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
    """Puts modules without docstrings in the place of the source's; an editable install has the source itself."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        left_out = self.build_config.target_config["exclude"]
        sources: dict[str, bytes] = {}
        self.folder = tempfile.TemporaryDirectory(prefix="trickproof-wheel-")
        for source in SOURCES:
            base = Path(self.root, source)
            for module in sorted(base.rglob("*.py")):
                name = module.relative_to(base).as_posix()
                if f"{source}/{name}" not in left_out:
                    sources[name] = module.read_bytes()
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
        modules: dict[str, bytes] = {}
        decoded = read_by_type(sources)
        for name, whole in sources.items():
            plain = without_docstrings(without_comments(whole), name)
            plain = without_field_types(without_protocols(plain, name), name, decoded)
            modules[name] = without_unused_imports(without_inner_annotations(plain, name), name)
        taken = {name for plain in modules.values() for name in taken_from_others(plain)}
        for name, plain in modules.items():
            plain = without_unused_imports(without_unused_types(plain, name, taken), name)
            plain = without_spaces(on_one_line(indented_by_one(plain)))
            plain = with_short_private_names(with_near_imports(plain, name), name, taken)
            self.pack(name, with_short_names(plain, name), build_data)

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
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for info, content in files.items():
            if info.filename.endswith(".dist-info/RECORD"):
                lines = content.splitlines(keepends=True)
                content = b"".join(x for x in lines if x.decode().partition(",")[0] not in left_out)
            if info.filename not in left_out:
                archive.writestr(info, content, compresslevel=9)


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


def without_comments(source: bytes) -> bytes:
    """The module with as many lines."""
    lines = source.decode().split("\n")
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        if token.type == tokenize.COMMENT:
            line, column = token.start
            lines[line - 1] = lines[line - 1][:column].rstrip()
    return "\n".join(lines).encode()


def indented_by_one(source: bytes) -> bytes:
    """The module with one space for four of indentation, but for lines that continue a text."""
    lines, inside, texts = source.split(b"\n"), set[int](), list[int]()
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        if token.type == tokenize.STRING:
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
        elif tokenize.tok_name[token.type] == "FSTRING_START":
            texts.append(token.start[0])
        elif tokenize.tok_name[token.type] == "FSTRING_END":
            inside.update(range(texts.pop() + 1, token.end[0] + 1))
    for number, line in enumerate(lines, 1):
        code = line.lstrip(b" ")
        if number not in inside:
            levels, rest = divmod(len(line) - len(code), 4)
            lines[number - 1] = b" " * (levels + rest) + code
    return b"\n".join(lines)


def on_one_line(source: bytes) -> bytes:
    """The module with each statement on its first line, but for texts of several lines, and without empty lines."""
    lines = source.decode().split("\n")
    joined, filled = set[int](), set[int]()
    depth = 0
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
        elif token.type == tokenize.NL and depth:
            joined.add(token.start[0])
        if token.type != tokenize.NL:
            filled.update(range(token.start[0], token.end[0] + 1))
    result = [""]
    for row, line in enumerate(lines, 1):
        before, after = result[-1][-1:], line.lstrip(" ")[:1]
        if row - 1 in joined:
            result[-1] += (" " if _joins(before) and _joins(after) else "") + line.lstrip(" ")
        elif row in filled or line.strip():
            result.append(line)
    return "\n".join(result[1:]).encode()


def without_spaces(source: bytes) -> bytes:
    """The module without spaces between two tokens of a line that are apart without them; f-strings stay as they are."""
    lines, spans, texts = source.decode().split("\n"), list[tuple[int, int, int]](), 0
    last: tokenize.TokenInfo | None = None
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        name = tokenize.tok_name[token.type]
        same_line = last is not None and last.end[0] == token.start[0]
        if same_line and not texts and not (_joins(last.string[-1:]) and _joins(token.string[:1])):
            spans.append((token.start[0] - 1, last.end[1], token.start[1]))
        texts += (name == "FSTRING_START") - (name == "FSTRING_END")
        last = None if name in ("INDENT", "NEWLINE", "NL") else token
    for line, start, end in reversed(spans):
        lines[line] = lines[line][:start] + lines[line][end:]
    return "\n".join(lines).encode()


def _joins(sign: str) -> bool:
    """Whether a token that ends or begins with this sign could become one with another."""
    return sign.isalnum() or sign in "_."


def is_inner(name: str) -> bool:
    """Whether only trickproof itself imports the module: one that no page for users names."""
    return name.startswith(INNER) and name not in PUBLIC


def without_inner_annotations(source: bytes, name: str) -> bytes:
    """The module of that name with as many lines, without the annotations of inner functions and of local variables."""
    lines = source.split(b"\n")
    functions = list(_functions(ast.parse(source), is_inner(name)))
    spans = [span for function, inner in functions if inner for span in _annotations(function)]
    spans += [span for function, _ in functions for span in _local_annotations(function.body)]
    if is_inner(name):
        spans += [x for x in _local_annotations(ast.parse(source).body) if x not in spans]
    for first, start, last, end in sorted(spans, reverse=True):
        before = lines[first][:start]
        if lines[last][end:].lstrip().startswith(b":") and before.rstrip().endswith(b"->"):
            before = before.rstrip().removesuffix(b"->").rstrip()
        rest = [before, *[b""] * (last - first)]
        rest[-1] += lines[last][end:]
        lines[first : last + 1] = rest
    return b"\n".join(lines)


def read_by_type(modules: Mapping[str, bytes]) -> Set[str]:
    """Names of classes whose fields may be looked up with their types, and of all that these types name.

    Any class that a module names which asks for types, or uses one that reads values by type.
    """
    named: dict[str, set[str]] = {}
    """For each class the names in its fields' types; for another name, those it stands for."""
    for source in modules.values():
        for node in ast.parse(source).body:
            match node:
                case ast.ClassDef(name=name):
                    types = [x.annotation for x in node.body if isinstance(x, ast.AnnAssign)]
                    named.setdefault(name, set()).update(_names(*types, *node.bases))
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    named.setdefault(name, set()).update(_names(value))
    hinted = [Path(name).stem for name, source in modules.items() if b"get_type_hints" in source]
    asking = re.compile(rf"^ *from [\w.]*\.({'|'.join(hinted)}) import ".encode(), re.MULTILINE)
    new = _names(*[ast.parse(x) for x in modules.values() if b"get_type_hints" in x or asking.search(x)])
    found: set[str] = set()
    while new:
        found |= new
        new = {x for name in new for x in named.get(name, ())} - found
    return found


def _names(*nodes: ast.AST) -> set[str]:
    """All names in some nodes, also in types that are given as text."""
    walked = [x for node in nodes for x in ast.walk(node)]
    texts = [x.value for x in walked if isinstance(x, ast.Constant) and isinstance(x.value, str)]
    attributes = {x.attr for x in walked if isinstance(x, ast.Attribute)}
    return (
        {x.id for x in walked if isinstance(x, ast.Name)}
        | attributes
        | {x for x in texts if x.isidentifier()}
    )


def without_field_types(source: bytes, name: str, decoded: Set[str]) -> bytes:
    """An inner module with as many lines, in which dataclasses that are not `decoded` say of no field what type it has."""
    lines = source.split(b"\n")
    for node in ast.walk(ast.parse(source)) if is_inner(name) and "/core/" not in name else ():
        if (
            not isinstance(node, ast.ClassDef)
            or node.name in decoded
            or not any(map(_is_dataclass, node.decorator_list))
        ):
            continue
        for field in node.body:
            if isinstance(field, ast.AnnAssign) and _names(field.annotation).isdisjoint(
                ("ClassVar", "InitVar", "KW_ONLY")
            ):
                (first, start), (last, end) = _end(field.target), _end(field.annotation)
                lines[first : last + 1] = [
                    lines[first][:start] + b":0" + lines[last][end:],
                    *[b""] * (last - first),
                ]
    return b"\n".join(lines)


def _is_dataclass(decorator: ast.expr) -> bool:
    return "dataclass" in _names(decorator)


def without_protocols(source: bytes, name: str) -> bytes:
    """An inner module with as many lines, in which protocols do not say what they ask for, which only annotations name."""
    lines = source.split(b"\n")
    for node in ast.parse(source).body if is_inner(name) else ():
        if (
            isinstance(node, ast.ClassDef)
            and any(map(_is_protocol, node.bases))
            and all(map(_asks, node.body))
        ):
            first = min(x.lineno for x in (node.body[0], *getattr(node.body[0], "decorator_list", ())))
            last = node.body[-1].end_lineno or first
            lines[first - 1 : last] = [b"    ...", *[b""] * (last - first)]
    return b"\n".join(lines)


def _is_protocol(base: ast.expr) -> bool:
    name = base.value if isinstance(base, ast.Subscript) else base
    return isinstance(name, ast.Name) and name.id == "Protocol"


def _asks(statement: ast.stmt) -> bool:
    """Whether a statement of a protocol says what it asks for, and does nothing."""
    if isinstance(statement, Function):
        return all(isinstance(x, ast.Expr) and isinstance(x.value, ast.Constant) for x in statement.body)
    if isinstance(statement, ast.AnnAssign):
        return statement.value is None
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def without_unused_imports(source: bytes, name: str) -> bytes:
    """An inner module with as many lines, without the names that it imports and does not mention.

    Packages, and modules with a list `__all__`, import for others.
    """
    if not is_inner(name) or name.endswith("/__init__.py") or b"\n__all__ = " in source:
        return source
    lines = source.split(b"\n")
    module = ast.parse(source)
    mentioned = {node.id for node in ast.walk(module) if isinstance(node, ast.Name)}
    annotated = any(
        (isinstance(node, ast.AnnAssign) and not isinstance(node.annotation, ast.Constant))
        or (isinstance(node, Function) and any(_annotations(node)))
        for node in ast.walk(module)
    )
    for statement in module.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            lines[statement.lineno - 1] = lines[statement.lineno - 1] if annotated else b""
        elif isinstance(statement, ast.ImportFrom):
            kept = [x for x in statement.names if x.asname == x.name or (x.asname or x.name) in mentioned]
            if len(kept) < len(statement.names):
                names = ", ".join(x.name if x.asname is None else f"{x.name} as {x.asname}" for x in kept)
                text = f"from {statement.module} import {names}" if kept else ""
                last = statement.end_lineno or 0
                rest = [b""] * (last - statement.lineno)
                lines[statement.lineno - 1 : last] = [text.encode(), *rest]
    return b"\n".join(lines)


def with_near_imports(source: bytes, name: str) -> bytes:
    """A module that names others of its package from where it is, where that is shorter."""
    folder, lines = name.rpartition("/")[0], source.split(b"\n")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and name != "trickproof/__main__.py":
            there = node.module.replace(".", "/")
            shared = commonpath([folder, there])
            up = folder.count("/") - shared.count("/") + 1
            near = "." * up + there.removeprefix(shared).replace("/", ".").removeprefix(".")
            if shared and len(near) < len(node.module):
                line, start = lines[node.lineno - 1], node.col_offset + len("from ")
                lines[node.lineno - 1] = line[:start] + near.encode() + line[start + len(node.module) :]
    return b"\n".join(lines)


def with_short_names(source: bytes, name: str) -> bytes:
    """An inner module in which variables that only one function knows have names of one letter, as far as letters are free.

    Left as they are: parameters that a call may name, what functions and classes inside of it mention, and what texts mention,
    whose places in the source Python does not tell before 3.12.
    """
    if not is_inner(name):
        return source
    lines, changes = source.split(b"\n"), set[tuple[int, int, int, str]]()
    module = ast.parse(source)
    named = {x.arg for x in ast.walk(module) if isinstance(x, ast.keyword)}
    for function in (x for x in ast.walk(module) if isinstance(x, Function)):
        given = {x.arg: x for x in parameters_by_place(function, module)}
        kept = _names_kept(function, given.keys())
        names = [x for x in ast.walk(function) if isinstance(x, ast.Name)]
        set_here = {x.id for x in names if isinstance(x.ctx, ast.Store)} | given.keys()
        taken = {x.id for x in names} | given.keys() | kept | (named if given else set())
        free = [x for x in ascii_lowercase if x not in taken]
        short = dict(zip(sorted(x for x in set_here - kept if len(x) > 1), free, strict=False))
        places = [(x.lineno, x.col_offset, x.id) for x in names]
        places += [(x.lineno, x.col_offset, x.arg) for x in given.values()]
        changes |= {(line - 1, at, at + len(x), short[x]) for line, at, x in places if x in short}
    for line, start, end, letter in sorted(changes, reverse=True):
        lines[line] = lines[line][:start] + letter.encode() + lines[line][end:]
    return b"\n".join(lines)


def parameters_by_place(function: Function, module: ast.Module) -> list[ast.arg]:
    """The parameters of a private function or method, or of one inside of a function, if no call in the module names such a parameter."""
    named = {x.arg for x in ast.walk(module) if isinstance(x, ast.keyword)} | {"self"}
    outer = (*module.body, *(x for part in module.body if isinstance(part, ast.ClassDef) for x in part.body))
    private = function.name.startswith("_") and not function.name.startswith("__")
    own = (private or function not in outer) and not function.decorator_list
    return [x for x in function.args.args if x.arg not in named] if own else []


def with_short_private_names(source: bytes, name: str, taken: Set[str]) -> bytes:
    """An inner module whose private names are short, but for those that others take, or that texts mention."""
    if not is_inner(name):
        return source
    module = ast.parse(source)
    nodes = list(ast.walk(module))
    own = list(defined_at(module))
    kept = {x.arg for x in nodes if isinstance(x, ast.arg)} | {
        x.id
        for text in nodes
        if isinstance(text, ast.JoinedStr)
        for x in ast.walk(text)
        if isinstance(x, ast.Name)
    }
    kept.update(x for node in nodes if isinstance(node, ast.Global) for x in node.names)
    texts = " ".join(x.value for x in nodes if isinstance(x, ast.Constant) and isinstance(x.value, str))
    path = name.removesuffix(".py").replace("/", ".")
    long = dict.fromkeys(
        x
        for _, _, x in own
        if re.match("_[A-Za-z]", x)
        and x not in kept | taken
        and f"{path}.{x}" not in taken
        and x not in texts
    )
    words = set(re.findall(rb"\w+", source))
    free = (x for x in _SHORT if x.encode() not in words)
    places = {*own, *((x.lineno, x.col_offset, x.id) for x in nodes if isinstance(x, ast.Name))}
    return _renamed(source, places, dict(zip(long, free, strict=False)))


def _renamed(source: bytes, places: Iterable[tuple[int, int, str]], short: Mapping[str, str]) -> bytes:
    """The module with shorter names at these places."""
    lines = source.split(b"\n")
    for line, start, old in sorted(places, reverse=True):
        if old in short:
            text = lines[line - 1]
            assert text[start : start + len(old)] == old.encode()
            lines[line - 1] = text[:start] + short[old].encode() + text[start + len(old) :]
    return b"\n".join(lines)


def defined_at(module: ast.Module) -> Iterator[tuple[int, int, str]]:
    """The line, column and name of each function, class and constant of a module."""
    for x in module.body:
        match x:
            case ast.FunctionDef():
                yield x.lineno, x.col_offset + len("def "), x.name
            case ast.ClassDef():
                yield x.lineno, x.col_offset + len("class "), x.name
            case ast.Assign(targets=targets):
                for named in (y for target in targets for y in ast.walk(target)):
                    if isinstance(named, ast.Name) and isinstance(named.ctx, ast.Store):
                        yield named.lineno, named.col_offset, named.id
            case ast.AnnAssign(target=ast.Name() as named):
                yield named.lineno, named.col_offset, named.id


_SHORT = [f"_{x}{y}" for x in ("", *ascii_lowercase) for y in ascii_lowercase]


def _names_kept(function: Function, given: Set[str]) -> set[str]:
    """The names of a function that are not its own variables or parameters `given` by place, or not only, or whose places are not known."""
    outside = (function.args, *function.decorator_list, function.returns or ast.Pass())
    mentioned = [x for part in outside for x in ast.walk(part)]
    kept = {x.arg for x in mentioned if isinstance(x, ast.arg)} - given
    kept |= {x.id for x in mentioned if isinstance(x, ast.Name)}
    loose = set(_loose(function, frozenset()))
    for node in ast.walk(function):
        match node:
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                kept.update(names)
            case ast.Import() | ast.ImportFrom():
                kept.update((x.asname or x.name).partition(".")[0] for x in node.names)
            case (
                ast.MatchAs(name=str(bound))
                | ast.MatchStar(name=str(bound))
                | ast.ExceptHandler(name=str(bound))
            ):
                kept.add(bound)
            case ast.MatchMapping(rest=str(bound)):
                kept.add(bound)
            case ast.Lambda():
                kept.update(x.arg for x in ast.walk(node.args) if isinstance(x, ast.arg))
            case _ if node is not function and isinstance(node, Function | ast.ClassDef | ast.JoinedStr):
                kept.update(x.id for x in ast.walk(node) if isinstance(x, ast.Name))
                kept.update(x.arg for x in ast.walk(node) if isinstance(x, ast.arg))
                kept.add(getattr(node, "name", ""))
    return kept | {x for x, _ in loose if x not in given and (x, ast.Store) not in loose}


def _loose(node: ast.AST, bound: Set[str]) -> Iterator[tuple[str, type[ast.expr_context]]]:
    """The names that no comprehension around them binds, each with what is done with it."""
    match node:
        case ast.Name(name, ctx):
            if name not in bound:
                yield name, type(ctx)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            first, *_ = node.generators
            yield from _loose(first.iter, bound)
            targets = (x for of in node.generators for x in ast.walk(of.target))
            bound |= {x.id for x in targets if isinstance(x, ast.Name)}
            for part in ast.iter_child_nodes(node):
                yield from _loose(part, bound)
        case _:
            for part in ast.iter_child_nodes(node):
                yield from _loose(part, bound)


def taken_from_others(source: bytes) -> Iterator[str]:
    """The names that a module imports, with their modules, and those that it reads of anything, alone."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{x.name}" for x in node.names)
        elif isinstance(node, ast.Attribute):
            yield node.attr


def without_unused_types(source: bytes, name: str, taken: Set[str]) -> bytes:
    """An inner module with as many lines, without names for types that nothing uses or takes, and imports for annotations only."""
    if not is_inner(name):
        return source
    lines = source.split(b"\n")
    module = ast.parse(source)
    own = name.removesuffix(".py").replace("/", ".")
    mentioned = {x.id for x in ast.walk(module) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Load)}
    for statement in module.body:
        match statement:
            case ast.Assign(
                targets=[ast.Name(x)], value=ast.Subscript() | ast.Call(func=ast.Name("TypeVar"))
            ) if x not in mentioned and taken.isdisjoint((x, f"{own}.{x}")):
                pass
            case ast.If(test=ast.Name("TYPE_CHECKING")) if mentioned.isdisjoint(_imported(statement)):
                pass
            case _:
                continue
        last = statement.end_lineno or 0
        lines[statement.lineno - 1 : last] = [b""] * (last - statement.lineno + 1)
    return b"\n".join(lines)


def _imported(statement: ast.If) -> set[str]:
    imports = (x for x in statement.body if isinstance(x, ast.Import | ast.ImportFrom))
    return {(x.asname or x.name).partition(".")[0] for one in imports for x in one.names}


def _functions(node: ast.AST, inner: bool) -> Iterator[tuple[Function, bool]]:
    """All functions, and whether they are inner ones: private ones, and those inside of functions or of private classes, too."""
    for part in ast.iter_child_nodes(node):
        own = inner
        if isinstance(part, Function | ast.ClassDef):
            own = inner or (part.name.startswith("_") and not part.name.startswith("__"))
        if isinstance(part, Function):
            yield part, own
        yield from _functions(part, own or isinstance(part, Function))


def _local_annotations(body: Sequence[ast.stmt]) -> Iterator[tuple[int, int, int, int]]:
    """First line and column, last line and column of what annotates a variable that is set there; those of functions and classes inside are not listed."""
    rest: list[ast.AST] = list(body)
    for node in rest:
        if (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name | ast.Attribute)
            and node.value is not None
        ):
            places = *_end(node.target), *_end(node.annotation)
            yield from [places] if places[0] == places[2] else []
        if not isinstance(node, Function | ast.ClassDef):
            rest.extend(ast.iter_child_nodes(node))


def _annotations(function: Function) -> Iterator[tuple[int, int, int, int]]:
    """First line and column, last line and column of what annotates a function; of a result, without its arrow."""
    given = function.args
    for argument in (*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg):
        if argument is not None and argument.annotation is not None:
            column = argument.col_offset + len(argument.arg.encode())
            yield argument.lineno - 1, column, *_end(argument.annotation)
    if function.returns is not None:
        yield function.returns.lineno - 1, function.returns.col_offset, *_end(function.returns)


def _end(node: ast.expr) -> tuple[int, int]:
    return (node.end_lineno or 0) - 1, node.end_col_offset or 0


def without_docstrings(source: bytes, name: str) -> bytes:
    """The module of that name with as many lines, and the docstrings that are shown; a body that is nothing else becomes `...`."""
    lines = source.split(b"\n")
    for statement, alone in _hidden_docstrings(ast.parse(source), name):
        first, last = statement.lineno - 1, (statement.end_lineno or 0) - 1
        before, after = lines[first][: statement.col_offset], lines[last][statement.end_col_offset :]
        rest = [before + (b"..." if alone else b""), *[b""] * (last - first)]
        rest[-1] += after
        lines[first : last + 1] = [line.rstrip() for line in rest]
    return b"\n".join(lines)


def _hidden_docstrings(module: ast.Module, name: str) -> Iterator[tuple[ast.Expr, bool]]:
    """Texts that stand as a statement and are not shown, and whether a body is nothing else."""
    for holder in ast.walk(module):
        if isinstance(holder, Holder):
            for statement in holder.body:
                if (
                    isinstance(statement, ast.Expr)
                    and isinstance(statement.value, ast.Constant)
                    and isinstance(statement.value.value, str)
                    and not _shown(holder, name)
                ):
                    yield statement, len(holder.body) == 1


def _shown(holder: Holder, name: str) -> bool:
    """Whether users are shown the docstring: of a public name, a check's module, or a command, which is decorated."""
    if name in PUBLIC:
        return isinstance(holder, ast.Module) or not holder.name.startswith("_")
    if not name.startswith(MANUALS):
        return False
    return (
        isinstance(holder, ast.Module) if "/checks/" in name else bool(getattr(holder, "decorator_list", ()))
    )
