"use strict";
(() => {
  // --------------------------------------- deals, and what belongs to what

  const deals = JSON.parse(document.getElementById("deals").textContent);
  const views = new Map();
  for (const figure of document.querySelectorAll(".deal")) {
    const moved = (place) => {
      history.replaceState(null, "", `#${place}`);
      light(figure.querySelector(".lane"));
    };
    const show = dealViewer.view(figure, deals[figure.dataset.deal], moved);
    views.set(figure.dataset.deal, { show, figure });
  }

  const parts = [...document.querySelectorAll("[data-cites], [data-rule]")];
  const common = (part, chosen, kind) => {
    const names = (chosen.dataset[kind] || "").split(" ").filter(Boolean);
    return (part.dataset[kind] || "").split(" ").some((name) => names.includes(name));
  };
  const light = (chosen) => {
    for (const part of parts) {
      const apart = part.parentNode !== chosen.parentNode && !part.contains(chosen);
      part.classList.toggle("lit", apart && (common(part, chosen, "cites") || common(part, chosen, "rule")));
    }
  };
  const unlight = () => parts.forEach((part) => part.classList.remove("lit"));
  // A page that scrolls under the mouse leaves what was chosen by key alone.
  const leave = () => (parts.includes(document.activeElement) ? light(document.activeElement) : unlight());
  for (const part of parts) {
    part.addEventListener("mouseenter", () => light(part));
    part.addEventListener("focus", () => light(part));
    part.addEventListener("mouseleave", leave);
    part.addEventListener("blur", unlight);
  }

  const place = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return ""; // a broken link shows the page
    }
  };
  // On a narrow screen one part of the page is shown at a time: what a link leads to is in it.
  const tabs = [...document.querySelectorAll(".tabs a")].map((link) => ({ link, part: document.getElementById(link.hash.slice(1)) }));
  const open = (target) => {
    const chosen = tabs.find(({ part }) => part.contains(target)) || tabs.find(({ link }) => link.hasAttribute("aria-current")) || tabs[0];
    const hidden = chosen.part.classList.contains("elsewhere");
    for (const { link, part } of tabs) {
      if (part === chosen.part) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
      part.classList.toggle("elsewhere", part !== chosen.part);
    }
    if (hidden && target) target.scrollIntoView();
  };
  const follow = () => {
    const [id, step] = place().split("/");
    if (tabs.length) open(id ? document.getElementById(id) : null);
    const found = views.get(id);
    if (found && step !== undefined && /^\d+$/.test(step)) {
      const screen = found.figure.closest(".screen:not(:target)");
      if (screen) {
        location.replace(`#${screen.id}`); // one screen of the quiz is shown: the target, which the next line leaves as it is
        history.replaceState(null, "", `#${id}/${step}`);
      }
      found.figure.closest("details")?.setAttribute("open", "");
      found.show(Number(step));
      found.figure.scrollIntoView();
      light(found.figure.querySelector(".lane"));
    }
  };
  addEventListener("hashchange", follow);
  addEventListener("load", follow); // a browser looks for its target until then
  follow();

  // ---------------------------------------------------------------- filters

  for (const radio of document.querySelectorAll(".filter input[type=radio]")) {
    radio.addEventListener("change", () => {
      for (const item of document.querySelectorAll(".statements li")) {
        item.classList.toggle("hidden", radio.value !== "all" && item.dataset.status !== radio.value);
      }
    });
  }
  const onlyOpen = document.getElementById("only-open");
  onlyOpen?.addEventListener("change", () => {
    for (const rule of document.querySelectorAll(".rule")) {
      rule.classList.toggle("hidden", onlyOpen.checked && !rule.querySelector(".assumed, .gap, .reading"));
    }
  });
  const only = document.getElementById("only-differences");
  if (only) {
    const apply = () => document.body.classList.toggle("only", only.checked);
    only.addEventListener("change", apply);
    apply();
  }

  // Of two rulesets that are chosen only what these do is shown; they agree where they have a letter in common.
  const pair = [...document.querySelectorAll(".pair select")];
  const choose = () => {
    const chosen = pair.map((one) => one.value);
    const two = Boolean(chosen[0] && chosen[1]);
    const named = (part, id) => part.dataset.rulesets.split(" ").includes(id);
    for (const part of document.querySelectorAll("[data-rulesets]")) {
      part.classList.toggle("hidden", two && !chosen.some((id) => named(part, id)));
    }
    for (const deal of document.querySelectorAll("[data-pair]")) {
      deal.classList.toggle("hidden", two && !deal.dataset.pair.split(" ").every((id) => chosen.includes(id)));
    }
    for (const part of document.querySelectorAll("[data-differs]")) {
      const classes = [...part.querySelectorAll("[data-letters]")];
      const [a, b] = chosen.map((id) => (classes.find((one) => named(one, id))?.dataset.letters || "").split(", "));
      part.classList.toggle("agreed", two ? a.some((letter) => b.includes(letter)) : part.dataset.differs === "False");
    }
  };
  for (const one of pair) one.addEventListener("change", choose);
})();
