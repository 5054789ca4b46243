// Saves loading the whole page for each touch, and adds the keys and the dragging that people expect of a board.
// Everything here works without it: each place on the board is a link.
"use strict";
(() => {
  const part = () => document.getElementById("play");
  if (!part()) return;
  let latest = 0;

  const at = (one) => [Number(one.dataset.x), Number(one.dataset.y)];

  // Where the keyboard goes on: to the button that plays, or on the board to where it was, or as near as something can be touched.
  function goOn(fresh, from) {
    const places = [...fresh.querySelectorAll(".board a")];
    const [x, y] = from ? at(from) : [0, 0];
    const far = (one) => (at(one)[0] - x) ** 2 + (at(one)[1] - y) ** 2;
    const near = places.filter((one) => one.classList.contains("next")).sort((one, other) => far(one) - far(other));
    const same = from && places.find((one) => one.dataset.name === from.dataset.name);
    return fresh.querySelector("button.broad") || same || near[0] || fresh.querySelector(".turn a");
  }

  async function show(address, back, from) {
    const asked = ++latest;
    let text;
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" }, credentials: "same-origin" });
      if (!answer.ok) throw new Error(answer.statusText);
      text = await answer.text();
    } catch {
      location.assign(address);
      return;
    }
    if (asked !== latest) return;
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("play");
    if (!fresh) return location.assign(address);
    part().replaceWith(fresh);
    if (!back) history.pushState(null, "", address);
    const next = goOn(fresh, from);
    if (next) next.focus({ preventScroll: true });
  }

  function here(link) {
    const to = new URL(link.href.baseVal || link.href, location.href);
    return to.pathname === location.pathname ? to : null;
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("#play a");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const to = here(link);
    if (!to) return;
    event.preventDefault();
    show(to.href, false, link.dataset.x ? link : null);
  });
  addEventListener("popstate", () => show(location.href, true));

  // Arrows go to the nearest place in that direction.
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  document.addEventListener("keydown", (event) => {
    const from = event.target.closest && event.target.closest(".board a");
    const way = ways[event.key];
    if (!from || !way) return;
    event.preventDefault();
    const [x, y] = at(from);
    let best = null;
    for (const one of document.querySelectorAll(".board a")) {
      const [dx, dy] = at(one).map((value, axis) => value - [x, y][axis]);
      const along = dx * way[0] + dy * way[1];
      const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
      if (one === from || along <= 1 || aside > 2 * along) continue;
      const cost = along + 2 * aside;
      if (!best || cost < best.cost) best = { one, cost };
    }
    if (best) best.one.focus();
  });

  // A piece that is dragged to a square is touched first, and then the square.
  let held = null;
  document.addEventListener("pointerdown", (event) => {
    held = event.pointerType === "mouse" ? event.target.closest(".board a.next") : null;
    if (held) event.preventDefault();
  });
  document.addEventListener("pointerup", (event) => {
    const from = held;
    const to = event.target.closest && event.target.closest(".board a");
    held = null;
    if (!from || !to || to === from) return;
    const address = here(from);
    address.searchParams.append("t", to.dataset.name);
    show(address.href, false);
  });
})();
