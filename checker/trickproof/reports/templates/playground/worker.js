// The worker: Python in WebAssembly, in which trickproof answers what the page asks.
import { kept } from "./kept.js";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const CACHE = "/cache/PROVER";
const OFTEN = 1000;

const at = (name) => new URL(name, import.meta.url).href;
const bytes = async (name) => {
  const answer = await fetch(at(name));
  if (!answer.ok) throw new Error(`${name} cannot be loaded (${answer.status})`);
  return answer.arrayBuffer();
};
const left = new Set();
let solver = null;

const begin = async () => {
  const python = bytes("python/trickproof.zip");
  const pyodide = await loadPyodide({
    indexURL: at("pyodide/"),
    env: { HOME: "/home/pyodide", TRICKPROOF_PLAIN: "1", TRICKPROOF_CACHE: CACHE },
    stdout: () => {},
    stderr: () => {},
  });
  const packages = pyodide.runPython("import sysconfig; sysconfig.get_path('purelib')");
  pyodide.unpackArchive(await python, "zip", { extractDir: packages });
  const tab = pyodide.runPython("from trickproof.playground.tab import Tab; Tab()");
  postMessage({ state: "ready" });
  return { pyodide, packages, tab };
};

// A browser that keeps nothing, does not answer or has lost what it kept finds everything again.
const PATIENCE = 2000;
let write = () => {};
const keep = () => {
  try {
    write();
  } catch {
    write = () => {};
  }
};
const keeping = (FS) =>
  Promise.race([
    kept(FS, CACHE).then((found) => (write = found), () => {}),
    new Promise((resolve) => setTimeout(resolve, PATIENCE)),
  ]);

const withSolver = async ({ pyodide, packages }, name) => {
  solver ??= Promise.all([bytes(`python/${name}`), keeping(pyodide.FS)]).then(([wheel]) => {
    pyodide.unpackArchive(wheel, "wheel", { extractDir: packages });
    pyodide.runPython("import importlib; importlib.invalidate_caches(); import z3");
    postMessage({ state: "solver" });
  });
  await solver;
};

// Messages that have arrived are read between two items.
const channel = new MessageChannel();
let go = null;
channel.port1.onmessage = () => go();
const pause = () =>
  new Promise((resolve) => {
    go = resolve;
    channel.port2.postMessage(null);
  });

const answer = async (begun, { id, request, solver: name }) => {
  const { tab } = await begun;
  if (left.delete(id)) {
    postMessage({ id, item: { kind: "left" } });
    return;
  }
  if (name) await withSolver(await begun, name);
  if (!request) return;
  const items = tab.ask(JSON.stringify(request));
  let written = Date.now();
  try {
    for (let item = items.next(); !item.done; item = items.next()) {
      postMessage({ id, item: JSON.parse(item.value) });
      if (Date.now() - written > OFTEN) {
        keep();
        written = Date.now();
      }
      await pause();
      if (left.delete(id)) {
        postMessage({ id, item: { kind: "left" } });
        return;
      }
    }
  } finally {
    items.destroy();
    keep();
  }
};

const begun = begin();
let line = begun.catch(() => {});
begun.catch((problem) => postMessage({ state: "broken", message: String(problem.message || problem) }));

self.addEventListener("message", ({ data }) => {
  if ("leave" in data) {
    left.add(data.leave);
    return;
  }
  line = line
    .then(() => answer(begun, data))
    .catch((problem) => {
      const message = String(problem.message || problem).trim().split("\n").pop();
      postMessage({ id: data.id, item: { kind: "failed", message } });
    });
});
