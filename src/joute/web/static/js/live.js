// Games as they happen: a board for each that is being played. The board of a finished game stays
// until its place is needed for the next.

import {load} from "./boards/index.js";
import {connect} from "./socket.js";
import {seatMark} from "./sprites.js";
import {html, still} from "./svg.js";
import {localise} from "./times.js";
import {say} from "./words.js";

const MOST = [1, 2, 4, 6, 8, 12];  // boards that the stylesheet knows how to place
const root = document.getElementById("live");
const idle = document.getElementById("idle");
const trouble = document.getElementById("trouble");
const games = new Map();  // by name, those on the page
let queue = Promise.resolve();  // messages are taken one after the other, as boards are loaded

const TOLD = {
  async game({game, facts}) {
    const module = await load(facts.board);
    const before = games.get(game);
    const shown = before ?? placed(game, facts, module);
    shown.fresh = true;
    shown.over = false;
    idle.hidden = true;
  },

  async position(message) {
    const shown = games.get(message.game);
    if (!shown || message.number <= shown.number) return;
    const {facts, board, module} = shown;
    const quick = shown.fresh || still();
    shown.number = message.number;
    shown.fresh = false;
    board.show(message, {viewer: facts.hidden ? "all" : 0, quick, last: message.number});
    shown.points.forEach((score, seat) => { score.textContent = message.points[seat] ?? ""; });
    shown.sides.forEach((side, seat) => side.classList.toggle("turn", seat === message.mover));
    const said = message.events.flatMap((event) => event.said).slice(-2).join(" ").trim();
    shown.ply.textContent = said || say("live.ply", {ply: message.ply});
    if (games.size === 1) tell(said);
    const rest = quick ? 0 : module.rest?.(message, facts.hidden ? "all" : 0) ?? 0;
    if (rest) await new Promise((wake) => setTimeout(wake, rest / games.size));
  },

  over({game, text, returns, replay}) {
    const shown = games.get(game);
    if (!shown) return;
    shown.over = true;
    const best = Math.max(...returns);
    const decided = Math.min(...returns) < best;
    shown.sides.forEach((side, seat) => {
      side.classList.remove("turn");
      side.classList.toggle("won", decided && returns[seat] === best);
    });
    shown.ply.textContent = text || say("live.gone");
    if (replay) shown.title.setAttribute("href", replay);
    tell(`${facts(shown)}: ${shown.ply.textContent}`);
    news();
  },

  playing({games: count}) {
    idle.textContent = root.dataset.idle;
    idle.hidden = count > 0 || games.size > 0;
  },
};

function facts(shown) {
  return shown.facts.names.join(" \u2013 ");
}

function tell(words) {
  if (words) document.getElementById("said").textContent = words;
}

// Puts a game in the place of one that is over, if there is one, else beside the others.
function placed(name, known, module) {
  const board = module.create(known);
  const points = known.names.map(() => html("span", {class: "score"}));
  const sides = known.names.map((bot, seat) =>
    html("span", {class: "side"}, known.players > 1 ? seatMark(seat) : null, html("b", {}, bot), points[seat]));
  const title = html("a", {class: "sides"}, sides);
  const ply = html("p", {class: "small mute"});
  const element = html("article", {class: "game"}, html("h2", {}, title), board.element, ply);
  const shown = {facts: known, module, board, points, sides, title, ply, element, number: -1};
  const [old, left] = [...games].find(([, each]) => each.over) ?? [];
  if (left) {
    games.delete(old);
    left.board.destroy?.();
    left.element.replaceWith(element);
  } else {
    root.append(element);
  }
  games.set(name, shown);
  root.className = `wall of${MOST.find((count) => count >= games.size) ?? MOST.at(-1)}`;
  return shown;
}

// The list of games below has one more.
async function news() {
  const list = document.querySelector("[data-live=games]");
  if (!list) return;
  const text = await (await fetch(location.href)).text();
  const fresh = new DOMParser().parseFromString(text, "text/html");
  const other = fresh.querySelector("[data-live=games]");
  if (!other || list.contains(document.activeElement)) return;
  list.replaceChildren(...other.childNodes);
  localise(list);
}

connect(root.dataset.socket, {
  heard: (message) => {
    queue = queue.then(() => TOLD[message.type]?.(message)).catch((error) => console.error(error));
  },
  state: (state, seconds) => {
    trouble.hidden = state === "open";
    if (state === "lost") trouble.textContent = say("live.lost", {seconds});
    if (state === "gone") trouble.textContent = say("live.nowhere");
  },
  since: () => null,
});

addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "f" || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest?.("input, select, textarea")) return;
  if (document.fullscreenElement) document.exitFullscreen();
  else root.requestFullscreen?.();
});
