"use strict";
// Deals pasted as JSON Lines. Nothing is played here: what the lines say has happened is shown step by step.
(() => {
  const { cardText, coded, element, figure } = dealViewer;
  const MOST = 20;
  const EVENT = '`{"event": "play", "player": 0, "card": "TH"}`';
  const pasted = document.getElementById("pasted");
  const moves = JSON.parse(pasted.dataset.moves);

  const fail = (where, expected, found) => {
    const shown = JSON.stringify(found) ?? "nothing";
    throw new Error(`${where}: expected ${expected}, found \`${shown.length > 60 ? `${shown.slice(0, 60)} …` : shown}\``);
  };
  const isObject = (it) => typeof it === "object" && it !== null && !Array.isArray(it);
  const isPlayer = (it) => Number.isInteger(it) && it >= 0 && it < 16;
  const isCards = (it) => Array.isArray(it) && it.every((card) => typeof card === "string");
  const cardsOf = (event) => (event.event === "trick" ? [] : event.cards || (event.card ? [event.card] : []));

  // ---------------------------------------------------------------- reading

  const checkEvent = (event, where) => {
    if (!isObject(event) || typeof event.event !== "string") fail(where, `an event such as ${EVENT}`, event);
    for (const key of ["player", "from", "to", "winner"]) {
      if (event[key] !== undefined && !isPlayer(event[key])) fail(where, `the number of a player at \`${key}\``, event[key]);
    }
    if (!isCards(cardsOf(event))) fail(where, 'cards such as `"TH"`', event.cards || event.card);
    if (cardsOf(event).length && event.player === undefined) fail(where, "a `player`, who moves the cards", event);
  };

  const handsOf = (part, where) => {
    const hands = part?.hands;
    if (hands === undefined || hands === null) return null;
    if (!Array.isArray(hands) || !hands.length || hands.length > 16 || !hands.every(isCards)) fail(where, "a list of cards for every player at `hands`", hands);
    return hands;
  };

  // A test vector or an answer; what an error was answered to has no events.
  const readDeal = (given, where) => {
    const answer = given.expected ?? given;
    if (!isObject(answer) || (answer.ok !== false && !Array.isArray(answer.events))) {
      const wanted = given.moves || given.match ? "events, which `trickproof replay` answers to this scenario" : `a test vector, an answer of \`trickproof replay\`, or ${EVENT}`;
      fail(where, wanted, given);
    }
    const match = given.scenario?.match;
    const scenario = Array.isArray(match) ? match.at(-1) : given.scenario;
    const ends = answer.ok === false ? String(answer.error?.message) : "";
    if (ends && !handsOf(scenario, where)) fail(where, "events", answer.error);
    const events = answer.events || [];
    events.forEach((event, nth) => checkEvent(event, `${where}, event ${nth + 1}`));
    const name = typeof given.id === "string" ? `${where}: ${given.id}` : where;
    return { title: name, where, events, answer, scenario, whole: given.scenario, ends };
  };

  const read = (text) => {
    const deals = [];
    let events = null;
    text.split("\n").forEach((written, index) => {
      const where = `line ${index + 1}`;
      if (!written.trim()) return;
      let given;
      try {
        given = JSON.parse(written);
      } catch {
        fail(where, "one JSON value on a line", written.trim());
      }
      if (isObject(given) && given.event === undefined) {
        deals.push(readDeal(given, where));
        events = null;
        return;
      }
      const several = Array.isArray(given);
      if (several || !events) {
        events = several ? given : [];
        deals.push({ title: where, where, events, answer: {}, ends: "" });
      }
      if (several) given.forEach((event, nth) => checkEvent(event, `${where}, event ${nth + 1}`));
      else checkEvent(given, where);
      if (several) events = null;
      else events.push(given);
    });
    if (!deals.length) fail("line 1", `a test vector, an answer of \`trickproof replay\`, or ${EVENT}`);
    return deals;
  };

  // ---------------------------------------------------------------- showing

  const RANKS = "23456789TJQKA";
  const sorted = (hand) => [...hand].sort((a, b) => a.slice(-1).localeCompare(b.slice(-1)) || RANKS.indexOf(a[0]) - RANKS.indexOf(b[0])).join(" ");

  const dealOf = ({ title, where, events, answer, scenario, whole, ends }, number) => {
    const known = new Map(Object.entries(moves[answer.ruleset ?? scenario?.ruleset] ?? Object.assign({}, ...Object.values(moves))));
    const dealt = handsOf(scenario, where);
    const left = handsOf(answer.state, where);
    const named = events.flatMap((event) => [event.player, event.from, event.to, event.winner]).filter(isPlayer);
    const players = (dealt || left)?.length ?? Math.max(1, ...named) + 1;
    if (named.some((player) => player >= players)) fail(where, `players from 0 to ${players - 1}`, Math.max(...named));

    // Cards that are shown stay where they are; those picked up were in no hand.
    const shown = (event) => known.get(event.event)?.[1] === "shows";
    const toHand = (event) => event.to ?? (known.get(event.event)?.[1] === "hand" ? event.player : null);
    const fromHand = (event) => (event.to === undefined && toHand(event) !== null ? null : (event.from ?? event.player));
    const move = (hands, event, backwards) => {
      const ways = [fromHand(event), toHand(event)];
      const [from, to] = backwards ? ways.reverse() : ways;
      for (const card of shown(event) ? [] : cardsOf(event)) {
        hands[from]?.delete(card);
        hands[to]?.add(card);
      }
    };
    const hands = Array.from({ length: players }, (_, player) => new Set((dealt || left)?.[player]));
    if (!dealt) for (const event of [...events].reverse()) move(hands, event, true);

    const kitty = new Set(isCards(scenario?.kitty) ? scenario.kitty : []);
    const dealer = scenario?.dealer ?? answer.state?.dealer;
    const who = (player) => `Player ${player}`;
    const sentence = (event) => {
      const cards = cardsOf(event).map(cardText).join(" ");
      if (event.event === "trick") return `${who(event.winner ?? event.player)} wins the trick`;
      const rest = Object.entries(event).filter(([key]) => !["event", "player", "card", "cards", "from", "to"].includes(key));
      const values = rest.map(([key, value]) => `${key} ${Array.isArray(value) ? value.join(" ") : value}`).join("; ");
      if (event.player === undefined) return `${event.event}: ${values}`;
      if (!cards) return `${who(event.player)}: ${event.event}${values && `, ${values}`}`;
      const way = ["from", "to"].filter((key) => event[key] !== undefined).map((key) => ` ${key} ${who(event[key]).toLowerCase()}`);
      const absent = fromHand(event) !== null && cardsOf(event).some((card) => !hands[fromHand(event)].has(card));
      return `${who(event.player)} ${known.get(event.event)?.[0] ?? event.event} ${cards}${way.join("")}${absent ? " (not in that hand)" : ""}`;
    };

    const tricks = Array(players).fill(0);
    let trick = [];
    let over = false;
    const steps = [];
    const step = (...says) => steps.push({ says, hands: hands.map(sorted), kitty: sorted(kitty), trick, tricks: [...tricks], rules: [] });
    step();
    for (const event of events) {
      const says = sentence(event);
      move(hands, event, false);
      cardsOf(event).forEach((card) => kitty.delete(card));
      if (event.event === "play") {
        trick = [...(over ? [] : trick), ...cardsOf(event).map((card) => [who(event.player), card])];
        over = false;
      } else if (event.event === "trick") {
        over = true;
        if (event.winner !== undefined) tricks[event.winner] += 1;
      }
      step(says);
    }
    const seats = hands.map((_, player) => who(player) + (player === dealer ? " (dealer)" : ""));
    const target = answer.variables?.target;
    const targets = Array.isArray(target) && target.length === players && target.some(Boolean) ? target : [];
    return { id: `pasted-${number}`, title, lanes: [{ ruleset: "", seats, targets, steps, ends }], mark: steps.length - 1, scenario: whole };
  };

  document.getElementById("show-pasted").addEventListener("click", () => {
    let parts;
    try {
      const deals = read(pasted.value).slice(0, MOST + 1);
      parts = deals.slice(0, MOST).map((deal, number) => figure(dealOf(deal, number)));
      if (deals.length > MOST) parts.push(element("p", {}, `Only the first ${MOST} deals are shown.`));
    } catch (error) {
      parts = [element("p", { class: "gap" }, ...coded(error.message))];
    }
    document.getElementById("pasted-deals").replaceChildren(...parts);
  });
})();
