// The seats' marks. Their shapes, #s0 to #s7, and hatchings, #h0 to #h5, stand in the page itself
// (templates/pictures/seats.svg).

import {svg} from "./svg.js";
import {say} from "./words.js";

// The charge of a seat, as an image in a line of words.
export function seatMark(seat) {
  const use = svg("use", {href: `#s${seat}`});
  return svg("svg", {class: "seat", viewBox: "0 0 24 24", role: "img", "aria-label": tincture(seat)}, use);
}

// The charge of a seat inside a drawing, around a point.
export function charge(seat, x, y, size) {
  return svg("use", {href: `#s${seat}`, x: x - size / 2, y: y - size / 2, width: size, height: size});
}

// The name of a seat's colour.
export function tincture(seat) {
  return say(`seat.${seat}`);
}
