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
  const area = (kept) => {
    const clipped = values.slice(0, last + 1).map((value) => kept(value ?? 0));
    return `M0 ${MIDDLE}L${line(clipped, across, up).slice(1)}L${across(last)} ${MIDDLE}Z`;
  };
  return [
    svg("path", {class: "a0", d: area((value) => Math.max(value, 0))}),
    svg("path", {class: "a1", d: area((value) => Math.min(value, 0))}),
    svg("path", {class: "zero", d: `M0 ${MIDDLE}H${WIDTH}`}),
    svg("path", {class: "line", d: line(values, across, up)}),
  ];
}

// A path through the values that are known.
function line(values, across, up) {
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
