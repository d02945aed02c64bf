"""The distribution is complete: built as sdist and wheel, and used outside the checkout."""

from __future__ import annotations

import ast
import importlib
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
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import is_dataclass
from pathlib import Path
from symtable import symtable
from types import CodeType
from typing import TypeGuard, get_args, get_type_hints

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


def code_of(tree: ast.Module) -> object:
    """What a module does, without docstrings, `...` statements, imports, names for types, and annotations but those of fields.

    Leaves them out of the tree, too.
    """
    _WithoutAnnotations().visit(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            kept = (part for part in node.body if not is_docstring(part) and not is_import(part))
            node.body = list(kept) or [ast.Pass()]
    tree.body = [part for part in tree.body if not is_for_types(part)]
    return _placeless(compile(ast.fix_missing_locations(tree), "module", "exec"))


def _placeless(code: CodeType) -> object:
    """A code object without places."""
    consts = [_placeless(x) if isinstance(x, CodeType) else _ordered(x) for x in code.co_consts]
    names = code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars
    given = code.co_argcount, code.co_kwonlyargcount
    return code.co_qualname, code.co_flags, code.co_code, names, consts, given


def _ordered(constant: object) -> object:
    return type(constant), sorted(map(repr, constant)) if isinstance(constant, frozenset) else repr(constant)


class _WithoutAnnotations(ast.NodeTransformer):
    """Leaves out the annotations of functions and of variables that are set, but for those of classes."""

    in_class = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self._within(node, False)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._within(node, True)

    def _within(self, node: ast.AST, in_class: bool) -> ast.AST:
        before, self.in_class = self.in_class, in_class
        self.generic_visit(node)
        self.in_class = before
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if self.in_class or node.value is None:
            return node
        return ast.copy_location(ast.Assign([node.target], node.value), node)


def public_signatures(tree: ast.Module) -> list[str]:
    """The parameters and results of functions whose names do not begin with an underscore, in public classes and outside of them."""
    signatures: list[str] = []
    bodies: list[list[ast.stmt]] = [tree.body]
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


def imported(tree: ast.Module) -> set[str]:
    """The names that a module imports from others, for all of it."""
    return {x.asname or x.name for part in tree.body if is_import(part) for x in part.names}


def mentioned(tree: ast.Module) -> set[str]:
    """The names for all of a module that its code mentions, but for its imports; not those of variables of functions."""
    tables, names = [symtable(ast.unparse(tree), "module", "exec")], set[str]()
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


def defined(tree: ast.Module) -> set[str]:
    """The names that a module defines by an assignment."""
    return {
        x.id
        for part in tree.body
        if isinstance(part, ast.Assign)
        for x in part.targets
        if isinstance(x, ast.Name)
    }


def is_docstring(part: ast.stmt) -> bool:
    constant = part.value if isinstance(part, ast.Expr) else None
    return isinstance(constant, ast.Constant) and (constant.value is ... or isinstance(constant.value, str))


def ran(*command: str | Path, cwd: Path) -> tuple[int, str]:
    """The exit code and the output of a command, in an environment without the checkout."""
    env = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=env, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def run(*command: str | Path, cwd: Path) -> str:
    """The output of a command that succeeds."""
    code, output = ran(*command, cwd=cwd)
    assert code == 0, output
    return output


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


def test_what_is_left_out_of_modules_does_nothing() -> None:
    """Docstrings, annotations of inner modules, and imports and names that these alone need."""
    whole, packed = (
        {name: ast.parse((ROOT / source / name).read_bytes()) for source, name in sources()} for _ in range(2)
    )
    taken = hatch_build.leave_out(packed)
    for name, text in whole.items():
        left = packed[name]
        no_longer_set = (imported(text) - imported(left)) | (defined(text) - defined(left))
        assert no_longer_set.isdisjoint(mentioned(left)), name
        assert taken.isdisjoint(f"{hatch_build.module_name(name)}.{x}" for x in no_longer_set), name
        assert imported(left) <= imported(text), name
        if not hatch_build.is_inner(name):
            assert not no_longer_set, name
            assert public_signatures(left) == public_signatures(text), name
        if hatch_build.is_untyped(name):
            hatch_build._Unannotated(True).visit(text)
        assert code_of(left) == code_of(text), name


def test_dataclasses_that_are_read_from_json_keep_the_types_of_their_fields() -> None:
    """All that a module names which reads values by type, and what these hold."""
    reading = [
        importlib.import_module(hatch_build.module_name(name))
        for source, name in sources()
        if "typed_json import" in (ROOT / source / name).read_text(encoding="utf-8")
    ]
    found: set[type] = set()
    new: set[object] = {x for module in reading for x in vars(module).values() if isinstance(x, type)}
    while new:
        classes = {x for x in new if isinstance(x, type) and is_dataclass(x)} - found
        found |= classes
        inner = [y for x in new for y in get_args(x) if not isinstance(y, list)]
        new = {*inner}
        for kind in classes:
            with suppress(NameError):  # one whose types are not known when it runs is read from nothing
                new |= {*get_type_hints(kind).values()}
    assert len(found) > 10
    assert [x for x in found if hatch_build.is_untyped(f"{x.__module__.replace('.', '/')}.py")] == []


def test_names_that_others_may_use_are_not_shortened() -> None:
    """Those that other modules or texts mention, public ones, those of parameters in calls, and attributes."""
    text = """\
from trickproof.proofs.terms import imported
CONSTANT = 1
_ONE, _TWO = 1, 2
if CONSTANT:
    UNDER_A_CONDITION = _ONE
def public(parameter, *, option=CONSTANT):
    variable = _by_place(parameter)
    return _by_name(value=variable + imported), _mentioned(_taken(_ONE)), 'see _mentioned'
def _by_place(given):
    return [given.attribute for each in given if each.attribute]
def _by_name(value):
    return value
def _mentioned(_):
    return _TWO
def _taken(_):
    return _Class()
class _Class:
    field = 1
    def method(self, other):
        return self._private(other)
    def _private(self, another):
        return lambda value: another
"""
    taken = {"trickproof.proofs.kernel._taken"}
    packed = hatch_build.shortened(ast.parse(text), "trickproof/proofs/kernel.py", taken)
    words = set(re.findall(r"[A-Za-z_]{2,}", packed))
    assert words >= {"CONSTANT", "UNDER_A_CONDITION", "public", "parameter", "option", "value"}
    assert words >= {"_mentioned", "_taken", "attribute", "field", "method", "self", "other", "_private"}
    assert words.isdisjoint({"_ONE", "_TWO", "_by_place", "_by_name", "_Class", "given", "each", "another"})
    assert words.isdisjoint({"variable", "trickproof"})
    assert packed.startswith("from.terms import imported\n")
    unchanged = hatch_build.shortened(ast.parse(text), "trickproof_dsl/playing.py", taken)
    assert ast.dump(ast.parse(unchanged)) == ast.dump(ast.parse(text))


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


def test_an_installed_wheel_prints_what_the_source_prints(installed: Path, tmp_path: Path) -> None:
    for command in (
        ["list"],
        ["check", "six-over", "-v"],
        ["rulesheet", "spades"],
        ["simulate", "pagat", "--hands", "2000", "--seed", "1"],
        ["simulate", "hearts", "--hands", "20", "--seed", "1", "--policy", "search:10"],
    ):
        from_source = ran(sys.executable, "-m", "trickproof", *command, cwd=tmp_path)
        assert ran(installed / "trickproof", *command, cwd=tmp_path) == from_source


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
