// Works the rolls of a game out anew, from what they came from, and says whether they are right.
"use strict";
(async () => {
  const proof = JSON.parse(document.getElementById("proof").textContent);
  const verdict = document.getElementById("verdict"), told = verdict.dataset;
  const say = (words) => { verdict.textContent = words; };
  const bytes = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
  const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (!globalThis.crypto?.subtle) {
    say(told.unable);
    return;
  }
  const hmac = async (key, text) => {
    const made = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return crypto.subtle.sign("HMAC", made, new TextEncoder().encode(text));
  };
  const committed = hex(await crypto.subtle.digest("SHA-256", bytes(proof.secret))) === proof.commitment;
  const key = await hmac(bytes(proof.secret), [`game ${proof.game}`, ...proof.entropies].join("\n"));
  document.getElementById("key").textContent = hex(key);
  const range = 2n ** 256n;
  const draw = async (number, below) => {
    for (let again = 0; ; again += 1) {
      const value = BigInt(`0x${hex(await hmac(key, again ? `draw ${number} again ${again}` : `draw ${number}`))}`);
      if (value < range - range % below) return value % below;
    }
  };
  const rows = document.getElementById("draws").rows;
  let wrong = 0;
  for (const [index, one] of proof.draws.entries()) {
    const right = (await draw(one.number, BigInt(one.below))) === BigInt(one.value);
    rows[index].lastElementChild.textContent = right ? told.drawn : told.notDrawn;
    wrong += right ? 0 : 1;
  }
  if (!committed) say(told.other);
  else if (wrong) say(told.wrong.replace("%", wrong));
  else say(told.right);
})();
