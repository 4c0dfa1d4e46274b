// Several games at once, for a projector: the latest of a contest, each replayed to its end; then a
// newer game takes its place, or it begins again.

import {load} from "./boards/index.js";
import {game as loaded} from "./packed.js";
import {seatMark} from "./sprites.js";
import {html} from "./svg.js";
import {say} from "./words.js";

const PLY_MS = 700;
const LAST_MS = 6000;  // that the end of a game is shown
const NEWS_MS = 5000;  // between two requests for newer games

const root = document.getElementById("wall");
const empty = document.getElementById("wall-empty");
const showing = new Set();  // the addresses of the games on the wall
let latest = [];  // the games that may be shown, the newest first

async function look() {
  const response = await fetch(root.dataset.games);
  if (!response.ok) throw new Error(String(response.status));
  latest = await response.json();
  empty.hidden = latest.length > 0;
  const most = Number(new URL(root.dataset.games, location).searchParams.get("count"));
  while (showing.size < Math.min(most, latest.length)) await opened(next()).catch(() => {});
}

// Takes the newest game that is not on the wall.
function next() {
  const found = latest.find((each) => !showing.has(each.address));
  if (found) showing.add(found.address);
  return found;
}

// Puts a game on the wall, at its end or in place of another element.
async function opened(game, old = null) {
  const data = await loaded(`${game.address}/game.json`);
  const module = await load(data.facts.board);
  const board = module.create(data.facts);
  const {facts, positions} = data;
  const points = facts.names.map(() => html("span", {class: "score"}));
  const sides = facts.names.map((name, seat) =>
    html("span", {class: "side"}, seatMark(seat), html("b", {}, name), points[seat]));
  const course = html("progress", {max: Math.max(positions.length - 1, 1), value: 0, "aria-label": say("replay.position")});
  const title = html("h2", {}, html("a", {href: game.address, class: "sr"}, facts.names.join(" – ")), sides);
  const element = html("article", {class: "game"}, title, board.element, course);
  let at = 0;
  if (old) old.replaceWith(element);
  else root.append(element);
  board.learn?.(positions);

  function show() {
    const position = positions[at];
    const last = at === positions.length - 1;
    board.show(position, {viewer: facts.hidden ? "all" : 0, quick: at === 0, last});
    points.forEach((score, seat) => { score.textContent = position.points[seat] ?? ""; });
    course.value = at;
    sides.forEach((side, seat) => side.classList.toggle("won", last && game.won.includes(seat)));
    setTimeout(last ? ended : step, last ? LAST_MS : PLY_MS);
  }

  function step() {
    at += 1;
    show();
  }

  async function ended() {
    const newer = next();
    try {
      if (newer) return await opened(newer, element).then(() => showing.delete(game.address));
    } catch {
      // a game that cannot be shown: this one begins again
    }
    at = 0;
    show();
  }

  show();
}

async function watch() {
  try {
    await look();
  } finally {
    setTimeout(() => watch().catch(() => {}), NEWS_MS);
  }
}

addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "f" || event.ctrlKey || event.altKey || event.metaKey) return;
  if (document.fullscreenElement) document.exitFullscreen();
  else root.requestFullscreen?.();
});

watch();
