// Several games in one page: a list of links #IDENTITY, and the game that was chosen.
//
// A game lies in the page as <script id="game-IDENTITY">, or beside it as a script that hands it to
// `jouteGame`: a page opened from a disk may load nothing but scripts.

import {load} from "./boards/index.js";
import {unpacked} from "./packed.js";
import {html} from "./svg.js";
import {view} from "./viewer.js";
import {say} from "./words.js";

const root = document.getElementById("replay");
const beside = root.dataset.beside;  // the folder of the scripts
const waiting = new Map();  // identity -> who wants the game
let shown = null;  // the game in the page: {identity, close}

globalThis.jouteGame = (identity, text) => waiting.get(identity)?.(text);

// The packed text of a game.
function text(identity) {
  const inside = document.getElementById(`game-${identity}`);
  if (inside) return inside.textContent;
  return new Promise((found, failed) => {
    waiting.set(identity, found);
    const script = html("script", {src: `${beside}/${identity}.js`});
    script.addEventListener("error", () => failed(new Error(`${beside}/${identity}.js`)));
    document.head.append(script);
  });
}

async function follow() {
  const [, identity] = location.hash.match(/^#([0-9a-f]{32})(?:$|\/)/) ?? [];
  if (!identity || identity === shown?.identity) return;
  shown?.close();
  shown = {identity, close: () => root.replaceChildren()};
  const data = await unpacked(await text(identity));
  const module = await load(data.facts.board);
  if (shown.identity !== identity) return;
  const badge = html("span", {class: "badge good"}, data.verified);
  root.append(html("div", {class: "head"}, html("h2", {}, data.title), html("p", {}, `${data.kind} · `, badge)));
  shown.close = view(root, data, module, `${identity}/`).close;
  root.hidden = false;
  root.scrollIntoView();
  document.querySelectorAll("#games [aria-current]").forEach((row) => row.removeAttribute("aria-current"));
  document.querySelector(`#games a[href="#${identity}"]`)?.setAttribute("aria-current", "true");
}

function watch() {
  follow().catch((error) => {
    root.hidden = false;
    root.replaceChildren(html("p", {class: "note", role: "alert"}, say("replay.failed", {reason: error.message})));
  });
}

addEventListener("hashchange", watch);
watch();
