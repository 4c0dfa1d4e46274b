// Drawings for card games: pictures and backs of cards, lines of words, rows of lozenges; and keeping
// the focus in a drawing that is made anew.

import {html, lozenge, meant, range, svg} from "../svg.js";

const PICTURE = 48;  // units of a picture, each way

// A picture in a line of words; with a label it is read out.
export function picture(parts, label = null) {
  const role = label === null ? {"aria-hidden": "true"} : {role: "img", "aria-label": label};
  return svg("svg", {viewBox: `0 0 ${PICTURE} ${PICTURE}`, ...role}, ...painted(parts));
}

// A picture inside a drawing, its top left corner at x, y.
export function inset(parts, x, y, size) {
  return svg("g", {transform: `translate(${x} ${y}) scale(${size / PICTURE})`}, ...painted(parts));
}

function painted(parts) {
  return parts.map(([name, d]) => svg("path", {class: name, d}));
}

// The small back of a card.
export function back(label) {
  return svg("svg", {class: "small", viewBox: "0 0 48 66", role: "img", "aria-label": label},
    svg("rect", {class: "cardback", x: 1, y: 1, width: 46, height: 64, rx: 4}),
    svg("path", {class: "backline", d: "M24 14 39 33 24 52 9 33Z"}),
    svg("path", {class: "backmark", d: "M24 24l7 9-7 9-7-9Z"}));
}

// A row of lozenges, `filled` of `count`, as an image in a line of words.
export function pips(filled, count, label, reach = 4) {
  const step = 2 * reach + 3;
  return svg("svg", {
    class: "pips", viewBox: `0 0 ${step * Math.max(count, 1)} ${2 * reach + 2}`, role: "img", "aria-label": label,
  }, ...pipsAt(filled, count, step / 2, reach + 1, reach));
}

// The same inside a drawing, the first around x, y.
export function pipsAt(filled, count, x, y, reach) {
  const step = 2 * reach + 3;
  return range(count).map((at) => svg("path", {
    class: at < filled ? "pip here" : "pip", d: lozenge(x + at * step, y, reach),
  }));
}

// A few words in a frame, with a picture; dashed where only the viewer knows it.
export function badge(parts, text, {secret = false} = {}) {
  return html("span", {class: secret ? "badge secret" : "badge"}, parts ? picture(parts) : null, text);
}

// Lines of text in a drawing, broken between words after `most` characters at the latest.
export function paragraph(text, {x, y, most, step, size, name = "m ink2"}) {
  return broken(text, most).map((line, at) => svg("text", {
    class: name, x, y: y + at * step, "font-size": size,
  }, line));
}

// The text in lines of `most` characters at most; a longer word has a line of its own.
export function broken(text, most) {
  const lines = [];
  for (const word of text.split(/ (?![:;?!])/).filter((each) => each)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

// Replaces the children of an element; the focus stays, by `data-at`.
export function refill(element, children) {
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.at : null;
  element.replaceChildren(...children.flat(2).filter((child) => child !== null));
  if (focused) element.querySelector(`[data-at="${focused}"]`)?.focus({preventScroll: true});
}

// Whether a keydown is meant for a board whose choices are radio buttons: those keep to themselves
// only the keys that move among them.
export function heard(event, element) {
  const chord = event.ctrlKey || event.altKey || event.metaKey;
  if (!element.contains(event.target) || event.target.type !== "radio") return meant(event);
  return !chord && event.key !== "Enter" && event.key !== " " && !(event.key in STEPS);
}

const STEPS = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};

// Moves the focus by an arrow key among things with `data-row`, from one of them; true if it did.
export function walk(element, event) {
  const step = STEPS[event.key];
  const here = document.activeElement?.closest("[data-row]");
  if (!step || !here || !element.contains(here)) return false;
  const all = [...element.querySelectorAll("[data-row]")];
  const rows = [...new Set(all.map((each) => Number(each.dataset.row)))].sort((one, other) => one - other);
  const inRow = (row) => all.filter((each) => Number(each.dataset.row) === row);
  const row = Number(here.dataset.row);
  const place = inRow(row).indexOf(here);
  const next = inRow(rows[rows.indexOf(row) + step[0]] ?? row);
  next[Math.min(Math.max(place + step[1], 0), next.length - 1)].focus();
  return true;
}

// One of the things with `data-row` can be reached by Tab: the one that had the focus last.
export function oneStop(element, last) {
  const all = [...element.querySelectorAll("[data-row]")];
  const stop = all.find((each) => each.dataset.at === last) ?? all[0];
  for (const each of all) each.setAttribute("tabindex", each === stop ? 0 : -1);
}
