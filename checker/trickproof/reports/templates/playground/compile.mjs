// Replaces the Python files of an archive by what the playground's Python compiles them to, which it loads in half the time, and adds
// the solver's.
// node compile.mjs PYODIDE-FOLDER SOLVER-WHEEL ARCHIVE RESULT
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

process.on("uncaughtException", (problem) => {
  console.error(String(problem.message || problem).trim().split("\n").pop());
  process.exit(1);
});

const [folder, solver, source, target] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: `${folder}/` });
pyodide.FS.writeFile("/archive.zip", readFileSync(source));
pyodide.FS.writeFile("/solver.whl", readFileSync(solver));
pyodide.runPython(`
import sysconfig, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import cache_from_source, source_hash

packages = sysconfig.get_path("purelib")
with zipfile.ZipFile("/archive.zip") as archive:
    names = {name: archive.read(name) for name in archive.namelist()}
with zipfile.ZipFile("/solver.whl") as wheel:
    modules = {name: wheel.read(name) for name in wheel.namelist() if name.endswith(".py")}
for name, text in sorted({**names, **modules}.items()):
    if name.endswith(".py"):
        code = compile(text, f"{packages}/{name}", "exec", dont_inherit=True)
        compiled = bytes(_code_to_hash_pyc(code, source_hash(text), False))
        if name in names:
            del names[name]
            names[f"{name}c"] = compiled
        else:  # beside its source, which the solver's wheel brings
            names[cache_from_source(name)] = compiled
with zipfile.ZipFile("/result.zip", "w", zipfile.ZIP_DEFLATED) as result:
    for name, content in sorted(names.items()):
        result.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
`);
writeFileSync(target, pyodide.FS.readFile("/result.zip"));
process.exit(0);
