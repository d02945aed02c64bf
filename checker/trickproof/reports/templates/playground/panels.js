// What the prover says, as parts of the page. Everything is put in as text: a ruleset of a stranger is never markup.
const { button, coded, details, element, figure } = dealViewer;

const listed = (texts) => element("ul", {}, ...texts.map((text) => element("li", {}, ...coded(text))));

const verdictWord = (finding) => {
  const known = finding.known ? " known" : "";
  return element("span", { class: `is ${finding.verdict}${known}` }, finding.verdict + (finding.known ? " (known)" : ""));
};

const shownFinding = ({ finding, says, deal }, title) => {
  const made = element(
    "div",
    { class: "verdict", id: `check-${finding.check}`, "data-check": finding.check, "data-verdict": finding.verdict },
    element("h3", {}, `${title} `, verdictWord(finding)),
    element("p", {}, ...coded(says), " ", element("span", { class: "small" }, `[${finding.method}]`)),
  );
  if (finding.known) made.append(element("p", { class: "assumed" }, ...coded(`Known: ${finding.reason || "recorded by the ruleset"}`)));
  if (finding.gaps.length) made.append(listed(finding.details));
  if (finding.where) {
    const { file, line, column } = finding.where;
    made.append(element("p", { class: "small" }, `${file}:${line}:${column}`));
  }
  const rests = [...finding.rests_on.map((x) => `${x.kind} ${x.name}: ${x.text}`), ...finding.assumes.map((x) => `assumed: ${x}`)];
  if (rests.length) made.append(details(["What this rests on"], listed(rests)));
  if (deal) made.append(figure(deal));
  return made;
};

export const showErrors = (place, errors, go) => {
  place.replaceChildren(
    ...errors.map((error) => {
      const item = element("li", {}, ...coded(error.message), " ", element("span", { class: "small" }, `[${error.code}]`));
      if (error.help) item.append(element("span", { class: "small" }, " ", ...coded(error.help)));
      if (error.from !== null) item.append(" ", button(`Line ${error.line}`, () => go(error.from)));
      else if (error.file) item.append(element("span", { class: "small" }, ` (${error.file})`));
      return item;
    }),
  );
};

const steps = (listed) =>
  element("ul", {}, ...listed.map((step) => element("li", {}, step.text, ...(step.steps.length ? [steps(step.steps)] : []))));

// A rule is where deals refer to when it is shown first.
const shownPart = (part, go, named) => {
  const made = element("div", { class: "rule" }, element("h3", {}, part.title));
  if (part.rule && !named.has(part.rule)) made.id = `rule-${part.rule}`;
  named.add(part.rule);
  if (part.from !== null) made.firstChild.append(" ", button("In the text", () => go(part.from)));
  if (part.gap) made.append(element("p", { class: "gap" }, `Gap: ${part.gap}`));
  for (const way of part.ways) {
    if (way.name) made.append(element("p", {}, element("b", {}, way.name)));
    made.append(way.steps.length === 1 && !way.steps[0].steps.length ? element("p", {}, way.steps[0].text) : steps(way.steps));
  }
  for (const text of part.assumes) made.append(element("p", { class: "assumed" }, `Assumed: ${text}`));
  return made;
};

// Of a house rule, what it states itself is shown at once.
export const showWords = (place, { parts }, over, go) => {
  const named = new Set();
  const shown = (listed) => listed.map((part) => shownPart(part, go, named));
  const own = shown(over ? parts.filter((part) => part.from !== null) : []);
  const all = details([own.length ? "The whole game" : "All rules"], ...shown(parts));
  all.open = Boolean(place.querySelector("details")?.open);
  place.replaceChildren(...own, all);
};

// The verdicts: those of an earlier text stay, marked as such, until their checks have answered again.
export class Verdicts {
  constructor(place, summary) {
    this.place = place;
    this.summary = summary;
    this.titles = new Map();
    this.findings = new Map();
  }

  expect(names) {
    this.titles = new Map(names);
    this.findings.clear();
    for (const old of [...this.place.children]) {
      if (this.titles.has(old.dataset.check)) old.classList.add("stale");
      else old.remove();
    }
    this.count();
  }

  add(item) {
    const { check } = item.finding;
    this.findings.set(check, item.finding);
    const made = shownFinding(item, this.titles.get(check) || check);
    const old = [...this.place.children].find((child) => child.dataset.check === check);
    if (old) old.replaceWith(made);
    else {
      const order = [...this.titles.keys()];
      const after = [...this.place.children].find((child) => order.indexOf(child.dataset.check) > order.indexOf(check));
      this.place.insertBefore(made, after || null);
    }
    this.count();
  }

  count() {
    const counts = new Map();
    for (const finding of this.findings.values()) {
      const word = finding.verdict + (finding.known ? " (known)" : "");
      counts.set(word, (counts.get(word) || 0) + 1);
    }
    const words = [...counts].map(([word, number]) => `${number} ${word}`).join(" · ");
    this.summary.textContent = `${this.findings.size} of ${this.titles.size}${words ? `: ${words}` : ""}`;
  }

  clear() {
    this.place.replaceChildren();
    this.findings.clear();
    this.titles.clear();
    this.summary.textContent = "";
  }
}

export const showDiff = (place, { summary, aspects }) => {
  const same = aspects.filter((one) => one.status === "same").map((one) => one.title);
  const parts = [element("p", {}, element("b", {}, summary))];
  for (const one of aspects.filter((each) => each.status !== "same")) {
    const made = element(
      "div",
      { class: "verdict", "data-aspect": one.aspect, "data-status": one.status },
      element("h3", {}, `${one.title} `, element("span", { class: "is" }, one.status)),
    );
    if (one.says.length) made.append(listed(one.says));
    else if (one.why) made.append(element("p", {}, one.why));
    const sides = element("dl", {});
    for (const side of ["a", "b"]) {
      sides.append(element("dt", {}, side === "a" ? "Before" : "This text"), element("dd", {}, one[side].text || "nothing is said"));
    }
    made.append(details(["In words"], sides));
    if (one.deal) made.append(figure(one.deal));
    parts.push(made);
  }
  if (same.length) parts.push(element("p", {}, `Same: ${same.join(", ")}.`));
  place.replaceChildren(...parts);
};

export const showValidation = (place, { document: answer, text, reason, note }, apply) => {
  const word = element("span", { class: `is ${answer.verdict === "accepted" ? "proved" : "refuted"}` }, answer.answer);
  const parts = [element("h3", { "data-answer": answer.verdict }, `${answer.id}: `, word)];
  if (reason) parts.push(shownFinding(reason, reason.finding.check));
  answer.fixes.forEach((fix, number) => {
    const made = element("p", { class: "fix" }, `Fix ${number + 1}: ${fix.title} `);
    made.append(button("Apply", () => apply(fix.edits)));
    parts.push(made);
  });
  parts.push(details(["The whole answer"], element("pre", { tabindex: "0" }, element("code", {}, text))));
  if (note) parts.push(element("p", { class: "small" }, note));
  place.replaceChildren(...parts);
};

export const showReplay = (place, { answer, note, deal }) => {
  const parts = [];
  if (note) parts.push(element("p", { class: "small" }, note));
  if (!answer.ok) parts.push(element("p", { class: "gap" }, answer.error.message));
  if (deal) parts.push(figure(deal));
  parts.push(details(["The answer of the reference interpreter"], element("pre", { tabindex: "0" }, element("code", {}, JSON.stringify(answer)))));
  place.replaceChildren(...parts);
};

// Cards of a suit stay on one line: suits are two spaces apart.
const unbroken = (hand) => hand.replaceAll(/(?<=\S) (?=\S)/g, "\u00A0");

export const showTable = (place, item, choose, undo) => {
  const chosen = new Set();
  const lines = (texts, attributes = {}) => element("pre", { ...attributes, tabindex: "0" }, texts.join("\n"));
  const parts = [element("h3", {}, item.heading || `deal ${item.deal}`)];
  if (item.says.length) parts.push(listed(item.says));
  const shown = [...item.standing, ...item.more, ...item.hand.map(unbroken)];
  if (shown.length) parts.push(lines(shown));
  if (item.end) parts.push(element("p", {}, element("b", {}, item.end)));
  if (item.question) parts.push(element("p", { id: "play-question" }, `${item.question}:`));
  const options = element("div", { class: "controls", role: "group", "aria-labelledby": "play-question" });
  const single = !item.several || (item.low === 1 && item.high === 1);
  item.options.forEach((text, number) => {
    const made = button(text, () => {
      if (single) return choose([number]);
      if (!chosen.delete(number)) chosen.add(number);
      made.setAttribute("aria-pressed", String(chosen.has(number)));
      go.disabled = chosen.size < item.low || chosen.size > item.high;
    });
    if (!single) made.setAttribute("aria-pressed", "false");
    options.append(made);
  });
  const go = button("Choose these", () => choose([...chosen]));
  go.disabled = item.low > 0;
  if (!item.question) options.removeAttribute("aria-labelledby");
  parts.push(options);
  const more = element("div", { class: "controls" });
  if (!single) more.append(go);
  more.append(button("Undo", undo));
  parts.push(more);
  place.replaceChildren(...parts);
};
