// Tron: floors side by side, trails that are told apart by hatching, heads with the seats' charges.

import {marked} from "../../js/boards/marks.js";
import {beside, bySign, cells, CELL, DIRECTIONS, MARGIN, mapOf, middle, room, signAt} from "./map.js";
import {memory} from "./trails.js";
import {frame, html, lines, lozenge, meant, range, svg} from "../../js/svg.js";
import {charge, tincture} from "../../js/sprites.js";
import {directionOf} from "../../js/steering.js";
import {say} from "../../js/words.js";

const TINCTURES = ["az", "or", "vt", "gu", "pu", "sa", "az", "or"];
const DOORS = ["pu", "sa", "gu", "vt"];  // tinctures of teleporters, as far as no seat has them
const CAPTION = 60;  // units above a floor of several
const ARROWS = ["←", "↑", "→", "↓", "⤒", "⤓"];

export const wide = true;  // it needs the width of the page

const STEER = [["←", "↑", "↓", "→"], "board.keys.steer"];
const STAIRS = [["PgUp", "PgDn"], "board.keys.stairs"];

export const keys = [STEER, STAIRS];

export function create(facts) {
  return new Tron(facts);
}

class Tron {
  shown = null;  // what is seen of the position on the board
  targets = new Map();  // direction -> its lozenge, while something is asked
  answer = null;
  refuse = null;  // says why something is not legal
  live = false;  // whether rounds come by themselves, so that one may turn at any time

  constructor(facts) {
    this.facts = facts;
    this.chart = mapOf(facts.parameters);
    this.memory = memory(this.chart);
    this.layers = this.chart.floors.map(() => svg("g"));
    this.aims = this.chart.floors.map(() => svg("g"));
    this.marks = this.chart.floors.map(() => svg("g"));
    this.boards = this.chart.floors.map((_, floor) =>
      board(this.chart, floor, this.layers[floor], this.aims[floor], this.marks[floor]));
    this.buttons = buttons(this.chart);
    this.keys = this.buttons.length > 4 ? keys : [STEER];
    this.buttons.forEach((button, direction) => button.addEventListener("click", () => this.choose(direction)));
    for (const each of this.boards) {
      each.addEventListener("click", ({target}) => {
        if (this.answer && !this.live && !target.closest(".legal")) this.refuse?.(say("board.tron.refused"));
      });
    }
    this.pad = html("div", {class: "pad", role: "group", "aria-label": say("board.tron.pad")}, this.buttons);
    this.floors = figures(this.boards);
    this.element = html("div", {class: "drawn tron"}, this.floors, doorList(this.chart), this.pad);
  }

  // Floors stand side by side or below each other, as they are larger.
  aspect(width, height) {
    const [across, down] = [this.chart.width * CELL + 2 * MARGIN, this.chart.height * CELL + 2 * MARGIN];
    const count = this.boards.length;
    const scale = (columns) => Math.min(width / (columns * across), height / (Math.ceil(count / columns) * (down + CAPTION)));
    const columns = range(count).map((at) => at + 1).reduce((best, each) => (scale(each) > scale(best) ? each : best));
    const rows = Math.ceil(count / columns);
    this.floors.style.setProperty("--columns", columns);
    this.floors.style.setProperty("--floor-rows", rows);
    return (columns * across) / (rows * down);
  }

  learn(positions) {
    for (const position of positions) this.memory.learn(position);
  }

  show(position) {
    this.memory.learn(position);
    this.shown = position.seen[Object.keys(position.seen)[0]];
    const signs = bySign(this.chart, this.shown.floors);
    const bikes = range(this.facts.players).map((bike) => {
      const mine = signs.get(String(bike + 1)) ?? [];
      return {
        bike,
        gone: !this.shown.alive.includes(bike),
        paths: mine.length ? this.memory.paths(position, bike, mine) : [],
        at: this.memory.places(position, bike).at(-1),
      };
    });
    this.layers.forEach((layer, floor) => layer.replaceChildren(
      ...bikes.flatMap(({bike, gone, paths}) => trail(bike, paths[floor], gone)),
      ...crashes(this.chart, (signs.get("*") ?? []).filter((at) => at[2] === floor)),
      ...doors(this.chart, this.shown.floors, floor, this.facts.players),
      ...bikes.flatMap(({bike, gone, at}) => head(this.chart, bike, at, floor, gone)),
    ));
    this.boards.forEach((each, floor) => each.setAttribute("aria-label", this.label(position, floor)));
  }

  // An arrow that leads to another floor is on neither.
  mark(marks) {
    this.marks.forEach((layer, floor) => {
      const here = ([x, y, on = 0]) => on === floor && x < this.chart.width && y < this.chart.height;
      layer.replaceChildren(...marked(marks, (place) => (here(place) ? middle(this.chart, place) : null), CELL));
    });
  }

  // A floor in words: where its bikes are, and who is out.
  label(position, floor) {
    const bikes = range(this.facts.players).map((bike) => {
      const values = {seat: tincture(bike), name: this.facts.names[bike], moves: position.points[bike]};
      const at = this.shown.heads[bike];
      if (!at) return say("board.tron.out", values);
      return at[2] === floor ? say("board.tron.at", {...values, x: at[0], y: at[1]}) : null;
    });
    const title = `${say("board.tron.floor", {floor})}, ${this.chart.width} × ${this.chart.height}.`;
    return [title, ...bikes.filter((each) => each !== null)].join(" ");
  }

  ask(question, answer, {refuse = null} = {}) {
    this.answer = question ? answer : null;
    this.refuse = refuse;
    this.live = Boolean(question?.live);
    const from = question && this.shown ? this.shown.heads[question.player] : null;
    this.aim(from, this.live ? [] : question?.actions ?? []);
    if (question) this.element.classList.add("played");  // and has its pad, on a screen that is touched
    this.buttons.forEach((button, direction) => {
      button.disabled = !this.live && !this.targets.has(direction);
      const name = say(`board.tron.${DIRECTIONS[direction]}`);
      const free = from && !this.live ? room(this.chart, this.shown.floors, from, direction) : null;
      button.setAttribute("aria-label", free === null ? name : say("board.tron.room", {direction: name, free}));
    });
    this.suggest([]);
  }

  // Puts a lozenge where each legal direction leads.
  aim(from, actions) {
    this.targets = new Map();
    this.aims.forEach((layer) => layer.replaceChildren());
    for (const [direction] of from ? actions : []) {
      const at = beside(this.chart, from, direction);
      const lit = svg("path", {class: "aim", d: lozenge(...middle(this.chart, at), 6)});
      const cell = svg("g", {class: "cell legal"}, hit(this.chart, at), lit);
      cell.addEventListener("click", () => this.choose(direction));
      this.aims[at[2]].append(cell);
      this.targets.set(direction, cell);
    }
  }

  choose(direction) {
    const answer = this.answer;
    if (!answer) return;
    if (!this.live && !this.targets.has(direction)) {
      this.refuse?.(say("board.tron.refused"));
      return;
    }
    if (!this.live) this.ask(null);
    answer(direction);
  }

  key(event) {
    const {arrow, letter} = directionOf(event);
    const direction = arrow ?? (letter < 4 ? letter : undefined);
    if (direction === undefined || !this.answer || !meant(event)) return false;
    event.preventDefault();
    this.choose(direction);
    return true;
  }

  suggest(actions) {
    this.buttons.forEach((button, direction) => button.classList.toggle("hinted", actions.includes(direction)));
    for (const [direction, cell] of this.targets) cell.classList.toggle("hinted", actions.includes(direction));
  }
}

// A button for each direction; those of the stairs only where there are some.
function buttons(chart) {
  const count = cells(chart).some(({sign}) => /[udb]/.test(sign)) ? 6 : 4;
  return range(count).map((direction) =>
    html("button", {class: `btn to-${DIRECTIONS[direction]}`, type: "button", disabled: ""}, ARROWS[direction]));
}

function figures(boards) {
  const single = boards.length === 1;
  const caption = (floor) => (single ? null : html("figcaption", {}, say("board.tron.floor", {floor})));
  return html("div", {class: single ? "floors" : "floors several"}, boards.map((each, floor) => html("figure", {}, caption(floor), each)));
}

// The drawing of a floor: what stays of it, under the layers of what does not.
function board(chart, floor, ...moving) {
  const [width, height] = [chart.width * CELL, chart.height * CELL];
  const walls = cells(chart).filter(({sign, at}) => sign === "#" && at[2] === floor);
  return svg(
    "svg",
    {class: "board", viewBox: `0 0 ${width + 2 * MARGIN} ${height + 2 * MARGIN}`, role: "img"},
    svg("rect", {class: "bfield", x: MARGIN, y: MARGIN, width, height}),
    svg("path", {class: "bgrid", d: lines(MARGIN, MARGIN, chart.width, chart.height, CELL)}),
    svg("path", {class: "wall", d: walls.map(({at}) => square(chart, at)).join("")}),
    cells(chart).filter(({at}) => at[2] === floor).map(({sign, at}) => stairs(chart, sign, at)),
    moving,
    frame(MARGIN, MARGIN, width, height, chart.wraps),
  );
}

function square(chart, at) {
  const [x, y] = middle(chart, at);
  return `M${x - CELL / 2} ${y - CELL / 2}h${CELL + 0.5}v${CELL + 0.5}h${-CELL - 0.5}Z`;
}

function hit(chart, at) {
  const [x, y] = middle(chart, at);
  return svg("rect", {class: "hit", x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL});
}

// Steps, and a small arrow for each way they lead.
function stairs(chart, sign, at) {
  if (!["u", "d", "b"].includes(sign)) return null;
  const [x, y] = middle(chart, at);
  const arrow = (left, turn) => `M${left} ${y - 7 * turn}l5 ${7 * turn}h-10Z`;
  const arrows = {u: [[x - 6, 1]], d: [[x - 6, -1]], b: [[x - 9, 1], [x + 3, -1]]}[sign];
  return svg(
    "g",
    {role: "img", "aria-label": say(`board.tron.stairs.${sign}`)},
    svg("path", {class: "steps", d: `M${x - 11} ${y + 11}h6v-6h6v-6h6v-6h6`}),
    svg("path", {class: "ink2", d: arrows.map(([left, turn]) => arrow(left, turn)).join("")}),
  );
}

function trail(bike, d, gone) {
  if (!d) return [];
  return [svg(
    "g",
    {class: gone ? "gone" : null, "data-bike": bike},
    bike > 5 ? svg("path", {class: "trail casing", d}) : null,
    svg("path", {class: `trail s-${TINCTURES[bike]}`, d}),
    svg("path", {class: `trail-h t${bike % 6}`, d}),
  )];
}

function crashes(chart, places) {
  return places.map((at) => {
    const [x, y] = middle(chart, at);
    const d = range(8).map((ray) => {
      const [far, near] = [turned(ray * 45, 13), turned(ray * 45 + 22.5, 6)];
      return `${ray ? "L" : "M"}${x + far[0]} ${y + far[1]}L${x + near[0]} ${y + near[1]}`;
    });
    return svg("path", {class: "crash", d: `${d.join("")}Z`, role: "img", "aria-label": say("board.tron.crash")});
  });
}

function turned(degrees, reach) {
  const angle = (degrees * Math.PI) / 180;
  return [Math.cos(angle) * reach, Math.sin(angle) * reach].map((value) => Math.round(value * 10) / 10);
}

function doors(chart, floors, floor, players) {
  const here = Object.entries(chart.ends).flatMap(([letter, ends], index) =>
    ends.filter((at) => at[2] === floor).map((at) => ({letter, at, index})));
  return here.map(({letter, at, index}) => {
    const [x, y] = middle(chart, at);
    const spent = signAt(floors, at) !== letter;
    return svg(
      "g",
      {class: spent ? "door spent" : "door", role: "img", "aria-label": say(spent ? "board.tron.spent" : "board.tron.door", {letter})},
      svg("circle", {class: "tele", cx: x, cy: y, r: 13}),
      svg("circle", {class: `colour ${doorColour(index, players)}`, cx: x, cy: y, r: 9.5}),
      svg("text", {x, y: y + 5, class: "m serif", "font-size": 14}, letter),
    );
  });
}

function doorColour(index, players) {
  const free = DOORS.filter((tint) => !TINCTURES.slice(0, players).includes(tint));
  return free.length ? free[index % free.length] : "fld";
}

function head(chart, bike, at, floor, gone) {
  if (!at || at[2] !== floor) return [];
  const [x, y] = middle(chart, at);
  const cross = `M${x - 9} ${y - 9}l18 18M${x + 9} ${y - 9}l-18 18`;
  return [svg(
    "g",
    {class: gone ? "head gone" : "head", "data-bike": bike},
    svg("circle", {class: "disc", cx: x, cy: y, r: 14}),
    charge(bike, x, y, 18),
    gone ? svg("path", {class: "cross", d: cross}) : null,
  )];
}

// Where each teleporter leads, on maps of several floors.
function doorList({ends, floors}) {
  if (floors.length === 1 || !Object.keys(ends).length) return null;
  const entries = Object.entries(ends).map(([letter, [one, other]]) =>
    html("span", {}, say("board.tron.ends", {letter, one: one[2], other: other[2]})));
  return html("p", {class: "legend"}, entries, html("span", {}, say("board.tron.once")));
}
