// The board of a game without its own: the observation as text and lists, the actions as buttons in
// groups, with a field to find one by typing.

import {seatMark} from "../sprites.js";
import {digitOf, html, meant} from "../svg.js";
import {say} from "../words.js";

const LEFT_OUT = ["legal", "to_move", "player", "rendered"];
const NUMBERED = 9;  // buttons that a digit presses
const FEW = 12;  // actions that need neither groups nor a field
const LOOK_MS = 120;  // on a button, until the board after its action is shown
const WORD = /^\p{L}\p{Ll}+$/u;  // no row of a board
const MOST = 240;  // buttons at once; others are found by typing

export const keys = [
  ["1–9", "board.keys.choose"],
  [["←", "→"], "board.keys.walk"],
  ["Enter", "board.keys.take"],
  ["/", "board.keys.type"],
];

export function create(facts) {
  return new Plain(facts);
}

class Plain {
  actions = [];  // [action, text] that may be chosen
  buttons = [];  // those shown
  hinted = [];
  answer = null;
  shown = null;  // the position that was last shown, with its options
  preview = null;  // tells what an action leads to
  looked = null;  // the action that is previewed, or will be in a moment
  held = null;  // the text of the button that was pressed by a key

  constructor({names, hidden, simultaneous}) {
    this.names = names;
    this.blind = hidden || simultaneous;  // no previews
    this.seen = html("div", {class: "sights"});
    this.choices = html("div", {class: "choices", role: "group", "aria-label": say("board.choices")});
    this.field = html("input", {
      class: "field", type: "search", autocomplete: "off", spellcheck: "false",
      placeholder: say("board.find"), "aria-label": say("board.find"), hidden: true,
    });
    this.note = html("p", {class: "small mute", role: "status"});
    this.field.addEventListener("input", () => this.list());
    this.field.addEventListener("keydown", (event) => this.typed(event));
    this.element = html("div", {class: "drawn plain"}, html("div", {class: "panel"}, this.seen), this.field, this.choices, this.note);
  }

  show(position, options = {}) {
    this.shown = [position, options];
    this.back();
  }

  draw(position, {viewer = 0} = {}) {
    const all = Object.keys(position.seen);
    const mine = all.filter((seat) => viewer === "all" || seat === String(viewer));
    const seats = mine.length ? mine : all.slice(0, 1);
    const [shared, own] = parted(seats.map((seat) => position.seen[seat]));
    const titled = (seat) => html("h3", {class: "who"}, seatMark(Number(seat)), this.names[seat]);
    const open = [...this.seen.querySelectorAll("details")].some((each) => each.open);
    this.seen.replaceChildren(
      ...sight(shared, open),
      ...seats.flatMap((seat, at) => (isEmpty(own[at]) ? [] : [html("section", {}, titled(seat), sight(own[at], open))])),
    );
  }

  // Shows the board after an action, until the preview ends.
  async ahead(action, name) {
    if (this.blind || !this.preview || this.looked?.action === action) return;
    const look = this.looked = {action};
    await new Promise((later) => setTimeout(later, LOOK_MS));
    if (look !== this.looked) return;
    const {position} = await this.preview([action]);
    if (look !== this.looked || !position) return;
    this.draw(position, this.shown[1]);
    this.element.classList.add("ahead");
    this.note.textContent = say("board.after", {action: name});
  }

  // Shows the board as it is.
  back() {
    this.looked = null;
    if (this.shown) this.draw(...this.shown);
    if (!this.element.classList.contains("ahead")) return;
    this.element.classList.remove("ahead");
    this.note.textContent = "";
  }

  ask(question, answer, {preview = null} = {}) {
    this.back();
    this.preview = preview;
    const pressed = this.choices.querySelector("button:focus-visible");
    if (!question?.actions && pressed) this.held = pressed.firstChild.textContent;
    this.actions = question?.actions ?? [];
    this.answer = answer;
    this.field.value = "";
    this.hinted = [];
    this.list();
    const typing = document.activeElement === this.field;
    this.field.hidden = this.actions.length <= FEW && !typing;
    if (this.buttons.length && this.held !== null && document.activeElement === document.body) {
      (this.buttons.find((each) => each.firstChild.textContent === this.held) ?? this.buttons[0]).focus({preventScroll: true});
      this.held = null;
    }
  }

  // Shows the actions that have what is typed.
  list() {
    const wanted = folded(this.field.value);
    const found = this.actions.filter(([, each]) => folded(each).includes(wanted));
    const shown = found.slice(0, MOST);
    this.buttons = [];
    const parts = grouped(shown).map(([title, actions]) => {
      const made = actions.map((each) => this.button(...each));
      if (title === null) return html("div", {class: "some"}, made);
      return html("div", {class: "some", role: "group", "aria-label": title}, html("span", {class: "lab", "aria-hidden": "true"}, title), made);
    });
    this.choices.replaceChildren(...parts);
    const more = found.length - shown.length;
    if (more) this.note.textContent = say("board.more", {count: more});
    else this.note.textContent = this.actions.length && !found.length ? say("board.none") : "";
  }

  button(action, name) {
    const at = this.buttons.length;
    const key = at < NUMBERED ? html("kbd", {"aria-hidden": "true"}, String(at + 1)) : null;
    const hinted = this.hinted.includes(action);
    const button = html("button", {class: hinted ? "btn hinted" : "btn", type: "button", "data-action": action}, name, key);
    button.addEventListener("click", () => this.take(action));
    button.addEventListener("focus", () => this.ahead(action, name));
    button.addEventListener("pointermove", ({movementX, movementY}) => {
      if (movementX || movementY) this.ahead(action, name);  // not where buttons come under a mouse at rest
    });
    for (const leave of ["pointerleave", "blur"]) button.addEventListener(leave, () => this.back());
    this.buttons.push(button);
    return button;
  }

  take(action) {
    const answer = this.answer;
    this.ask(null);
    answer(action);
  }

  // Keys of the field: Enter takes the action that is typed, or the only one left.
  typed(event) {
    if (event.key === "Enter") {
      const wanted = folded(this.field.value);
      const exact = this.actions.find(([, each]) => folded(each) === wanted);
      const action = exact?.[0] ?? (this.buttons.length === 1 ? Number(this.buttons[0].dataset.action) : null);
      if (action !== null) this.take(action);
      else this.note.textContent = say(this.buttons.length ? "board.several" : "board.none", {count: this.buttons.length});
    } else if (event.key === "Escape") {
      this.field.value = "";
      this.list();
      this.field.blur();
    } else if (event.key === "ArrowDown" && this.buttons.length) {
      this.buttons[0].focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  key(event) {
    if (!this.actions.length || !meant(event)) return false;
    const step = {ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1}[event.key];
    const pressed = this.buttons[digitOf(event) - 1];
    if (event.key === "/") this.type();
    else if (step && this.buttons.length) this.walk(step);
    else if (pressed) pressed.click();
    else return false;
    event.preventDefault();
    return true;
  }

  type() {
    this.field.hidden = false;
    this.field.focus();
  }

  walk(step) {
    const at = this.buttons.indexOf(document.activeElement);
    const count = this.buttons.length;
    this.buttons[at < 0 ? 0 : (at + step + count) % count].focus();
  }

  suggest(actions) {
    this.hinted = actions;
    for (const button of this.buttons) {
      button.classList.toggle("hinted", actions.includes(Number(button.dataset.action)));
    }
  }
}

// The same for small and capital letters, with and without accents.
function folded(written) {
  return written.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

// Actions in groups of [title, actions], the title null where there is one group: by their first
// word, or by the letters before a number, if that parts them well.
function grouped(actions) {
  if (actions.length <= FEW) return [[null, actions]];
  const ways = [/^(\S+)\s/, /^([^\d\s]+)\d/];
  for (const way of ways) {
    const groups = new Map();
    for (const each of actions) {
      const title = each[1].match(way)?.[1] ?? each[1];
      groups.set(title, [...(groups.get(title) ?? []), each]);
    }
    if (groups.size > 1 && groups.size <= actions.length / 2) return [...groups];
  }
  return [[null, actions]];
}

// What all observations have alike, and what each has besides, so that nothing is shown twice.
function parted(seen) {
  const shared = {};
  const own = seen.map(() => ({}));
  for (const name of new Set(seen.flatMap(Object.keys))) {
    const alike = new Set(seen.map((each) => JSON.stringify(each[name]))).size === 1;
    if (alike) shared[name] = seen[0][name];
    else seen.forEach((each, at) => { if (name in each) own[at][name] = each[name]; });
  }
  return [shared, own];
}

function isEmpty(seen) {
  return Object.keys(seen).every((name) => name !== "rendered" && LEFT_OUT.includes(name));
}

// An observation: as the game renders it, if it does, and all values below.
function sight({rendered, ...seen}, open) {
  const kept = Object.entries(seen).filter(([name]) => !LEFT_OUT.includes(name));
  const list = html("dl", {class: "seen"}, kept.map(([name, value]) =>
    html("div", {}, html("dt", {}, name.replaceAll("_", " ")), html("dd", {}, written(value)))));
  if (rendered === undefined) return kept.length ? [list] : [];
  const values = html("details", {open}, html("summary", {}, say("board.values")), list);
  return [text(rendered), ...(kept.length ? [values] : [])];
}

function text(rendered) {
  return html("pre", {class: "boardtext", tabindex: 0}, rendered);
}

// A value as it may be read: rows of text as a board, rows of numbers in columns, records as a table.
function written(value) {
  if (Array.isArray(value) && value.length > 1 && value.every((each) => typeof each === "string" && each.length > 1 && !WORD.test(each))) {
    return grid(value);
  }
  if (Array.isArray(value) && value.length && value.every(Array.isArray)) {
    return html("pre", {tabindex: 0}, columns(value.map((row) => row.map(short))).join("\n"));
  }
  if (Array.isArray(value) && value.length && value.every((each) => each !== null && typeof each === "object")) return table(value);
  return short(value);
}

// Rows of text; those of one sign a cell are easier to read in the middle, large, and with room
// between the signs.
function grid(rows) {
  const square = rows.every((row) => row.length === rows[0].length) && !rows.some((row) => row.includes(" "));
  if (!square) return text(rows.join("\n"));
  const shown = text(rows.map((row) => [...row].join(" ")).join("\n"));
  shown.classList.add("grid");
  shown.style.setProperty("--signs", 2 * rows[0].length - 1);
  return shown;
}

function columns(rows) {
  const width = Math.max(1, ...rows.flat().map((each) => each.length));
  return rows.map((row) => row.map((each) => each.padStart(width)).join(" ").trimEnd());
}

function table(records) {
  const names = [...new Set(records.flatMap(Object.keys))];
  const head = html("tr", {}, names.map((name) => html("th", {scope: "col"}, name.replaceAll("_", " "))));
  const rows = records.map((each) => html("tr", {}, names.map((name) => html("td", {}, name in each ? short(each[name]) : ""))));
  return html("table", {}, html("thead", {}, head), html("tbody", {}, rows));
}

function short(value) {
  if (value === null) return "–";
  if (typeof value === "boolean") return say(value ? "board.yes" : "board.no");
  if (Array.isArray(value)) return value.map(short).join(", ") || "–";
  if (typeof value !== "object") return String(value);
  return Object.entries(value).map(([name, each]) => `${name.replaceAll("_", " ")}: ${short(each)}`).join(" · ") || "–";
}
