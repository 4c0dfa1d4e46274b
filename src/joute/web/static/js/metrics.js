// The numbers that bots sent with their answers, charted over a game: a curve for each name, with a
// line for each seat.

import {WIDTH, line} from "./evaluation.js";
import {html, range, svg} from "./svg.js";
import {number, say} from "./words.js";

const HEIGHT = 60;
const EDGE = 4;  // above the greatest value and below the least
const MOST = 16;  // names that are charted
const DIGITS = 3;

// {element, show}: the panel of charts, null where no bot sent numbers; `go(at)` is called with a
// place that is chosen.
export function metrics(data, go) {
  const charts = [...seriesOf(data)].slice(0, MOST).map(([name, series]) => chart(name, series, data, go));
  if (!charts.length) return null;
  const element = html(
    "details", {class: "panel metrics", open: ""},
    html("summary", {}, say("replay.metrics")), charts.map((each) => each.element));
  return {element, show: (at) => charts.forEach((each) => each.show(at))};
}

// By name, the values of each seat by position; null where it sent none.
function seriesOf({positions, facts}) {
  const found = new Map();
  positions.forEach((position, at) => position.events.forEach((event) => {
    for (const [name, value] of Object.entries(event.metrics ?? {})) {
      if (!found.has(name)) found.set(name, facts.names.map(() => range(positions.length).map(() => null)));
      found.get(name)[event.player][at] = value;
    }
  }));
  return found;
}

function chart(name, series, {facts, positions}, go) {
  const known = series.flat().filter((value) => value !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const last = positions.length - 1;
  const across = (at) => (last > 0 ? (at / last) * WIDTH : 0);
  const room = HEIGHT - 2 * EDGE;
  const up = (value) => HEIGHT - EDGE - (most > least ? (value - least) / (most - least) : 0.5) * room;
  const cursor = svg("path", {class: "here"});
  const label = say("replay.metric.curve", {name, least: shown(least), most: shown(most)});
  const curve = svg(
    "svg", {class: "curve little", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label},
    series.map((values, seat) => svg("path", {class: `line seat${seat % 6}`, d: line(values, across, up)})),
    cursor,
  );
  const now = html("span", {class: "small"});
  const element = html(
    "div", {class: "metric"},
    html("p", {class: "small"}, html("b", {}, name), " ", html("span", {class: "mute"}, say("replay.metric.range", {least: shown(least), most: shown(most)})), " ", now),
    curve,
  );
  curve.addEventListener("click", (event) => {
    const box = curve.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * last));
  });

  // Shows the last value of each seat up to a place.
  function show(at) {
    cursor.setAttribute("d", `M${across(at)} 0V${HEIGHT}`);
    const values = series.map((each) => each.slice(0, at + 1).findLast((value) => value !== null) ?? null);
    now.textContent = values
      .map((value, seat) => (value === null ? null : `${facts.names[seat]} = ${shown(value)}`))
      .filter((text) => text !== null)
      .join(" · ");
  }

  return {element, show};
}

// A number as it is written here.
export function shown(value) {
  const size = Math.abs(value);
  if (size >= 1e9 || (size > 0 && size < 10 ** -DIGITS)) return value.toExponential(DIGITS - 1);
  return number(value, Number.isInteger(value) ? 0 : DIGITS);
}
