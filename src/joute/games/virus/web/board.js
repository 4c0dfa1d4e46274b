// Virus: lozenges against roundels, stones that turn in a ripple.

import {cellOf, grid} from "../../js/boards/grid.js";
import {marked} from "../../js/boards/marks.js";
import {frame, html, install, lines, lozenge, meant, range, still, svg} from "../../js/svg.js";
import {tincture} from "../../js/sprites.js";
import {say} from "../../js/words.js";

const STEP = 44;
const LEFT = 26;
const TOP = 26;
const FOOT = 24;
const RIPPLE = [[-1, -1], [-1, 0], [-1, 1], [0, 1], [1, 1], [1, 0], [1, -1], [0, -1]];

const STONES = `
  <symbol id="st0" viewBox="-20 -20 40 40">
    <path class="az" d="M0-17.5 17.5 0 0 17.5-17.5 0Z"/>
    <path fill="url(#h0)" d="M0-17.5 17.5 0 0 17.5-17.5 0Z"/>
  </symbol>
  <symbol id="st1" viewBox="-20 -20 40 40">
    <circle class="orr" r="14"/><circle fill="url(#h1)" r="14"/>
    <circle r="8.6" fill="none" class="hl" stroke-width="2.4"/>
  </symbol>`;

export const keys = [
  [["←", "↑", "↓", "→"], "board.keys.walk"],
  ["Enter", "board.keys.place"],
  ["L", "board.keys.legal"],
  ["P", "board.keys.pass"],
];

export function create(facts) {
  install(STONES);
  return new Virus(facts);
}

class Virus {
  shown = null;  // the position on the board
  targets = new Map();  // cell -> action, while something is asked
  passing = null;  // the action that passes, if that may be chosen
  answer = null;
  refuse = null;  // says why something is not legal

  constructor(facts) {
    this.title = facts.title;
    this.size = facts.parameters.size;
    this.grid = grid({columns: this.size, rows: this.size, left: LEFT, top: TOP, step: STEP});
    this.layer = svg("g", {role: "presentation"});
    this.marks = svg("g", {role: "presentation"});
    this.board = drawing(this.size, this.grid, this.layer, this.marks);
    this.pass = html("button", {class: "btn", type: "button", hidden: ""}, say("board.virus.pass"), html("kbd", {}, "P"));
    this.element = html("div", {class: "drawn virus"}, this.board, html("div", {class: "row below"}, this.pass));
    this.board.addEventListener("click", (event) => this.clicked(cellOf(event)));
    this.pass.addEventListener("click", () => this.choose(this.passing));
  }

  aspect() {
    return (this.size * STEP + LEFT + 18) / (this.size * STEP + TOP + FOOT - 16);
  }

  show(position, {quick = false} = {}) {
    const seen = position.seen[Object.keys(position.seen)[0]];
    const moving = !quick && !still() && this.shown !== null && position.ply > this.shown.ply;
    const stone = position.events.findLast((event) => event.turned);
    const turned = stone && moving ? ripple(stone, this.size) : new Map();
    const owners = [...seen.grid.join("")];
    this.grid.cells.forEach((cell, number) => {
      cell.querySelector(".stone")?.remove();
      if (owners[number] === ".") return;
      const placed = moving && stone?.action === number;
      cell.append(drawn(...this.grid.middle(number), Number(owners[number]), placed, turned.get(number)));
    });
    this.layer.replaceChildren(...(stone && owners[stone.action] ? [corners(this.grid.middle(stone.action))] : []));
    this.shown = {ply: position.ply, owners, points: position.points};
    this.named();
  }

  mark(marks) {
    const inside = ([x, y]) => x < this.size && y < this.size;
    const middle = (place) => (inside(place) ? this.grid.middle(place[1] * this.size + place[0]) : null);
    this.marks.replaceChildren(...marked(marks, middle, STEP));
  }

  ask(question, answer, {refuse = null} = {}) {
    const actions = (question?.actions ?? []).map(([action]) => action);
    const stones = this.size * this.size;
    this.answer = question ? answer : null;
    this.refuse = refuse;
    this.targets = new Map(actions.filter((action) => action < stones).map((action) => [action, action]));
    this.passing = actions.find((action) => action === stones) ?? null;
    this.grid.cells.forEach((cell, number) => {
      cell.querySelector(".aim")?.remove();
      cell.classList.toggle("legal", this.targets.has(number));
      if (this.targets.has(number)) cell.append(svg("path", {class: "aim", d: lozenge(...this.grid.middle(number), 7)}));
    });
    this.grid.begin([...this.targets.keys()]);
    if (question) this.pass.hidden = false;
    this.pass.disabled = this.passing === null;
    this.pass.classList.toggle("primary", this.passing !== null && this.targets.size === 0);
    this.suggest([]);
    this.named();
  }

  // Says in words what stands on each cell and on the board.
  named() {
    if (!this.shown) return;
    const {owners, points} = this.shown;
    this.grid.cells.forEach((cell, number) => {
      const words = owners[number] === "." ? say("board.empty") : tincture(owners[number]);
      const legal = this.targets.has(number) ? `, ${say("board.legal")}` : "";
      cell.setAttribute("aria-label", `${place(number, this.size)}, ${words}${legal}`);
    });
    const counts = {azure: points[0], or: points[1], count: this.targets.size};
    const now = say(this.answer ? "board.virus.asked" : "board.virus.stands", counts);
    this.board.setAttribute("aria-label", `${this.title}, ${this.size} × ${this.size}. ${now}`);
  }

  choose(action) {
    const answer = this.answer;
    if (!answer || action === null || action === undefined) return;
    this.ask(null);
    answer(action);
  }

  clicked(number) {
    if (number === null) return;
    this.grid.enter(number);
    this.place(number);
  }

  // Places a stone, or says why none can stand there.
  place(number) {
    if (this.targets.has(number)) this.choose(this.targets.get(number));
    else if (this.answer) this.refuse?.(say("board.virus.refused"));
  }

  // Goes to the next legal cell.
  next() {
    const legal = [...this.targets.keys()];
    if (legal.length) this.grid.focus(legal.find((number) => number > this.grid.here()) ?? legal[0]);
  }

  key(event) {
    const inside = this.element.contains(document.activeElement);
    if (!meant(event) || (!this.answer && !inside)) return false;
    if (!this.grid.walk(event) && !(this.answer && this.pressed(event.key.toLowerCase(), inside))) return false;
    event.preventDefault();
    return true;
  }

  pressed(key, inside) {
    if (key === "l") this.next();
    else if (key === "p" && this.passing !== null) this.choose(this.passing);
    else if (inside && ["enter", " "].includes(key)) this.place(this.grid.here());
    else return false;
    return true;
  }

  suggest(actions) {
    this.grid.cells.forEach((cell, number) => cell.classList.toggle("hinted", actions.includes(number)));
    this.pass.classList.toggle("hinted", actions.includes(this.size * this.size));
  }
}

function drawing(size, cells, ...layers) {
  const width = size * STEP;
  return svg(
    "svg",
    {class: "board", viewBox: `0 16 ${width + LEFT + 18} ${width + TOP + FOOT - 16}`, role: "grid"},
    svg("rect", {class: "bfield", x: LEFT, y: TOP, width, height: width}),
    svg("path", {class: "bgrid", d: lines(LEFT, TOP, size, size, STEP)}),
    cells.rows,
    layers,
    frame(LEFT, TOP, width, width),
    range(size).map((at) => [
      svg("text", {class: "coord m", x: LEFT + (at + 0.5) * STEP, y: TOP + width + 18}, column(at)),
      svg("text", {class: "coord m", x: 11, y: TOP + (at + 0.5) * STEP + 4}, String(at + 1)),
    ]),
  );
}

// In which order the stones around a new one turn, by cell: clockwise from the upper left.
function ripple(stone, size) {
  const turned = new Set(stone.turned.map(([row, at]) => row * size + at));
  const around = RIPPLE.map(([down, right], order) => [stone.action + down * size + right, order + 1]);
  return new Map(around.filter(([number]) => turned.has(number)));
}

// A stone; one that `order` says turned opens as the other side's.
function drawn(x, y, owner, placed, order) {
  const use = (of, kind) => svg("use", {class: kind, href: `#st${of}`, x: x - 21, y: y - 21, width: 42, height: 42});
  if (order) return svg("g", {class: `stone turning d${order}`}, use(1 - owner, "was"), use(owner, "now"));
  return svg("g", {class: placed ? "stone placed" : "stone"}, use(owner));
}

// Four corners around the middle of a cell.
function corners([x, y]) {
  const far = STEP / 2 - 3;
  const near = far - 9;
  const d = [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    .map(([right, down]) => `M${x + right * far} ${y + down * near}V${y + down * far}H${x + right * near}`)
    .join("");
  return svg("path", {class: "last", d});
}

function column(at) {
  return String.fromCharCode(97 + at);
}

function place(number, size) {
  return `${column(number % size)}${Math.floor(number / size) + 1}`;
}
