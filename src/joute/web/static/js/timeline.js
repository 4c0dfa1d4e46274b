// The timeline of a replay: curve, marks and slider on the same scale, and the buttons below.

import {WIDTH, drawn} from "./evaluation.js";
import {html, svg} from "./svg.js";
import {language, say} from "./words.js";

export const SPEEDS = [0.5, 1, 4, 16];

const SIGNS = {
  decisive: () => svg("path", {class: "acc", d: "M0-8 8 0 0 8-8 0Z"}),
  fault: () => [svg("path", {class: "no", d: "M-7 -7H7V7H-7Z"}), svg("path", {class: "sg", d: "M-3 -3l6 6M3 -3l-6 6"})],
  resigned: () => svg("path", {class: "ring", d: "M-5 8V-7H6L3-3 6 1H-5"}),
  slow: () => svg("path", {class: "wa", d: "M0-8 8 6H-8Z"}),
  message: () => svg("circle", {class: "ring", r: 5}),
};

const BUTTONS = [
  ["first", "M4 4v16M20 4 8 12l12 8Z"],
  ["back", "M18 4 6 12l12 8Z"],
  ["play", "M6 3l14 9-14 9Z", "M7 4h3v16H7ZM14 4h3v16h-3Z"],
  ["on", "M6 4l12 8-12 8Z"],
  ["last", "M20 4v16M4 4l12 8-12 8Z"],
];

// {element, show, value}: `act(name)` is called with a button's name, `go(at)` with a place on the line.
export function timeline(data, {act, go, speed}) {
  const count = data.positions.length;
  const cursor = svg("path", {class: "here"});
  const curve = svg("svg", {class: "curve", viewBox: `0 0 ${WIDTH} 120`, preserveAspectRatio: "none", role: "img"});
  const marks = svg("svg", {class: "marks", role: "group", "aria-label": say("replay.marks")});
  const legend = html("p", {class: "legend"});
  const slider = html("input", {
    type: "range", min: 0, max: count - 1, value: 0, "aria-label": say("replay.position"), class: "slider",
  });
  const where = html("output", {class: "small nowrap where"});
  const standing = html("span", {class: "small mute standing"});
  const buttons = new Map(BUTTONS.map((each) => [each[0], button(each, act)]));
  const speeds = SPEEDS.map((each) => speedButton(each, speed));
  const element = html(
    "section", {class: "timeline", "aria-label": say("replay.timeline")},
    html("div", {class: "scale"}, curve, marks, slider),
    html("div", {class: "transport"},
      html("div", {class: "seg"}, [...buttons.values()]),
      html("div", {class: "seg", role: "group", "aria-label": say("replay.speed")}, speeds),
      where),
    html("p", {class: "small"}, standing), legend,
  );
  let shown = data.curve;

  slider.addEventListener("input", () => go(Number(slider.value)));
  curve.addEventListener("click", (event) => {
    const box = curve.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * (count - 1)));
  });

  function show(at, {playing, rate}) {
    const x = count > 1 ? (at / (count - 1)) * WIDTH : 0;
    cursor.setAttribute("d", `M${x} 0V120`);
    slider.value = at;
    const words = named(data.positions, at);
    slider.setAttribute("aria-valuetext", words);
    where.textContent = words;
    standing.textContent = told(shown, data.facts, at);
    element.classList.toggle("plays", playing);
    buttons.get("play").setAttribute("aria-label", say(playing ? "replay.pause" : "replay.play"));
    speeds.forEach((each, number) => each.setAttribute("aria-pressed", SPEEDS[number] === rate));
  }

  function value(next) {
    shown = next;
    curve.style.display = next.by ? "" : "none";
    curve.replaceChildren(...drawn(next, count), cursor);
    curve.setAttribute("aria-label", say("replay.curve", {by: next.by}));
    const all = [...data.marks, ...next.decisive].sort((one, other) => one.number - other.number);
    marks.replaceChildren(...all.map((each) => mark(each, count, go)));
    const kinds = Object.keys(SIGNS).filter((kind) => all.some((each) => each.kind === kind));
    legend.replaceChildren(...kinds.map((kind) =>
      html("span", {}, svg("svg", {viewBox: "-9 -9 18 18", "aria-hidden": "true"}, SIGNS[kind]()), say(`replay.kind.${kind}`))));
  }

  value(data.curve);
  return {element, show, value};
}

// The name of a place: "Ply 61 of 96", "Before the game".
export function named(positions, at) {
  const last = positions.at(-1).ply;
  if (at === 0) return say("replay.before");
  return say("replay.ply", {ply: positions[at].ply, last});
}

// The line that says who is ahead.
function told(curve, facts, at) {
  if (!curve.by) return "";
  if (curve.series.length > 1 || facts.players < 2) return say("replay.by", {by: curve.by});
  const value = curve.series[0][at];
  if (value === null || value === undefined) return say("replay.by", {by: curve.by});
  const digits = Math.abs(value).toLocaleString(language, {maximumFractionDigits: 2});
  if (value === 0) return say("replay.level", {by: curve.by});
  return say("replay.ahead", {name: facts.names[value > 0 ? 0 : 1], value: digits, by: curve.by});
}

function mark(each, count, go) {
  const x = `${count > 1 ? (each.number / (count - 1)) * 100 : 0}%`;
  const link = svg(
    "a", {href: `#at=${each.number}`, "aria-label": each.text, class: each.kind},
    svg("title", {}, each.text), svg("svg", {x, y: "50%"}, svg("rect", {class: "room", x: -9, y: -12, width: 18, height: 24}), SIGNS[each.kind]()),
  );
  link.addEventListener("click", (event) => {
    event.preventDefault();
    go(each.number);
  });
  return link;
}

function button([name, path, other], act) {
  const icon = (d, kind) => svg("svg", {viewBox: "0 0 24 24", "aria-hidden": "true", class: kind}, svg("path", {d}));
  const icons = other ? [icon(path, "paused"), icon(other, "playing")] : [icon(path)];
  const made = html("button", {type: "button", "data-act": name, "aria-label": say(`replay.${name}`)}, icons);
  made.addEventListener("click", () => act(name));
  return made;
}

function speedButton(rate, speed) {
  const made = html("button", {type: "button", "data-speed": rate}, rate === 0.5 ? "½×" : `${rate}×`);
  made.addEventListener("click", () => speed(rate));
  return made;
}
