// Where things stand on the boards of Paradise: wide with the heroes at the left, or tall, for a
// phone, with the heroes at the ends. A side is 0, below, or 1, above.

import {svg} from "../../js/svg.js";

const MARGIN = 8;
const HERO = {width: 140, height: 150};
const MINION = {width: 112, height: 122};
const ROOM = 122;  // that a minion takes with its attack and health, which stand out
const NAME = 15;  // a line of a name below a minion
const WIDE = {width: 880, height: 372, hero: 0.72, left: 184, pitch: 150};
const TALL = {width: 400, hero: 0.33, end: 60, perRow: 4, gap: 24, step: 17};
const HEAD = 20;  // of an arrow, its length

// The places of `counts` minions, below and above: {width, height, line, heroes, spots, tall, type}.
// That of a minion is {x, y, scale, pitch}, with the `step` between lines of its name where there is
// room for that. That of a hero has `health` and `texts` too; `type` is the size of letters.
export function places(tall, counts) {
  return tall ? stacked(counts) : beside(counts);
}

function beside(counts) {
  const {width, height, hero, left} = WIDE;
  const line = height / 2;
  const heroes = [line + 12, 16].map((y) => {
    const middle = 40 + HERO.width * hero / 2;
    const foot = y + HERO.height * hero;
    return {
      x: 40, y, scale: hero, health: {x: 40 + 116 * hero, y: y + 122 * hero, r: 17},
      texts: [[middle, foot + 14], [middle, foot + 31], [middle, foot + 48]].map(([x, at]) => ({x, y: at, anchor: "m"})),
    };
  });
  const spots = counts.map((count, side) => row(count, {
    from: left, to: width - MARGIN - 6, most: WIDE.pitch, y: side ? 20 : line + 16, step: NAME,
  }));
  return {tall: false, width, height, line, heroes, spots, type: 14};
}

function stacked(counts) {
  const {width, hero, end, perRow, gap, step} = TALL;
  const rows = counts.map((count) => Math.max(Math.ceil(count / perRow), 1));
  const named = rows[0] + rows[1] < 3;  // else names are only told beside the board
  const least = named ? 0.8 : 0.66;
  const high = MINION.height * least + (named ? 3 * step : 6);
  const line = end + rows[1] * high + gap / 2;
  const below = line + gap / 2;
  const height = below + rows[0] * high + end;
  const heroes = [height - end + 2, 10].map((y) => ({
    x: 18, y, scale: hero, health: {x: 84, y: y + 24, r: 18},
    texts: [{x: 112, y: y + 19, anchor: ""}, {x: 112, y: y + 38, anchor: ""}, {x: width - 20, y: y + 19, anchor: "e"}],
  }));
  const spots = counts.map((count, side) => {
    const top = side ? end : below;
    return Array.from({length: rows[side]}, (_, at) => row(Math.min(count - at * perRow, perRow), {
      from: 10, to: width - 10, most: 124, y: top + at * high, least, step: named ? step : 0,
    })).flat();
  });
  return {tall: true, width, height, line, heroes, spots, type: 15.6};
}

// Places of a row of minions around its middle.
function row(count, {from, to, most, y, step, least = 1}) {
  const pitch = Math.min(most, (to - from) / Math.max(count, 1));
  const scale = Math.min(least, pitch / ROOM);
  const start = (from + to - pitch * count) / 2;
  return Array.from({length: Math.max(count, 0)}, (_, at) => ({
    x: start + pitch * at + (pitch - MINION.width * scale) / 2, y: y + (least - scale) * MINION.height / 2, scale, pitch, step,
  }));
}

// An arrow from one thing to another, each {side, slot}, the slot -1 for a hero; with a label on it.
export function arrow(all, from, to, label, name = "") {
  const start = edge(all, from, to);
  const end = edge(all, to, from);
  const [one, two] = [bent(all, from, start, end), bent(all, to, end, start)];
  const way = Math.hypot(end.x - two.x, end.y - two.y) || 1;
  const [dx, dy] = [(end.x - two.x) / way, (end.y - two.y) / way];
  const neck = {x: end.x - dx * HEAD, y: end.y - dy * HEAD};
  const middle = {
    x: (start.x + 3 * one.x + 3 * two.x + end.x) / 8, y: (start.y + 3 * one.y + 3 * two.y + end.y) / 8,
  };
  const head = [[end.x, end.y], [neck.x - dy * 13, neck.y + dx * 13], [neck.x + dy * 13, neck.y - dx * 13]];
  return svg("g", {class: `strike ${name}`, "aria-hidden": "true"},
    svg("path", {class: "arrow", d: `M${at(start)}C${at(one)} ${at(two)} ${at(neck)}`}),
    svg("path", {class: "arrowhead", d: `M${head.map((each) => each.map(Math.round).join(" ")).join("L")}Z`}),
    svg("g", {transform: `translate(${at(middle)})`}, label));
}

const at = ({x, y}) => `${Math.round(x)} ${Math.round(y)}`;

// The point where an arrow touches a thing.
function edge(all, {side, slot}, other) {
  const {x, y, scale} = slot < 0 ? all.heroes[side] : all.spots[side][slot];
  if (slot < 0 && !all.tall) return {x: x + 134 * scale, y: y + 72 * scale};
  const shape = slot < 0 ? HERO : MINION;
  const facing = side === 1 && other.side === 0 ? shape.height : 0;
  return {x: x + shape.width / 2 * scale, y: y + facing * scale};
}

// A control point: an arrow leaves a hero of the wide board sideways, all else upright.
function bent(all, {slot}, here, there) {
  if (slot < 0 && !all.tall) return {x: here.x + 110, y: here.y};
  return {x: here.x, y: Math.abs(here.y - there.y) < 40 ? here.y + (here.y < all.line ? 60 : -60) : all.line};
}
