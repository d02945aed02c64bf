"""The distribution is complete: built as sdist and wheel, and used outside the checkout."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Iterable, Iterator, Set
from difflib import SequenceMatcher
from importlib.util import resolve_name
from pathlib import Path
from symtable import symtable
from types import CodeType
from typing import TypeGuard

import pytest
import yaml

ROOT = Path(__file__).parents[1]
_HOOK = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
assert _HOOK is not None
assert _HOOK.loader is not None
hatch_build = importlib.util.module_from_spec(_HOOK)
_HOOK.loader.exec_module(hatch_build)
DATA = {
    "trickproof/py.typed",
    "trickproof/rulesets/pagat.yaml",
    "trickproof/rulesets/documents/pagat-de.yaml",
    "trickproof/rulesets/house/no-trump.yaml",
    "trickproof_dsl/py.typed",
    "trickproof_dsl/prelude.yaml",
    "trickproof_dsl/syntax/grammar.lark",
    "trickproof_dsl/syntax/parser_tables.json",
}

_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

MOST_BYTES = 1_000_000
"""Size limit of a wheel."""

pytestmark = pytest.mark.slow


with (ROOT / "pyproject.toml").open("rb") as file:
    TARGET = tomllib.load(file)["tool"]["hatch"]["build"]["targets"]["wheel"]


def sources() -> Iterator[tuple[str, str]]:
    """Folder and name of every module."""
    for source in ("dsl", "checker"):
        for path in (ROOT / source).rglob("*.py"):
            yield source, path.relative_to(ROOT / source).as_posix()


def code_of(text: str) -> object:
    """What a module does, whatever the variables of its functions are called.

    Without docstrings, `...` statements, imports, names for types, and annotations of functions and variables outside of
    classes.
    """
    tree = _WithoutLocalAnnotations().visit(ast.parse(text))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            kept = (part for part in node.body if not is_docstring(part) and not is_import(part))
            node.body = list(kept) or [ast.Pass()]
    tree.body = [part for part in tree.body if not is_for_types(part)]
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = 1
            node.col_offset = node.end_col_offset = 0
    _NumberedVariables(tree).visit(tree)
    return _placeless(compile(ast.fix_missing_locations(tree), "module", "exec"))


def _placeless(code: CodeType) -> object:
    """A code object without places."""
    consts = [_placeless(x) if isinstance(x, CodeType) else (type(x), repr(x)) for x in code.co_consts]
    names = code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars
    given = code.co_argcount, code.co_kwonlyargcount
    return code.co_qualname, code.co_flags, code.co_code, names, consts, given


class _NumberedVariables(ast.NodeVisitor):
    """Calls the variables of functions and comprehensions by numbers, but for parameters that calls may name and what else than a name binds."""

    def __init__(self, module: ast.Module) -> None:
        self.module, self.number, self.scopes = module, 0, list[dict[str, str]]()

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._all([*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)])
        told = (x for x in ast.walk(node) if isinstance(x, ast.Global | ast.Nonlocal))
        given = {x.arg: x for x in ast.walk(node.args) if isinstance(x, ast.arg)}
        by_place = [x.arg for x in hatch_build.parameters_by_place(node, self.module)]
        kept = given.keys() - by_place
        kept |= {name for x in told for name in x.names} | set(_bound_by_texts(node))
        self._within(
            [*by_place, *(name for x in node.body for name in _set(x))], kept, [*node.args.args, *node.body]
        )

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._all([*node.args.defaults, *filter(None, node.args.kw_defaults)])
        self._within([], {x.arg for x in ast.walk(node.args) if isinstance(x, ast.arg)}, [node.body])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._all([*node.decorator_list, *node.bases, *node.keywords])
        self._within([], {name for x in node.body for name in _set(x)}, node.body)

    def generic_visit(self, node: ast.AST) -> None:
        if not isinstance(node, _Comprehension):
            super().generic_visit(node)
            return
        first, *others = node.generators
        self.visit(first.iter)
        of = [
            first.target,
            *first.ifs,
            *others,
            *(x for x in ast.iter_child_nodes(node) if x not in node.generators),
        ]
        self._within([name for x in node.generators for name in _set(x.target)], set(), of)

    def visit_Name(self, node: ast.Name) -> None:
        node.id = self._called(node.id)

    def visit_arg(self, node: ast.arg) -> None:
        node.arg = self._called(node.arg)

    def _called(self, name: str) -> str:
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), name)

    def _all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def _within(self, own: Iterable[str], kept: Set[str], nodes: Iterable[ast.AST]) -> None:
        numbered = {
            name: f"v{self.number + i}" for i, name in enumerate(dict.fromkeys(own)) if name not in kept
        }
        self.number += len(numbered) + len(kept)
        self.scopes.append(numbered | {name: name for name in kept})
        self._all(nodes)
        self.scopes.pop()


def _set(node: ast.AST) -> Iterator[str]:
    """The names that part of a function sets in it, in order."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    if isinstance(node, _Comprehension):
        yield from (x.target.id for x in ast.walk(node) if isinstance(x, ast.NamedExpr))
    elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
        for part in ast.iter_child_nodes(node):
            yield from _set(part)


def _bound_by_texts(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """The names that something else than a name binds in a function."""
    for node in ast.walk(function):
        match node:
            case (
                ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
                | ast.ExceptHandler(name=str(name))
            ):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
            case ast.Import() | ast.ImportFrom():
                yield from ((x.asname or x.name).partition(".")[0] for x in node.names)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if node is not function:
                yield node.name


class _WithoutLocalAnnotations(ast.NodeTransformer):
    """Leaves out the annotations of variables that are set, but for those of classes."""

    inside = True

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._within(node, True)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._within(node, False)

    def _within(self, node: ast.AST, inside: bool) -> ast.AST:
        before, self.inside = self.inside, inside
        self.generic_visit(node)
        self.inside = before
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if not self.inside or node.value is None or not isinstance(node.target, ast.Name):
            return node
        return ast.copy_location(ast.Assign([node.target], node.value), node)


def public_signatures(text: str) -> list[str]:
    """The parameters and results of functions whose names do not begin with an underscore, in public classes and outside of them."""
    signatures: list[str] = []
    bodies: list[list[ast.stmt]] = [ast.parse(text).body]
    for body in bodies:
        for part in body:
            if isinstance(part, ast.ClassDef) and not part.name.startswith("_"):
                bodies.append(part.body)
            if isinstance(part, ast.AnnAssign):
                signatures.append(ast.dump(part))
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and (
                not part.name.startswith("_") or part.name.startswith("__")
            ):
                signatures.append(f"{ast.dump(part.args)} -> {part.returns and ast.dump(part.returns)}")
    return signatures


def imported(text: str) -> set[str]:
    """The names that a module imports from others, for all of it."""
    return {x.asname or x.name for part in ast.parse(text).body if is_import(part) for x in part.names}


def mentioned(text: str) -> set[str]:
    """The names for all of a module that its code mentions, but for its imports; not those of variables of functions."""
    tables, names = [symtable(text, "module", "exec")], set[str]()
    for table in tables:
        whole = table.get_type() == "module"
        names |= {x.get_name() for x in table.get_symbols() if x.is_referenced() and (whole or x.is_global())}
        tables += table.get_children()
    return names


def is_import(part: ast.stmt) -> TypeGuard[ast.ImportFrom]:
    return isinstance(part, ast.ImportFrom)


def is_for_types(part: ast.stmt) -> bool:
    """Whether it imports for a type checker only, or names a type."""
    match part:
        case ast.If(test=ast.Name("TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name()], value=ast.Subscript() | ast.Call(func=ast.Name("TypeVar"))):
            return True
    return False


def defined(text: str) -> set[str]:
    """The names that a module defines by an assignment."""
    return {
        x.id
        for part in ast.parse(text).body
        if isinstance(part, ast.Assign)
        for x in part.targets
        if isinstance(x, ast.Name)
    }


def is_docstring(part: ast.stmt) -> bool:
    constant = part.value if isinstance(part, ast.Expr) else None
    return isinstance(constant, ast.Constant) and (constant.value is ... or isinstance(constant.value, str))


def run(*command: str | Path, cwd: Path) -> str:
    """The output of a command, in an environment without the checkout."""
    env = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel built from the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment with the wheel; libraries are those of this one."""
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, symlinks=os.name != "nt")
    bin_folder = home / ("Scripts" if os.name == "nt" else "bin")
    (wheel,) = built.glob("*.whl")
    pip = (sys.executable, "-m", "pip", "--python", bin_folder / "python", "install", "--quiet")
    run(*pip, "--no-index", "--no-deps", wheel, cwd=built)
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(run(bin_folder / "python", "-c", code, cwd=built).strip())
    # a .pth line adds a folder but does not process its own .pth files, such as that of an editable install
    libraries = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (packages / "libraries.pth").write_text("\n".join(sorted(libraries)) + "\n", encoding="utf-8")
    return bin_folder


def test_wheel_is_small(built: Path) -> None:
    (path,) = built.glob("*.whl")
    over = path.stat().st_size - MOST_BYTES
    assert over < 0, (
        f"{over} bytes too many: shorten something that the wheel contains; tests and docs/ do not count"
    )


def test_wheel_has_what_is_needed_and_nothing_else(built: Path) -> None:
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        names = set(wheel.namelist())
        (metadata,) = (wheel.read(name).decode() for name in names if name.endswith("/METADATA"))
    assert names >= DATA
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert "License-Expression: MIT" in metadata
    assert "Author: The trickproof authors" in metadata
    assert "Project-URL: Homepage, https://" in metadata
    assert "## Your house rule in three commands" in metadata
    assert "](docs/screens/" not in metadata
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"trickproof", "trickproof_dsl"}
    modules = {f"{source}/{name}" for source, name in sources()}
    without = set(TARGET["exclude"])
    assert without < modules
    packed = {name for name in names if name.endswith(".py")}
    missing = {name.partition("/")[2] for name in modules - without} - packed
    assert packed < {name.partition("/")[2] for name in modules - without}
    assert missing
    for source, name in sources():
        if name in missing:
            assert name.endswith("/__init__.py")
            assert name.count("/") > 1
            assert all(is_docstring(x) for x in ast.parse((ROOT / source / name).read_text()).body), name
    (record,) = (name for name in names if name.endswith("/RECORD"))
    with zipfile.ZipFile(path) as wheel:
        listed = {line.partition(",")[0] for line in wheel.read(record).decode().splitlines()}
    assert listed == names


def whole_names(text: str, name: str) -> str:
    """A module in which all that it imports has its whole name."""
    package = name.rpartition("/")[0].replace("/", ".")
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level:
            near = "." * node.level + (node.module or "")
            begin, found, end = lines[node.lineno - 1].partition(f"from {near} import")
            assert found
            lines[node.lineno - 1] = f"{begin}from {resolve_name(near, package)} import{end}"
    return "\n".join(lines)


class _LongNames(ast.NodeTransformer):
    """Gives definitions their names in the source back."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names, self.in_class = names, False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if not self.in_class:
            node.name = self.names.get(node.name, node.name)
        return self._within(node, False)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self.names.get(node.name, node.name)
        return self._within(node, True)

    def _within(self, node: ast.AST, in_class: bool) -> ast.AST:
        before, self.in_class = self.in_class, in_class
        self.generic_visit(node)
        self.in_class = before
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.names.get(node.id, node.id)
        return node


def _definitions(text: str) -> tuple[list[str], list[str]]:
    """The names that a module defines, and what is the same of each if private ones are renamed and annotations left out."""
    names, same = [], []
    for statement in ast.parse(text).body:
        for _, _, name in hatch_build.defined_at(ast.Module([statement], [])):
            names.append(name)
            value = getattr(statement, "value", None) or type(statement)()
            same.append(re.sub(r"id='_\w+'", "", ast.dump(value)) if name.startswith("_") else name)
    return names, same


def with_long_names(text: str, source: str) -> str:
    """A packed module whose definitions have the names of the source, where only private ones have others.

    Some of the source may be left out of the packed module.
    """
    (packed, ours), (whole, theirs) = map(_definitions, (text, source))
    names: dict[str, str] = {}
    for i, j, number in SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks():
        pairs = zip(packed[i : i + number], whole[j : j + number], strict=True)
        names |= {short: long for short, long in pairs if short != long}
    assert all(re.match("_[A-Za-z]", long) for long in names.values())
    assert len(set(names.values())) == len(names)
    return ast.unparse(_LongNames(names).visit(ast.parse(text))) if names else text


def test_modules_differ_from_the_source_by_docstrings_inner_annotations_and_names_only(built: Path) -> None:
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        modules = (name for name in wheel.namelist() if name.endswith(".py"))
        packed = {name: whole_names(wheel.read(name).decode(), name) for name in modules}
    asked = {x for text in packed.values() for x in hatch_build.taken_from_others(text.encode())}
    whole = {name: (ROOT / source / name).read_bytes() for source, name in sources()}
    decoded = hatch_build.read_by_type({name: whole[name] for name in packed})
    for _, name in sources():
        if name in packed:
            shown = hatch_build.without_protocols(whole[name], name)
            text = hatch_build.without_field_types(shown, name, decoded).decode()
            packed[name] = with_long_names(packed[name], text)
            undefined = defined(text) - defined(packed[name])
            assert not undefined & mentioned(packed[name]), name
            assert not {f"{name.removesuffix('.py').replace('/', '.')}.{x}" for x in undefined} & asked, name
            assert code_of(packed[name]) == code_of(text), name
            left_out = imported(text) - imported(packed[name])
            assert not left_out & mentioned(packed[name]), name
            assert imported(packed[name]) <= imported(text), name
            if not hatch_build.is_inner(name):
                assert not left_out | undefined, name
                assert public_signatures(packed[name]) == public_signatures(text), name


def test_variables_of_one_function_have_short_names() -> None:
    """Those that others see, or that stand where Python does not tell the place, keep theirs."""
    text = """\
def outer(given, *, limit=most):
    total = given
    shown = [x for x in total]
    for number in shown:
        text = f'{number}'
        total += number
    def inner():
        nonlocal total
        own = total
        return own
    match given:
        case [first, *rest]:
            other = rest
    most = other
    every = [shown for few in [given] if few]
    apart = {given: bound for bound in bound(lambda own_too: own_too or every)}
    return inner, most, apart
"""
    packed = hatch_build.with_short_names(text.encode(), "trickproof/proofs/kernel.py").decode()
    expected = text
    for name, letter in (
        ("apart", "a"),
        ("every", "b"),
        ("few", "c"),
        ("other", "d"),
        ("shown", "e"),
        ("text", "f"),
        ("own", "a"),
    ):
        expected = re.sub(rf"\b{name}\b", letter, expected)
    assert packed == expected
    assert code_of(packed) == code_of(text)
    assert hatch_build.with_short_names(text.encode(), "trickproof_dsl/playing.py").decode() == text


def test_private_names_are_short() -> None:
    """Those that other modules or texts mention keep theirs."""
    text = """\
def shown(x):
    return f'{_stated(x)}', _first(_taken(x)), 'see _named', _named(x)
def _first(x):
    return _first(x[1:])
def _taken(x):
    return x._read
def _read(_given):
    return _given
def _stated(x):
    return x
def _named(x):
    return x
class _Class:
    pass
_CONSTANT: int = _Class()
_Other = _CONSTANT
_ONE, _TWO = _BOTH = 1, 2
"""
    taken = {"trickproof.proofs.kernel._taken", "_read"}
    packed = hatch_build.with_short_private_names(
        text.encode(), "trickproof/proofs/kernel.py", taken
    ).decode()
    renamed = {"_first": "_a", "_Class": "_b", "_CONSTANT": "_c", "_Other": "_d"}
    renamed |= {"_ONE": "_e", "_TWO": "_f", "_BOTH": "_g"}
    assert packed == re.sub("|".join(renamed), lambda match: renamed[match[0]], text)
    assert (
        hatch_build.with_short_private_names(text.encode(), "trickproof_dsl/playing.py", taken).decode()
        == text
    )


def test_protocols_ask_for_what_only_annotations_name() -> None:
    text = """\
from typing import Protocol

class Asks(Protocol):
    name: str

    def answer(self) -> int:
        ...

class Does(Protocol):
    def answer(self) -> int:
        return 1
"""
    packed = hatch_build.without_protocols(text.encode(), "trickproof/proofs/kernel.py").decode()
    assert packed.split("\n") == [
        *text.split("\n")[:3],
        "    ...",
        *[""] * 4,
        *text.split("\n")[8:],
    ]
    assert hatch_build.without_protocols(text.encode(), "trickproof_dsl/playing.py").decode() == text


def test_types_of_fields_are_kept_where_values_are_read_by_type() -> None:
    reader = "from trickproof.support.typed_json import typed\ntyped(list[Read], 0)\n"
    text = """\
@dataclass(frozen=True)
class Read:
    parts: tuple[Part, ...]

@dataclass
class Part:
    number: "Number"

@dataclass
class Other(Part):
    number: Mapping[
        str, int] = field()
    of: ClassVar[int] = 0

class Plain:
    number: int
"""
    typed = ROOT / "checker/trickproof/support/typed_json.py"
    modules = {
        "trickproof/support/typed_json.py": typed.read_bytes(),
        "trickproof/check_runner/reading.py": reader.encode(),
        "trickproof/proofs/kernel.py": f"Number = Union[int, Many]\n{text}".encode(),
    }
    decoded = hatch_build.read_by_type(modules)
    assert {"Read", "Part", "Number", "Many"} <= decoded
    assert "Other" not in decoded
    packed = hatch_build.without_field_types(text.encode(), "trickproof/proofs/kernel.py", decoded).decode()
    assert packed == text.replace(": Mapping[\n        str, int] = field()", ":0 = field()\n")
    assert (
        hatch_build.without_field_types(text.encode(), "trickproof_dsl/playing.py", decoded).decode() == text
    )


def test_scripts_differ_from_the_source_by_comments_and_indentation_only(built: Path) -> None:
    """Every one is there; a text of several lines would lose its indentation."""
    (path,) = built.glob("*.whl")
    scripts = {path.relative_to(ROOT / "checker").as_posix(): path for path in ROOT.glob("checker/**/*.js")}
    with zipfile.ZipFile(path) as wheel:
        packed = {name: wheel.read(name).decode() for name in wheel.namelist() if name.endswith(".js")}
    assert packed.keys() == scripts.keys()
    for name, script in scripts.items():
        lines = script.read_text(encoding="utf-8").split("\n")
        code = [line.strip() for line in lines if not line.strip().startswith("//")]
        assert packed[name].split() == " ".join(code).split(), name
        assert all(line.count("`") % 2 == 0 for line in code if "/`" not in line), name


def test_rulesets_differ_from_the_source_by_comments_only(built: Path) -> None:
    (path,) = built.glob("*.whl")
    sources = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "rulesets").rglob("*.yaml")}
    with zipfile.ZipFile(path) as wheel:
        packed = {
            name.removeprefix("trickproof/"): wheel.read(name).decode("utf-8")
            for name in wheel.namelist()
            if name.startswith("trickproof/rulesets/")
        }
    assert packed.keys() == sources.keys()
    for name, source in sources.items():
        before, after = source.read_text(encoding="utf-8").split("\n"), packed[name].split("\n")
        assert len(before) == len(after), name
        comments = "#", "  # ----"
        assert all(
            x == y or (x.startswith(comments) and not y) for x, y in zip(before, after, strict=True)
        ), name
        assert yaml.safe_load("\n".join(before)) == yaml.safe_load(packed[name]), name


def test_sdist_has_sources_tests_and_licence(built: Path) -> None:
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert names >= {
        "LICENSE",
        "README.md",
        "pyproject.toml",
        "hatch_build.py",
        "tests/conftest.py",
        "rulesets/pagat.yaml",
    }
    assert "dsl/trickproof_dsl/syntax/parser_tables.json" in names
    assert not any(".venv" in name or "__pycache__" in name for name in names)


def test_the_checkout_is_not_used(installed: Path, tmp_path: Path) -> None:
    code = "import trickproof, trickproof_dsl; print(trickproof.__file__, trickproof_dsl.__file__)"
    printed = run(installed / "python", "-c", code, cwd=tmp_path)
    assert str(ROOT) not in printed
    assert printed.count(str(installed.parent)) == 2


def test_an_installed_wheel_lists_and_checks(installed: Path, tmp_path: Path) -> None:
    listed = run(installed / "trickproof", "list", cwd=tmp_path)
    assert "six-over" in listed
    assert "pagat-de" in listed
    assert "six-over" in run(installed / "trickproof", "check", "six-over", cwd=tmp_path)


IMPORT_ALL = """
import importlib, pathlib, trickproof, trickproof_dsl
names = []
for package in (trickproof, trickproof_dsl):
    folder = pathlib.Path(package.__file__).parent
    for path in folder.rglob("*.py"):
        name = ".".join((package.__name__, *path.relative_to(folder).with_suffix("").parts)).removesuffix(".__init__")
        if not name.startswith("trickproof.adapters.") and not name.endswith("__main__"):
            importlib.import_module(name)
            names.append(name)
print("all" if len(names) > 400 else names)
"""


def test_no_module_of_an_installed_wheel_misses_another(installed: Path, tmp_path: Path) -> None:
    assert run(installed / "python", "-c", IMPORT_ALL, cwd=tmp_path) == "all\n"


def test_what_users_are_shown_is_in_an_installed_wheel(installed: Path, tmp_path: Path) -> None:
    """Manuals of commands and checks, and docstrings of the public modules."""
    for command in (["check", "--help"], ["report", "--help"], ["cache", "--help"], ["explain", "no-fault"]):
        from_source = run(sys.executable, "-m", "trickproof", *command, cwd=tmp_path)
        assert run(installed / "trickproof", *command, cwd=tmp_path) == from_source
    code = "import trickproof_dsl as d; print(*(getattr(d, n).__doc__ is not None for n in d.__all__))"
    shown = [run(python, "-c", code, cwd=tmp_path) for python in (sys.executable, installed / "python")]
    assert shown[0] == shown[1]


def test_an_installed_wheel_writes_a_report(installed: Path, tmp_path: Path) -> None:
    words = ("report", "six-over", "-o", "site", "--no-quiz", "--deals", "50")
    run(installed / "trickproof", *words, cwd=tmp_path)
    assert (tmp_path / "site" / "rulesets" / "six-over.html").stat().st_size > 50_000


def test_an_installed_wheel_packs_itself_for_the_playground(installed: Path, tmp_path: Path) -> None:
    code = """
import io, zipfile
from trickproof.playground.python_files import archive
print(*zipfile.ZipFile(io.BytesIO(archive([]))).namelist(), sep=chr(10))
"""
    packed = set(run(installed / "python", "-c", code, cwd=tmp_path).split())
    assert packed >= {"trickproof/playground/tab.py", "trickproof/rulesets/pagat.yaml"}


def test_two_builds_give_the_same_bytes(built: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path, ROOT, cwd=tmp_path)
    for first in sorted(built.iterdir()):
        assert (tmp_path / first.name).read_bytes() == first.read_bytes(), first.name
