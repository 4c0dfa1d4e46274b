// The curve of who is ahead: an area for two seats, else a line for each.

import {range, svg} from "./svg.js";

export const WIDTH = 1000;
const HEIGHT = 120;
const MIDDLE = HEIGHT / 2;
const ROOM = 0.92;  // of the height, for the greatest value
const ASK_AGAIN_MS = 700;

// The nodes of a curve over `count` positions.
export function drawn(curve, count) {
  const across = (at) => (count > 1 ? (at / (count - 1)) * WIDTH : 0);
  if (curve.series.length > 1) {
    const up = (value) => HEIGHT - (value / curve.reach) * HEIGHT * ROOM - 2;
    return curve.series.map((values, seat) =>
      svg("path", {class: `line seat${seat % 6}`, d: line(values, across, up)}));
  }
  const [values] = curve.series;
  const up = (value) => MIDDLE - (value / curve.reach) * MIDDLE * ROOM;
  const last = values.findLastIndex((value) => value !== null);
  if (last < 0) return [svg("path", {class: "zero", d: `M0 ${MIDDLE}H${WIDTH}`})];
  const corners = crossed(values.slice(0, last + 1).map((value) => value ?? 0));
  const area = (kept) => {
    const points = corners.map(([at, value]) => `${round(across(at))} ${round(up(kept(value)))}`);
    return `M0 ${MIDDLE}L${points.join("L")}L${across(last)} ${MIDDLE}Z`;
  };
  return [
    svg("path", {class: "a0", d: area((value) => Math.max(value, 0))}),
    svg("path", {class: "a1", d: area((value) => Math.min(value, 0))}),
    svg("path", {class: "zero", d: `M0 ${MIDDLE}H${WIDTH}`}),
    svg("path", {class: "line", d: line(values, across, up)}),
  ];
}

// The values with their places, and between two of them the place where they cross zero.
function crossed(values) {
  return values.flatMap((value, at) => {
    const before = values[at - 1] ?? value;
    return before * value < 0 ? [[at - value / (value - before), 0], [at, value]] : [[at, value]];
  });
}

// A path through the values that are known.
export function line(values, across, up) {
  const points = range(values.length)
    .filter((at) => values[at] !== null)
    .map((at) => `${round(across(at))} ${round(up(values[at]))}`);
  return points.length ? `M${points.join("L")}` : "";
}

function round(value) {
  return Math.round(value * 10) / 10;
}

// Asks for a better curve and passes on each one, until it is complete or there is none.
export async function improve(address, take) {
  for (;;) {
    const response = await fetch(address);
    if (response.status !== 200) return;
    const {curve, done} = await response.json();
    if (curve) take(curve);
    if (done) return;
    await new Promise((wake) => setTimeout(wake, ASK_AGAIN_MS));
  }
}
