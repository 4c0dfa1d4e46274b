// Marks of bots on a board: cells and arrows in three tones, told apart by their lines too.

import {svg} from "../svg.js";

// The nodes of marks, each {cell, tone} or {from, to, tone}; `middle(place)` is the point where a
// place is drawn, null where it is not; `step` is the side of a cell.
export function marked(marks, middle, step) {
  return marks.map(({cell, from, to, tone}) => {
    const [first, last] = (cell ? [cell, cell] : [from, to]).map(middle);
    if (!first || !last) return null;
    const node = cell ? ring(first, step) : arrow(first, last, step);
    return svg("g", {class: `bot-mark ${tone}`, "aria-hidden": "true"}, node);
  }).filter((node) => node !== null);
}

function ring([x, y], step) {
  const reach = step * 0.4;
  return svg("rect", {class: "stroke", x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach, rx: step / 8});
}

// An arrow between two points; none where they are the same.
function arrow([x, y], [x2, y2], step) {
  const length = Math.hypot(x2 - x, y2 - y);
  if (length === 0) return null;
  const [across, down] = [(x2 - x) / length, (y2 - y) / length];
  const head = Math.min(step * 0.3, length);
  const neck = [x2 - across * head, y2 - down * head];
  const side = (sign) => [neck[0] - sign * down * head * 0.6, neck[1] + sign * across * head * 0.6];
  const points = [[x2, y2], side(1), side(-1)].map((point) => point.map(round).join(" "));
  return [
    svg("path", {class: "stroke", d: `M${round(x)} ${round(y)}L${neck.map(round).join(" ")}`}),
    svg("path", {class: "head", d: `M${points.join("L")}Z`}),
  ];
}

function round(value) {
  return Math.round(value * 10) / 10;
}

// The marks that the bots sent with what led to a position.
export function marksOf(position) {
  return position.events.flatMap((event) => event.marks ?? []);
}

// The marks in words: how many there are of each tone, as [tone, count].
export function counted(marks) {
  return ["good", "bad", "note"]
    .map((tone) => [tone, marks.filter((mark) => mark.tone === tone).length])
    .filter(([, count]) => count > 0);
}
