// Goes through the moments of a list of turns without loading the page anew, by buttons, slider and keys.
// Everything here works without it: each moment is a link.
"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const main = at("main"), board = at("board"), beneath = at("beneath"), now = at("now"), told = at("told"), list = at("moves");
  if (!main.dataset.album) return;
  let reel = null, moment = main.dataset.moment, loading = null;

  // All boards come in one answer. Parts that they share come once.
  const load = () => (loading ??= fetch(main.dataset.album, { credentials: "same-origin" })
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.statusText))))
    .then((found) => { reel = found; }));
  const picture = (frame) => {
    const [box, ...parts] = frame.map((part) => reel.parts[part]);
    const [, , width, height] = box.split(" ");
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="${width}" height="${height}">${parts.join("")}</svg>`;
    return `data:image/svg+xml,${encodeURIComponent(svg)}`;
  };
  const addressOf = (name) => {
    const to = new URL(location.href);
    to.searchParams.set("turn", name);
    return to;
  };
  const newest = () => {
    const to = new URL(location.href);
    to.searchParams.delete("turn");
    return to;
  };
  // A link that leads nowhere has no address. It keeps the keyboard, which may be on it.
  function lead(id, address) {
    const one = at(id);
    if (address) {
      one.href = address.href;
      for (const name of ["role", "aria-disabled", "tabindex"]) one.removeAttribute(name);
    } else {
      one.tabIndex = -1;
      one.setAttribute("role", "link");
      one.setAttribute("aria-disabled", "true");
      one.removeAttribute("href");
    }
  }

  function reveal() {
    const one = list && list.querySelector("[aria-current]");
    if (!one) return;
    const above = one.offsetTop - list.scrollTop, below = above + one.offsetHeight - list.clientHeight;
    if (above < 0) list.scrollTop += above; else if (below > 0) list.scrollTop += below;
  }

  function show(index) {
    const { name, turn, now: words, told: sentences, alt, text } = reel.moments[index];
    moment = name;
    board.src = picture(reel.frames[index]);
    beneath.hidden = !reel.beneath[index].length;
    if (!beneath.hidden) beneath.src = picture(reel.beneath[index]);
    board.alt = alt;
    at("text").textContent = text;
    now.textContent = words;
    told.replaceChildren(...sentences.map((one) => Object.assign(document.createElement("li"), { textContent: one })));
    if (at("slider")) at("slider").value = turn;
    for (const one of list ? list.querySelectorAll("a") : []) {
      if (Number(one.dataset.turn) === turn) one.setAttribute("aria-current", "step"); else one.removeAttribute("aria-current");
    }
    reveal();
    history.replaceState(null, "", addressOf(name));
    at("share").href = location.href;
    const turned = addressOf(name);
    if (turned.searchParams.has("flip")) turned.searchParams.delete("flip"); else turned.searchParams.set("flip", "1");
    at("flip").href = turned.href;
    const before = index ? reel.moments[index - 1].name : reel.before;
    const after = reel.moments[index + 1] ? reel.moments[index + 1].name : reel.after;
    lead("first", before && addressOf("0"));
    lead("previous", before && addressOf(before));
    lead("next", after && addressOf(after));
    lead("last", after && newest());
    at("earlier").hidden = !after;
  }

  // What is not in this list of turns is loaded as a page.
  async function go(name, otherwise) {
    try {
      await load();
    } catch {
      location.assign(otherwise);
      return;
    }
    const index = reel.moments.findIndex((one) => one.name === name);
    if (index < 0) location.assign(otherwise); else show(index);
  }
  async function step(way, otherwise) {
    try {
      await load();
    } catch {
      if (otherwise) location.assign(otherwise);
      return;
    }
    const index = reel.moments.findIndex((one) => one.name === moment) + way;
    if (reel.moments[index]) show(index); else if (otherwise) location.assign(otherwise);
  }

  const link = (id) => at(id).getAttribute("href");
  const endOf = (turn) => String(turn);
  at("previous").addEventListener("click", (event) => { event.preventDefault(); step(-1, link("previous")); });
  at("next").addEventListener("click", (event) => { event.preventDefault(); step(1, link("next")); });
  list?.addEventListener("click", (event) => {
    const one = event.target.closest("a");
    if (!one || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(endOf(one.dataset.turn), one.href);
  });
  if (at("slider")) {
    at("seek").querySelector("button").hidden = true;
    at("slider").addEventListener("input", () => {
      const name = endOf(at("slider").value);
      load().then(() => {
        const index = reel.moments.findIndex((one) => one.name === name);
        if (index >= 0 && name === endOf(at("slider").value)) show(index);
      }, () => {});
    });
    at("slider").addEventListener("change", () => go(endOf(at("slider").value), addressOf(endOf(at("slider").value)).href));
  }
  const keys = { ArrowLeft: () => step(-1, link("previous")), ArrowRight: () => step(1, link("next")) };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || (event.key !== "f" && event.target.closest("input, pre, .scroll"))) return;
    const ids = { Home: "first", End: "last", f: "flip" };
    if (keys[event.key]) keys[event.key](); else if (ids[event.key]) { if (link(ids[event.key])) location.assign(link(ids[event.key])); } else return;
    event.preventDefault();
  });
  for (const one of document.querySelectorAll(".keys")) one.hidden = false;
  reveal();
  document.querySelector(".steps-through").addEventListener("pointerenter", () => load().catch(() => {}), { once: true });
})();
