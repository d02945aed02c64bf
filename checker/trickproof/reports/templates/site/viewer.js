"use strict";
const dealViewer = (() => {
  const SIGNS = { C: "♣\uFE0E", D: "♦\uFE0E", H: "♥\uFE0E", S: "♠\uFE0E" };

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  const button = (text, press) => {
    const made = element("button", { type: "button" }, text);
    made.addEventListener("click", press);
    return made;
  };

  const details = (summary, ...inner) => element("details", {}, element("summary", {}, ...summary), ...inner);

  // Names between backticks are code.
  const coded = (text) => text.split(/`([^`]+)`/).map((part, i) => (i % 2 ? element("code", {}, part) : part));

  // ------------------------------------------------------------------ cards

  const rankOf = (card) => (card[0] === "T" ? "10" : card.slice(0, -1));
  const cardText = (card) => (SIGNS[card.slice(-1)] && card.length === 2 ? rankOf(card) + SIGNS[card.slice(-1)] : card);
  const cardSpan = (card) => element("span", { class: `suit suit-${card.slice(-1)}` }, cardText(card));

  const bySuit = (cards) => {
    const suits = new Map();
    for (const card of cards.split(" ").filter(Boolean)) {
      const suit = card.slice(-1);
      suits.set(suit, [...(suits.get(suit) || []), card]);
    }
    return [...suits].map(([suit, held]) => {
      if (!SIGNS[suit]) return element("span", { class: "suit" }, held.join(" "));
      const ranks = held.map(rankOf).reverse().join(" ");
      return element("span", { class: `suit suit-${suit}` }, `${SIGNS[suit]} ${ranks}`);
    });
  };

  const holding = (who, cards, ...more) =>
    element("div", { class: "hand" }, element("span", { class: "seat" }, who), ...more, ...bySuit(cards));

  // A rule by name, as a link to its text if the page has it.
  const ruleName = (name) => {
    const place = [`rule-${name}`, `aspect-${name}`].find((id) => document.getElementById(id));
    const words = name.replaceAll("-", " ");
    return place ? element("a", { href: `#${place}` }, words) : words;
  };

  const drawLane = (place, lane, number, several) => {
    const at = Math.min(number, lane.steps.length - 1);
    const step = lane.steps[at];
    const drawn = several ? [element("b", {}, lane.ruleset)] : [];
    drawn.push(element("p", { class: "says" }, step.says.join("; ") || (at ? "nothing is seen" : "the deal")));
    const rules = step.rules.flatMap((name, i) => [i ? ", " : step.rules.length > 1 ? "Rules: " : "Rule: ", ruleName(name)]);
    drawn.push(element("p", { class: "small rules" }, ...rules));
    place.dataset.rule = step.rules.join(" ");
    step.hands.forEach((cards, seat) => {
      const target = lane.targets.length ? ` of ${lane.targets[seat]}` : "";
      const won = step.tricks.length ? [element("span", { class: "small" }, `tricks: ${step.tricks[seat]}${target}`)] : [];
      drawn.push(holding(lane.seats[seat], cards, ...won));
    });
    if (step.kitty) drawn.push(holding("Kitty", step.kitty));
    const trick = element("div", { class: "trick" });
    if (!step.trick.length) trick.append(element("span", { class: "small" }, "no card on the table"));
    for (const [who, card] of step.trick) trick.append(element("span", {}, `${who} `, cardSpan(card)));
    drawn.push(trick);
    if (lane.ends && at === lane.steps.length - 1) drawn.push(element("p", { class: "gap" }, ...coded(lane.ends)));
    place.replaceChildren(...drawn);
  };

  // ------------------------------------------------------------- deal viewer

  // `moved` is told of every step that somebody goes to; the answer goes to a step.
  const view = (figure, deal, moved) => {
    const last = Math.max(...deal.lanes.map((lane) => lane.steps.length)) - 1;
    const lanes = element("div", { class: "lanes", "aria-live": "polite" });
    const places = deal.lanes.map(() => element("div", { class: "lane" }));
    lanes.append(...places);
    const slider = element("input", { type: "range", min: 0, max: last, step: 1, "aria-label": `Step of ${last}` });
    const count = element("span", { class: "small" });
    let now = 0;
    const show = (number, link = true) => {
      now = Math.max(0, Math.min(last, number));
      slider.value = now;
      slider.setAttribute("aria-valuetext", `step ${now} of ${last}`);
      count.textContent = `${now} of ${last}`;
      deal.lanes.forEach((lane, i) => drawLane(places[i], lane, now, deal.lanes.length > 1));
      if (link) moved(`${deal.id}/${now}`);
    };
    slider.addEventListener("input", () => show(Number(slider.value)));
    const mark = deal.lanes.length > 1 ? "To where they diverge" : "To the end";
    const copy = button("Copy the scenario", async () => {
      const text = JSON.stringify(deal.scenario);
      try {
        await navigator.clipboard.writeText(text);
        copy.textContent = "Copied";
      } catch {
        figure.querySelector("details:last-of-type").open = true;
      }
    });
    const controls = element(
      "div",
      { class: "controls" },
      element("div", { class: "steps" }, button("Back", () => show(now - 1)), slider, button("Next", () => show(now + 1)), count),
      button(mark, () => show(deal.mark)),
      ...(deal.scenario ? [copy] : []),
    );
    figure.addEventListener("keydown", (event) => {
      if (event.target === slider || event.target.tagName === "PRE") return;
      if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
        show(now + (event.key === "ArrowRight" ? 1 : -1));
        event.preventDefault();
      }
    });
    figure.querySelector("figcaption").after(lanes, controls);
    show(deal.mark, false);
    return (number) => show(number, false);
  };

  // A deal that is not in the page from its start; it may have no scenario.
  const figure = (deal) => {
    const scenario = element("pre", { tabindex: "0" }, element("code", {}, JSON.stringify(deal.scenario)));
    const sentences = deal.lanes.flatMap((lane) => [
      ...(deal.lanes.length > 1 ? [element("p", {}, element("b", {}, lane.ruleset))] : []),
      element("ol", {}, ...lane.steps.filter((step) => step.says.length).map((step) => element("li", {}, step.says.join("; ")))),
      ...(lane.ends ? [element("p", {}, ...coded(lane.ends))] : []),
    ]);
    const made = element(
      "figure",
      { class: "deal", "data-deal": deal.id },
      element("figcaption", {}, ...coded(deal.title)),
      details(["The deal in sentences"], ...sentences),
      ...(deal.scenario ? [details(["The scenario, for ", element("code", {}, "trickproof replay")], scenario)] : []),
    );
    view(made, deal, () => {});
    return made;
  };

  return { button, cardText, coded, details, element, figure, view };
})();
