// Where an order of Vampires is put together: groups are taken and let go on the map, by mouse,
// finger or keys, and the moves so far stand in a list with their counts and odds.

import {cellOf} from "../../js/boards/grid.js";
import {verdict} from "./drawing.js";
import {DONE, orderOf} from "./order.js";
import {digitOf, html, meant} from "../../js/svg.js";
import {keyName, say} from "../../js/words.js";

const FAR = 8;  // pixels that make a press a drag

// The desk of a map: `map` has `cells` (a grid), `columns`, and shows what is done here by
// `draw(moves)`, `tip(meeting)`, `light(numbers, held)` and `reveal(number)`.
export class Desk {
  order = null;  // what is put together, while something is asked
  moves = [];  // of the order that is or was put together last
  question = null;  // the number of the question that it answers
  answer = null;
  preview = null;
  refuse = null;  // says why something is not legal
  held = null;  // number of the cell whose group is taken
  current = null;  // the move whose count the keys change
  typed = "";  // digits of a count
  over = null;  // number of the cell that is looked at
  meetings = [];  // what the order leads to, by target
  trouble = "";  // why the order cannot be sent
  asked = 0;  // previews so far: only the last one counts

  constructor(map) {
    this.map = map;
    this.note = html("p", {class: "small mute"});
    this.list = html("ul", {class: "order", "aria-live": "polite"});
    this.send = button("primary", "board.vampires.send", "Enter", () => this.finish());
    this.back = button("", "board.vampires.back", "Esc", () => this.takeBack());
    const buttons = html("div", {class: "row"}, this.send, this.back);
    // The buttons come first: they must not move under the pointer when moves come and go.
    this.element = html("div", {class: "orderbox", hidden: ""}, buttons, this.note, this.list);
  }

  ask(question, answer, preview, refuse = null) {
    this.order = question ? orderOf(question.actions) : null;
    if (question) this.restore(question.number);
    this.answer = question ? answer : null;
    this.preview = preview;
    this.refuse = refuse;
    this.held = null;
    this.current = null;
    this.element.hidden = !question;
    if (this.order) {
      this.changed();
      this.map.cells.begin(this.movable());
      this.map.reveal(this.movable()[0]);
    } else {
      this.map.tip(null);
      this.map.draw([]);
      this.map.light([], null);
    }
  }

  // Where the same question is asked again, as after an answer that was refused, nothing is lost.
  restore(number) {
    const moves = number === this.question ? this.moves : [];
    for (const {from, to, count} of moves) this.order.put(from, to, count);
    this.moves = this.order.moves;
    this.question = number;
  }

  name(number) {
    return `${number % this.map.columns},${Math.floor(number / this.map.columns)}`;
  }

  number(cell) {
    const [x, y] = cell.split(",").map(Number);
    return y * this.map.columns + x;
  }

  movable() {
    return [...this.map.cells.cells.keys()].filter((number) => this.order.movable(this.name(number)));
  }

  targets() {
    return this.held === null ? [] : this.order.targets(this.name(this.held)).map((cell) => this.number(cell));
  }

  // Shows the order as it is now, and asks what it leads to.
  changed() {
    this.typed = "";
    this.trouble = "";
    this.meetings = [];
    this.map.draw(this.order.moves);
    this.map.light(this.held === null ? this.movable() : this.targets(), this.held);
    this.written();
    this.look([], (reply) => {
      this.meetings = reply.odds ?? [];
      this.trouble = reply.legal === false ? reply.text : "";
      this.written();
      if (this.held === null) this.map.tip(this.met(this.over));
    });
  }

  // Asks what the order with these moves more leads to.
  look(more, heard) {
    const choices = this.order.choices(more);
    const mine = ++this.asked;
    if (!choices.length || !this.preview) {
      this.map.tip(null);
      return;
    }
    this.preview(choices).then((reply) => {
      if (mine === this.asked && this.order) heard(reply);
    });
  }

  // The outcome of the order in a cell, null if it has none there.
  met(number) {
    return this.meetings.find(({x, y}) => y * this.map.columns + x === number) ?? null;
  }

  hint() {
    if (this.held !== null) return say("board.vampires.where", {cell: this.name(this.held)});
    return this.order.moves.length ? "" : say("board.vampires.take");
  }

  written() {
    const buttons = () => [...this.list.querySelectorAll("button")];
    const focused = buttons().indexOf(document.activeElement);
    this.note.textContent = this.trouble || this.hint();
    this.list.replaceChildren(...this.order.moves.map((move) => this.row(move)));
    buttons()[focused]?.focus();
    this.send.disabled = this.order.moves.length === 0 || this.trouble !== "";
    this.back.disabled = this.order.moves.length === 0 && this.held === null;
  }

  row(move) {
    const meeting = this.met(this.number(move.to));
    const changing = (act) => () => {
      this.current = move;
      act();
      this.changed();
    };
    const item = html(
      "li",
      {class: move === this.current ? "current" : null},
      html("span", {}, html("b", {}, String(move.count)), ` ${say("board.vampires.move", {from: move.from, to: move.to})}`),
      meeting ? verdict(meeting) : null,
      html(
        "span",
        {class: "stepper", role: "group", "aria-label": say("board.vampires.count")},
        small("−", "board.vampires.less", changing(() => this.order.step(move, -1))),
        html("output", {}, String(move.count)),
        small("+", "board.vampires.more", changing(() => this.order.step(move, 1))),
        small(say("board.vampires.all"), "board.vampires.whole", changing(() => this.order.put(move.from, move.to))),
        small("×", "board.vampires.drop", changing(() => this.order.drop(move))),
      ),
    );
    item.addEventListener("pointerenter", () => this.map.tip(meeting));
    item.addEventListener("pointerleave", () => this.map.tip(null));
    return item;
  }

  // Takes the group of a cell, or lets the one that is held go there.
  pick(number) {
    if (!this.order) return;
    if (this.targets().includes(number)) {
      this.current = this.order.put(this.name(this.held), this.name(number));
      this.held = null;
    } else {
      this.explain(number);
      this.held = this.held !== number && this.order.movable(this.name(number)) ? number : null;
    }
    this.changed();
  }

  // Says why a cell can be neither taken nor gone to, if it cannot.
  explain(number) {
    const cell = this.name(number);
    if (number === this.held || this.order.movable(cell)) return;
    const reason = this.held !== null ? "far" : this.order.moves.some(({to}) => to === cell) ? "both" : "take";
    this.refuse?.(say(`board.vampires.refused.${reason}`));
  }

  // Shows what going to a cell would lead to, before it is decided.
  hover(number) {
    this.over = number;
    if (!this.order || number === null) return this.map.tip(null);
    if (!this.targets().includes(number)) return this.map.tip(this.met(number));
    const [from, to] = [this.name(this.held), this.name(number)];
    const more = this.order.find(from, to) ? [] : [{from, to, count: this.order.counts(from, to).at(-1)}];
    this.look(more, (reply) => {
      this.map.tip((reply.odds ?? []).find(({x, y}) => `${x},${y}` === to) ?? null);
    });
  }

  takeBack() {
    if (this.held !== null) this.held = null;
    else if (this.order.moves.length) this.order.drop(this.order.moves.at(-1));
    this.current = this.order.moves.at(-1) ?? null;
    this.changed();
  }

  finish() {
    if (this.send.disabled) return;
    const [answer, choices] = [this.answer, [...this.order.choices(), DONE]];
    this.ask(null);
    answer(choices);
  }

  // A digit of how many go in the current move; the next one is put behind it.
  digit(digit) {
    const typed = this.typed + digit;
    this.order.put(this.current.from, this.current.to, Number(typed));
    this.changed();
    this.typed = typed;
  }

  key(event) {
    const cells = this.map.cells;
    const inside = cells.cells[cells.here()].contains(document.activeElement);
    if (!meant(event) || (!this.order && !inside)) return false;
    if (cells.walk(event)) this.hover(cells.here());
    else if (!this.order || !this.pressed(event, inside)) return false;
    event.preventDefault();
    return true;
  }

  pressed(event, inside) {
    const {key} = event;
    const {moves} = this.order;
    const step = {Minus: -1, NumpadSubtract: -1, Equal: 1, NumpadAdd: 1}[event.code] ?? {"+": 1, "=": 1}[key];
    const picking = key === " " || (key === "Enter" && (this.held !== null || !moves.length));
    if (picking && inside) this.pick(this.map.cells.here());
    else if (key === "Enter" && moves.length) this.finish();
    else if (key === "Escape" && (this.held !== null || moves.length)) this.takeBack();
    else if (digitOf(event) !== null && this.current) this.digit(digitOf(event));
    else if (step && this.current) {
      this.order.step(this.current, step);
      this.changed();
    }
    else return false;
    return true;
  }

  // Follows the pointer on the board: clicks, drags by mouse or pen, and where it hovers.
  follow(board) {
    let start = null;
    board.addEventListener("pointerdown", (event) => {
      const number = cellOf(event);
      if (number === null || event.button) return;
      this.map.cells.enter(number);
      start = event.pointerType === "touch" ? null : {number, x: event.clientX, y: event.clientY};
    });
    board.addEventListener("pointermove", (event) => {
      if (!start || !this.order || this.held === start.number) return;
      if (Math.hypot(event.clientX - start.x, event.clientY - start.y) < FAR) return;
      if (!this.order.movable(this.name(start.number))) return;
      this.held = start.number;
      this.changed();
    });
    board.addEventListener("pointerup", (event) => {
      const number = cellOf(event);
      if (start && number !== null && number !== start.number && this.held === start.number) this.pick(number);
      start = null;
    });
    board.addEventListener("click", (event) => {
      const number = cellOf(event);
      if (number !== null) this.pick(number);
    });
    board.addEventListener("pointerover", (event) => this.hover(cellOf(event)));
    board.addEventListener("pointerleave", () => this.hover(null));
  }
}

function button(kind, words, key, act) {
  const made = html("button", {class: `btn ${kind}`, type: "button"}, say(words), html("kbd", {}, keyName(key)));
  made.addEventListener("click", act);
  return made;
}

function small(text, words, act) {
  const made = html("button", {type: "button", "aria-label": say(words), title: say(words)}, text);
  made.addEventListener("click", act);
  return made;
}
