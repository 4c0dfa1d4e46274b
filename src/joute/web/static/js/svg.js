// Nodes of drawings: SVG and HTML elements, the frame of a board, keys.

const SPACE = "http://www.w3.org/2000/svg";

// An SVG element with these attributes (null or undefined ones are left out) and children.
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SPACE, name), attributes, children);
}

// An HTML element, likewise.
export function html(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return element;
}

// The edge of a board with a lozenge on each corner: nodes to be drawn over its cells. Edges that
// are joined with the opposite ones (`open` has x for left and right, y for top and bottom) are
// dashed.
export function frame(x, y, width, height, open = {}) {
  const corners = [[x, y], [x + width, y], [x, y + height], [x + width, y + height]];
  const upright = `M${x} ${y}v${height}M${x + width} ${y}v${height}`;
  const across = `M${x} ${y}h${width}M${x} ${y + height}h${width}`;
  const dashes = (dashed) => (dashed ? "5 7" : null);
  return [
    svg("path", {class: "edge", d: upright, "stroke-width": 1.6, "stroke-dasharray": dashes(open.x)}),
    svg("path", {class: "edge", d: across, "stroke-width": 1.6, "stroke-dasharray": dashes(open.y)}),
    corners.map(([left, top]) => svg("path", {class: "corner", d: lozenge(left, top, 6)})),
  ];
}

// The path of a lozenge around a point, `reach` from its middle to a tip.
export function lozenge(x, y, reach) {
  return `M${x} ${y - reach}l${reach} ${reach}-${reach} ${reach}-${reach}-${reach}Z`;
}

// The path of all lines of a grid.
export function lines(x, y, columns, rows, step) {
  const right = x + columns * step;
  const bottom = y + rows * step;
  const upright = range(columns - 1).map((at) => `M${x + (at + 1) * step} ${y}V${bottom}`);
  const across = range(rows - 1).map((at) => `M${x} ${y + (at + 1) * step}H${right}`);
  return upright.join("") + across.join("");
}

// 0, 1 ... count - 1.
export function range(count) {
  return Array.from({length: Math.max(count, 0)}, (_, at) => at);
}

// Puts symbols and patterns into the page, each once: an id that is there already stays.
export function install(markup) {
  const text = `<svg xmlns="${SPACE}">${markup}</svg>`;
  const found = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  let home = document.querySelector("svg.defs > defs");
  if (!home) {
    home = svg("defs");
    document.body.prepend(svg("svg", {class: "defs", "aria-hidden": "true"}, home));
  }
  for (const node of [...found.children]) {
    if (!document.getElementById(node.id)) home.append(document.importNode(node, true));
  }
}

// Whether the reader prefers no motion.
export function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// The digit of a key, by its place, as on a French keyboard digits need Shift; null for any other.
export function digitOf({code, key}) {
  const found = /^(?:Digit|Numpad)(\d)$/.exec(code) ?? /^(\d)$/.exec(key);
  return found ? Number(found[1]) : null;
}

// Whether a keydown is for a board: no chord, not typed into a field, and not for a button or a
// link.
export function meant(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  const at = event.target instanceof Element ? event.target : null;
  if (at?.closest("input, select, textarea, dialog, [contenteditable], [role=radiogroup]")) return false;
  return !(at?.closest("a, button, summary") && ["Enter", " "].includes(event.key));
}
