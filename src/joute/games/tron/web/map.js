// A map of Tron as its board is drawn: floors of cells with places [x, y, floor], y up from 0.

import {range} from "../../js/svg.js";

export const CELL = 30;
export const MARGIN = 8;

export const DIRECTIONS = ["left", "up", "right", "down", "upstairs", "downstairs"];
const STEPS = [[-1, 0, 0], [0, 1, 0], [1, 0, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];

// The lasting parts of a map's text: `floors` of rows from the top as they were at the start,
// and by place where teleporters lead.
export function mapOf(parameters) {
  const [, ...floors] = parameters.map.replace(/\nend\n?$/, "").split(/\nfloor \d+\n/);
  const rows = floors.map((text) => text.split("\n"));
  const chart = {
    floors: rows,
    width: rows[0][0].length,
    height: rows[0].length,
    wraps: {x: parameters.wrap.includes("x"), y: parameters.wrap.includes("y")},
  };
  const ends = {};
  for (const {sign, at} of cells(chart)) {
    if (/[A-Z]/.test(sign)) (ends[sign] ??= []).push(at);
  }
  return {...chart, ends};
}

// Every cell of the map: its sign there and its place.
export function cells({floors, height}) {
  return floors.flatMap((rows, floor) =>
    rows.flatMap((row, top) => [...row].map((sign, x) => ({sign, at: [x, height - 1 - top, floor]}))));
}

// The places of each sign that stands on floors of this map.
export function bySign(chart, floors) {
  const found = new Map();
  for (const {sign, at} of cells({...chart, floors})) {
    if (sign === " " || sign === "#") continue;
    if (!found.has(sign)) found.set(sign, []);
    found.get(sign).push(at);
  }
  return found;
}

// The sign of a place in rows from the top; a wall outside.
export function signAt(floors, [x, y, floor]) {
  const rows = floors[floor];
  return rows?.[rows.length - 1 - y]?.[x] ?? "#";
}

// The place next to one, in a direction; over the edge where edges are joined.
export function beside({width, height, wraps}, [x, y, floor], direction) {
  const [right, up, higher] = STEPS[direction];
  const around = (value, size, joined) => (joined ? (value + size) % size : value);
  return [around(x + right, width, wraps.x), around(y + up, height, wraps.y), floor + higher];
}

// How many cells are free in a direction, as far as one can see.
export function room(chart, floors, from, direction) {
  const far = direction < 4 ? Math.max(chart.width, chart.height) : 1;
  let at = from;
  for (const count of range(far)) {
    at = beside(chart, at, direction);
    const sign = signAt(floors, at);
    if (/[#\d*]/.test(sign)) return count;
    if (/[A-Z]/.test(sign)) return count + 1;
  }
  return far;
}

// The other end of the teleporter at a place of the map, null if there is none.
export function otherEnd(chart, at) {
  const ends = chart.ends[signAt(chart.floors, at)];
  return ends?.find((end) => !same(end, at)) ?? null;
}

export function same(one, other) {
  return one.every((value, index) => value === other[index]);
}

// The middle of a cell in the drawing of its floor.
export function middle({height}, [x, y]) {
  return [MARGIN + (x + 0.5) * CELL, MARGIN + (height - y - 0.5) * CELL];
}
