// The page: the editor on one side, what the prover says of its text on the other.
import { Editor } from "./editor.js";
import * as link from "./link.js";
import { showDiff, showErrors, showReplay, showTable, showValidation, showWords, Verdicts } from "./panels.js";
import { Prover } from "./prover.js";

const part = (id) => document.getElementById(id);
const status = (text) => (part("status").textContent = text);
const SOON = 350;
const LIMIT = 1000;

const fail = (text) => {
  part("problem").hidden = false;
  part("problem-text").textContent = text;
};

const main = async () => {
  if (!part("problem").hidden) return; // supported.js has said why
  const rulesets = await (await fetch("rulesets.json")).json();
  const byId = new Map(rulesets.map((one) => [one.id, one]));
  const verdicts = new Verdicts(part("findings"), part("summary"));
  let opened = "";
  let play = null;
  let scenario = "";
  let timer = 0;
  let limit = 0;

  // ------------------------------------------------------------------ prover

  // The time that an answer may take begins when there is a prover that can answer.
  let doing = "";
  const limited = () => {
    clearTimeout(limit);
    const seconds = Number(part("limit").value) || 60;
    limit = setTimeout(() => {
      prover.stop();
      status(`Stopped after ${seconds} seconds. The findings so far are shown.`);
    }, seconds * LIMIT);
  };

  const prover = new Prover(document.body.dataset.solver, (state, message) => {
    if (state === "loading") status("Starting again …");
    if (state === "ready") status(doing ? `${doing} …` : "Python is ready; the solver is loading …");
    if (state === "ready" && doing) limited();
    if (state === "solver" && !doing) status("Ready.");
    if (state === "broken") fail(`The prover cannot run in this browser: ${message}`);
    document.body.dataset.state = state;
  });

  let asked = 0;
  const ENDS = { done: "Done.", left: "", stopped: "Stopped. The findings so far are shown." };
  const ask = (request, what, heard, solver = true) => {
    clearTimeout(limit);
    const number = ++asked;
    const begun = performance.now();
    part("stop").disabled = false;
    doing = what;
    status(prover.ready ? `${what} …` : `${what}: Python is loading …`);
    document.body.dataset.busy = request.do;
    if (prover.ready) limited();
    prover.ask(
      { ...request, text: editor.text },
      (item) => {
        if (number !== asked) return undefined; // what was left for this
        if (item.kind === "read") return heard.read?.(item);
        if (item.kind === "failed") status(`${what}: ${item.message}.`);
        else if (item.kind in ENDS) status(ENDS[item.kind] && `${ENDS[item.kind]} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
        else return heard[item.kind]?.(item);
        clearTimeout(limit);
        doing = "";
        part("stop").disabled = true;
        delete document.body.dataset.busy;
        return undefined;
      },
      solver,
    );
  };

  // -------------------------------------------------------------------- text

  const errors = (item) => {
    editor.mark(item.errors);
    showErrors(part("errors"), item.errors, (offset) => editor.go(offset));
    part("no-errors").hidden = item.errors.length > 0;
    part("base").textContent = item.base || "none";
    document.body.dataset.errors = item.errors.length;
    if (item.errors.length) {
      verdicts.clear();
      part("words").replaceChildren();
    }
  };

  // Shows what the text says, if it is still the text then; `after` is called once it has been read without errors.
  const read = (after) => {
    const { text } = editor;
    let base = null;
    prover.read(text, (item) => {
      if (text !== editor.text) return;
      if (item.kind === "words") showWords(part("words"), item, base, (offset) => editor.go(offset));
      else if (item.kind === "failed") status(item.message);
      else if (item.kind === "read") {
        base = item.base;
        errors(item);
        if (!item.errors.length) after();
      }
    });
  };

  const check = () =>
    ask({ do: "check" }, "Checking", {
      read: errors,
      checks: ({ names }) => verdicts.expect(names),
      finding: (item) => verdicts.add(item),
    });

  const changed = () => {
    play = null;
    scenario = "";
    prover.leave();
    clearTimeout(timer);
    timer = setTimeout(() => {
      read(() => part("live").checked && check());
      remember();
    }, SOON);
  };

  const editor = new Editor(part("editor"), changed);

  const open = (text, name) => {
    opened = name;
    verdicts.clear();
    for (const id of ["diff", "validation", "table", "replayed", "words"]) part(id).replaceChildren();
    editor.open(text);
    read(() => {});
    check();
  };

  // -------------------------------------------------------------------- link

  const state = () => ({ text: editor.text, ...(play ? { play } : {}), ...(scenario ? { scenario } : {}) });
  const remember = async () => {
    const same = opened && byId.get(opened)?.text === editor.text && !play && !scenario;
    const written = same ? opened : await link.written(state()).then((text) => `s=${text}`, () => "");
    if (`#${written}` !== location.hash) history.replaceState(null, "", `#${written}`);
    return written;
  };

  const notice = (text) => {
    part("notice").textContent = text;
    part("notice").hidden = !text;
  };

  const follow = async () => {
    const hash = location.hash.slice(1);
    notice("");
    if (hash.startsWith("s=")) {
      try {
        const shown = await link.read(hash.slice(2));
        open(shown.text, "");
        const { moves, policy, seat, seed } = shown.play || {};
        if (Array.isArray(moves)) at_table({ moves, policy, seat, seed }, {});
        else if (typeof shown.scenario === "string") replay(shown.scenario);
        return;
      } catch (problem) {
        notice(`This link cannot be read: ${problem.message}. It may have been cut off on its way.`);
      }
    } else if (hash && !byId.has(hash) && !part(hash)) notice("This link names no ruleset.");
    const first = byId.get(hash) || rulesets[0];
    part("open").value = first.id;
    open(first.text, first.id);
  };

  // -------------------------------------------------------------------- play

  const at_table = (now, change) => {
    ask(
      { do: "play", ...now, ...change },
      "Playing",
      {
        read: errors,
        table: (item) => {
          play = { seed: now.seed, policy: now.policy, seat: now.seat, moves: item.moves };
          showTable(part("table"), item, (choice) => at_table(play, { choice }), () => at_table(play, { undo: true }));
          remember();
        },
      },
      false,
    );
  };

  const replay = (text) => {
    scenario = text;
    part("scenario").value = text;
    part("replayed").replaceChildren();
    ask({ do: "replay", scenario }, "Replaying", { read: errors, replay: (item) => showReplay(part("replayed"), item) }, false);
    remember();
  };

  // ---------------------------------------------------------------- controls

  for (const group of [true, false]) {
    const options = rulesets.filter((one) => one.documented === group);
    for (const id of ["open", "other"]) {
      const place = document.createElement("optgroup");
      place.label = group ? "From documents" : "House rules and other games";
      for (const one of options) place.append(new Option(`${one.id}: ${one.title}`, one.id));
      part(id).append(place);
    }
  }
  part("open").addEventListener("change", () => {
    const one = byId.get(part("open").value);
    open(one.text, one.id);
    remember();
  });
  part("new").addEventListener("click", () => {
    open(byId.get(part("open").value).starter, "");
    remember();
  });
  part("check").addEventListener("click", check);
  part("stop").addEventListener("click", () => prover.stop());
  part("compare").addEventListener("click", () => {
    part("diff").replaceChildren();
    const other = part("other").value || null;
    ask({ do: "diff", other }, "Comparing", { read: errors, diff: (item) => showDiff(part("diff"), item) });
  });
  part("validate").addEventListener("click", () => {
    part("validation").replaceChildren();
    ask({ do: "validate", play: part("effects").checked }, "Judging", {
      read: errors,
      progress: ({ what }) => status(`Judging: ${what} …`),
      validation: (item) => showValidation(part("validation"), item, (edits) => editor.edit(edits)),
    });
  });
  part("play").addEventListener("click", () => {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;
    at_table({ seed, policy: part("policy").value, seat: 0, moves: [] }, {});
  });
  part("replay").addEventListener("click", () => replay(part("scenario").value));
  part("share").addEventListener("click", async () => {
    if (!(await remember())) return status("No link can be made for this: it is too long, or this browser is too old.");
    const address = location.href;
    part("address").value = address;
    part("shared").hidden = false;
    try {
      await navigator.clipboard.writeText(address);
      status("Link copied.");
    } catch {
      part("address").focus();
      part("address").select();
      status("Copy the link from its field.");
    }
    return undefined;
  });
  addEventListener("hashchange", () => (part(location.hash.slice(1)) ? remember() : follow()));

  part("tool").hidden = false;
  await follow();
  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.register("sw.js").catch(() => {});
    navigator.serviceWorker.ready.then(() => (document.body.dataset.offline = "yes"));
  }
};

main().catch((problem) => fail(problem.message));
