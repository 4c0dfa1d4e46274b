// The drawing of a map of Vampires: groups, arrows of orders, and the odds of a battle.

import {html, install, lozenge, svg} from "../../js/svg.js";
import {number, say} from "../../js/words.js";

export const STEP = 64;
export const LEFT = 36;
export const TOP = 32;
export const KINDS = ["none", "humans", "vampires", "werewolves"];

const ICONS = `
  <symbol id="i-vampire" viewBox="0 0 48 48">
    <path class="ico" d="M24 12l4-6 2 8c6-5 11-6 17-5-4 4-5 8-5 13-4-2-8-1-10 3l-8 16-8-16c-2-4-6-5-10-3 0-5-1-9-5-13 6-1 11 0 17 5l2-8Z"/>
    <path class="ico-cut" d="M19.5 17h3v2.5h-3ZM25.5 17h3v2.5h-3ZM21 24h2l-1 5ZM25 24h2l-1 5Z"/>
  </symbol>
  <symbol id="i-wolf" viewBox="0 0 48 48">
    <path class="ico" d="M6 6l10 7q8-3 16 0l10-7-2 17-5 8-6 4-5 9-5-9-6-4-5-8Z"/>
    <path class="ico-cut" d="M13 22l7 2-4 3ZM35 22l-7 2 4 3ZM21 37h6l-3 4Z"/>
  </symbol>
  <symbol id="i-human" viewBox="0 0 48 48">
    <circle class="ico" cx="24" cy="12" r="8"/><path class="ico" d="M8 45c0-14 6-21 16-21s16 7 16 21Z"/>
  </symbol>`;

// Puts the icons into the page.
export function icons() {
  install(ICONS);
}

export function middle([x, y]) {
  return [LEFT + (x + 0.5) * STEP, TOP + (y + 0.5) * STEP];
}

// The kind of who stands in a cell [x, y, humans, vampires, werewolves], and how many.
export function content(cell) {
  const kind = cell.slice(2).findIndex((count) => count > 0) + 1;
  return [kind, kind ? cell[kind + 1] : 0];
}

// The field under a group: a square for vampires, a disc for werewolves, none for humans.
export function field(at, kind) {
  if (kind < 2) return null;
  const [x, y] = middle(at);
  const [tincture, round] = kind === 2 ? ["az", 3] : ["orr", 29];
  const shape = {x: x - 29, y: y - 29, width: 58, height: 58, rx: round};
  return svg("g", {}, svg("rect", {class: tincture, ...shape}), svg("rect", {fill: `url(#h${kind - 2})`, ...shape}));
}

// The icon and the count of a group.
export function group(at, kind, count) {
  const [x, y] = middle(at);
  const [icon, size, rise, look] = [
    ["i-human", 26, 24, "humans"], ["i-vampire", 36, 28, "vz"], ["i-wolf", 28, 25, "wz"],
  ][kind - 1];
  return svg(
    "g",
    {class: `group ${look}`},
    svg("use", {href: `#${icon}`, x: x - size / 2, y: y - rise, width: size, height: size}),
    svg("text", {x, y: y + 23, class: "m serif", "font-size": 20}, String(count)),
  );
}

// An arrow from a cell to one beside it; `kind` is now, past or hint.
export function arrow(from, to, kind) {
  const {length, point} = way(from, to);
  const end = length - 27;  // at the edge of who stands there
  const [start, neck, tip, left, right] = [[12, 0], [end - 11, 0], [end, 0], [end - 13, 10], [end - 13, -10]]
    .map((at) => point(...at).join(" "));
  return svg(
    "g",
    {class: `order-arrow ${kind}`},
    svg("path", {class: "arrow", d: `M${start}L${neck}`}),
    svg("path", {class: "arrowhead", d: `M${tip}L${left}L${right}Z`}),
  );
}

// How many go, on a lozenge beside their arrow: where no figure of a group is, on either cell.
export function tally(from, to, count) {
  const falling = (to[0] - from[0]) * (to[1] - from[1]) > 0;
  return counted(way(from, to).point(26, falling ? -30 : 30), count);
}

// How many are about to come to a cell.
export function coming(at, count) {
  const [x, y] = middle(at);
  return svg("g", {}, corners(at), counted([x + 18, y - 18], count));
}

function counted([x, y], count) {
  return svg(
    "g",
    {class: "tally"},
    svg("path", {d: lozenge(x, y, count > 99 ? 17 : 14)}),
    svg("text", {x, y: y + 4.5, class: "m serif", "font-size": 13}, String(count)),
  );
}

// The way from a cell to another: its length, and points so far along it and aside of it.
function way(from, to) {
  const [x, y] = middle(from);
  const [x2, y2] = middle(to);
  const length = Math.hypot(x2 - x, y2 - y);
  const [right, down] = [(x2 - x) / length, (y2 - y) / length];
  const point = (along, aside) =>
    [x + right * along - down * aside, y + down * along + right * aside].map((value) => Math.round(value * 10) / 10);
  return {length, point};
}

// Four corners around a cell where something was decided.
export function corners(at) {
  const [x, y] = middle(at);
  const d = [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    .map(([right, down]) => `M${x + right * 29} ${y + down * 18}V${y + down * 29}H${x + right * 18}`)
    .join("");
  return svg("path", {class: "last", d});
}

// The outcome of an arrival, in a few words, and whether it is sure.
export function verdict(odds) {
  if (odds.chance >= 1) {
    return html("span", {class: "good-t nowrap"}, say("board.vampires.sure", {count: odds.won}));
  }
  return html("span", {class: "warn-t nowrap"}, say("board.vampires.battle", {chance: percent(odds.chance)}));
}

// The odds of a battle beside its cell, inside the map.
export function tip(odds, player, columns, rows) {
  const values = {
    chance: percent(odds.chance),
    attackers: odds.arrivals,
    mine: say(`board.vampires.${KINDS[2 + player]}`),
    defenders: odds.there,
    theirs: say(`board.vampires.${KINDS[odds.kind]}`),
    won: number(odds.won, 1),
    lost: number(odds.lost, 1),
  };
  const lines = ["against", "won", "lost"].map((key) => say(`board.vampires.${key}`, values));
  const title = say("board.vampires.chance", values);
  const width = 24 + 8.2 * Math.max(...lines.map((line) => line.length), title.length * 1.2);
  const [x, y] = middle([odds.x, odds.y]);
  const right = x + 38 + width < LEFT + columns * STEP;
  const left = Math.max(right ? x + 38 : x - 38 - width, 4);
  const top = Math.min(Math.max(y - 50, TOP), TOP + rows * STEP - 104);
  return svg(
    "g",
    {class: "tip-in", "aria-hidden": "true"},
    svg("rect", {x: left, y: top, width, height: 104, rx: 3}),
    svg("text", {x: left + 14, y: top + 28, class: "serif", "font-size": 19}, title),
    lines.map((line, at) => svg("text", {x: left + 14, y: top + 50 + at * 20, "font-size": 14}, line)),
  );
}

function percent(chance) {
  return number(100 * chance, chance > 0.995 || chance < 0.005 ? 1 : 0);
}
