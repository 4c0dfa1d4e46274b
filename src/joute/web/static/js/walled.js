// A recorded game that is replayed to its end, for a projector: on a wall of several, or alone.

import {load} from "./boards/index.js";
import {game as loaded} from "./packed.js";
import {seatMark} from "./sprites.js";
import {html} from "./svg.js";
import {say} from "./words.js";

const PLY_MS = 700;
const LAST_MS = 6000;  // that the end of a game is shown

// Replays a game in an element that `place` puts on the page. After its end `ended` is called with
// what plays it again; a game that was taken off the page stops.
export async function replayed(game, place, ended) {
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
  place(element);
  board.learn?.(positions);

  function show() {
    const position = positions[at];
    const last = at === positions.length - 1;
    board.show(position, {viewer: facts.hidden ? "all" : 0, quick: at === 0, last});
    points.forEach((score, seat) => { score.textContent = position.points[seat] ?? ""; });
    course.value = at;
    sides.forEach((side, seat) => side.classList.toggle("won", last && game.won.includes(seat)));
    setTimeout(last ? () => element.isConnected && ended(again, element) : step, last ? LAST_MS : PLY_MS);
  }

  function step() {
    if (!element.isConnected) return;
    at += 1;
    show();
  }

  function again() {
    at = 0;
    show();
  }

  show();
}
