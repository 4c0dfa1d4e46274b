// Vampires: a map of groups, and orders that are put together on it before they are sent.

import {grid} from "../../js/boards/grid.js";
import {marked} from "../../js/boards/marks.js";
import {arrow, coming, content, corners, field, group, icons, KINDS, LEFT, STEP, tally, tip, TOP} from "./drawing.js";
import {readMove} from "./order.js";
import {Desk} from "./desk.js";
import {frame, html, lines, lozenge, range, svg} from "../../js/svg.js";
import {say} from "../../js/words.js";

export const wide = true;  // it needs the width of the page

const LAYERS = ["fields", "past", "order", "advice", "hint", "done", "tallies", "marks", "tips"];
const EDGE = 16;  // right of the map and below it, where the counts of orders need room
const LARGE = 16;  // columns from which a map is wider than a narrow window

export const keys = [
  [["←", "↑", "↓", "→"], "board.keys.walk"],
  ["Space", "board.keys.hold"],
  [["+", "−", "0–9"], "board.keys.count"],
  ["Enter", "board.keys.send"],
  ["Esc", "board.keys.back"],
];

export function create(facts) {
  icons();
  return new Vampires(facts);
}

class Vampires {
  shown = new Map();  // number of a cell -> [kind, count]
  player = 0;  // who is asked
  written = new Map();  // action -> its move, while something is asked

  constructor(facts) {
    const size = (name) => Number(new RegExp(`${name}="(\\d+)"`).exec(facts.parameters.map)[1]);
    this.columns = size("Columns");
    this.rows = size("Rows");
    this.cells = grid({columns: this.columns, rows: this.rows, left: LEFT, top: TOP, step: STEP});
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, svg("g", {class: `map-${name}`, role: "presentation"})]));
    this.board = drawing(this.columns, this.rows, this.cells, this.layers);
    this.roles = [named(2), named(3)];
    this.desk = new Desk(this);
    this.desk.follow(this.board);
    this.board.style.setProperty("--columns", this.columns);
    this.window = html("div", {class: "scroll"}, this.board);
    const pan = this.columns > LARGE ? html("p", {class: "tiny mute pan"}, say("board.vampires.pan")) : null;
    this.element = html("div", {class: "drawn vampires"}, this.window, pan, this.desk.element);
  }

  aspect() {
    return (this.columns * STEP + LEFT + EDGE) / (this.rows * STEP + TOP + EDGE);
  }

  show(position) {
    const seen = position.seen[Object.keys(position.seen)[0]];
    const found = new Map(seen.cells.map((cell) => [cell[1] * this.columns + cell[0], content(cell)]));
    const fields = [...found].map(([number, [kind]]) => field(this.place(number), kind));
    this.layers.fields.replaceChildren(...fields.filter((each) => each !== null));
    this.cells.cells.forEach((cell, number) => this.stand(cell, number, found.get(number)));
    this.shown = found;
    this.past(position, seen);
    const values = {vampires: seen.counts[0], werewolves: seen.counts[1], humans: seen.humans};
    const map = say("board.vampires.map", {columns: this.columns, rows: this.rows});
    this.board.setAttribute("aria-label", `${map} ${say("board.vampires.stands", values)}`);
  }

  // Draws and names who stands on a cell now, unless that is there already.
  stand(cell, number, now) {
    const same = now?.join() === this.shown.get(number)?.join();
    if (same && cell.hasAttribute("aria-label")) return;
    cell.querySelector(".group")?.remove();
    if (now) cell.append(group(this.place(number), ...now));
    const who = now ? say("board.vampires.group", {count: now[1], kind: named(now[0])}) : say("board.empty");
    cell.setAttribute("aria-label", `${this.place(number).join(", ")}: ${who}`);
  }

  // The last order, where battles were fought, and who is on the way to a cell.
  past(position, seen) {
    const parts = position.events.flatMap((event) => event.parts ?? [event]);
    const moves = parts.filter((part) => part.move).map(({move: [x, y, count, x2, y2]}) => [[x, y], [x2, y2], count]);
    const battles = parts.filter((part) => part.cell).map((part) => part.cell);
    const awaited = seen.arriving.map(([x, y, count]) => [[x, y], count]);
    const told = new Set(awaited.map(([at]) => at.join()));
    this.layers.past.replaceChildren(...moves.map(([from, to]) => arrow(from, to, "past")), ...battles.map(corners));
    this.layers.done.replaceChildren(
      ...moves.filter(([, to]) => !told.has(to.join())).map((move) => tally(...move)),
      ...awaited.map((each) => coming(...each)));
    if (moves.length) this.reveal(this.number(moves.at(-1)[1]));
  }

  mark(marks) {
    const inside = ([x, y]) => x < this.columns && y < this.rows;
    const place = (at) => (inside(at) ? this.cells.middle(at[1] * this.columns + at[0]) : null);
    this.layers.marks.replaceChildren(...marked(marks, place, STEP));
  }

  ask(question, answer, {preview = null, refuse = null} = {}) {
    this.written = new Map((question?.actions ?? []).map(([action, text]) => [action, readMove(text)]));
    this.player = question?.player ?? 0;
    if (question) this.element.classList.add("played");  // and keeps room for orders below
    this.suggest([]);
    this.desk.ask(question, answer, preview, refuse);
  }

  // Draws the moves of the order that is put together.
  draw(moves) {
    for (const layer of [this.layers.past, this.layers.done]) layer.classList.toggle("faint", moves.length > 0);
    this.layers.order.replaceChildren(...moves.map(({from, to}) => arrow(point(from), point(to), "now")));
    this.layers.tallies.replaceChildren(...moves.map(({from, to, count}) => tally(point(from), point(to), count)));
  }

  // Shows the odds of a battle on the map; null hides them.
  tip(meeting) {
    const fought = meeting !== null && meeting.chance < 1;
    this.layers.tips.replaceChildren(...(fought ? [tip(meeting, this.player, this.columns, this.rows)] : []));
  }

  // Lights the cells that may be chosen: groups, or targets of the group that is held.
  light(numbers, held) {
    const legal = new Set(numbers);
    this.cells.cells.forEach((cell, number) => {
      cell.classList.toggle("legal", legal.has(number));
      cell.classList.toggle("held", number === held);
      cell.querySelector(".aim")?.remove();
      if (!legal.has(number) || held === null) return;
      const [x, y] = this.cells.middle(number);
      cell.append(svg("path", {class: "aim", d: lozenge(x, y + (this.shown.has(number) ? -22 : 0), 8)}));
    });
  }

  // Scrolls the map, where it is larger than its window, so that a cell and those beside it are seen.
  reveal(number) {
    const [column, row] = this.place(number);
    const {scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight} = this.window;
    const [width, height] = [scrollWidth / this.columns, scrollHeight / this.rows];
    const [x, y] = [(column + 0.5) * width, (row + 0.5) * height];
    const seen = (at, from, size, room) => at - 1.5 * size >= from && at + 1.5 * size <= from + room;
    if (!seen(x, scrollLeft, width, clientWidth)) this.window.scrollLeft = x - clientWidth / 2;
    if (!seen(y, scrollTop, height, clientHeight)) this.window.scrollTop = y - clientHeight / 2;
  }

  key(event) {
    return this.desk.key(event);
  }

  suggest(actions) {
    const moves = actions.map((action) => this.written.get(action)).filter((move) => move);
    this.layers.advice.replaceChildren(...moves.map(({from, to}) => arrow(point(from), point(to), "hint")));
    this.layers.hint.replaceChildren(...moves.map(({from, to, count}) => tally(point(from), point(to), count)));
  }

  number([x, y]) {
    return y * this.columns + x;
  }

  place(number) {
    return [number % this.columns, Math.floor(number / this.columns)];
  }
}

function drawing(columns, rows, cells, layers) {
  const [width, height] = [columns * STEP, rows * STEP];
  return svg(
    "svg",
    {class: columns > LARGE ? "board large" : "board", viewBox: `0 0 ${width + LEFT + EDGE} ${height + TOP + EDGE}`, role: "grid"},
    svg("rect", {class: "bfield", x: LEFT, y: TOP, width, height}),
    svg("path", {class: "bgrid", d: lines(LEFT, TOP, columns, rows, STEP)}),
    layers.fields, layers.past, layers.order, layers.advice,
    cells.rows,
    frame(LEFT, TOP, width, height),
    range(columns).map((x) => svg("text", {class: "coord m", x: LEFT + (x + 0.5) * STEP, y: TOP - 9}, String(x))),
    range(rows).map((y) => svg("text", {class: "coord m", x: LEFT / 2 - 2, y: TOP + (y + 0.5) * STEP + 7}, String(y))),
    layers.hint, layers.done, layers.tallies, layers.marks, layers.tips,
  );
}

function point(cell) {
  return cell.split(",").map(Number);
}

function named(kind) {
  return say(`board.vampires.${KINDS[kind]}`);
}
