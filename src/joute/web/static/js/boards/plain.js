// A game without a drawing of its own: what is observed as a list, what may be done as buttons.

import {html, meant} from "../svg.js";
import {say} from "../words.js";

const LEFT_OUT = ["legal", "to_move", "player"];
const NUMBERED = 9;  // buttons that a digit presses

export const keys = [
  ["1–9", "board.keys.choose"],
  [["←", "→"], "board.keys.walk"],
  ["Enter", "board.keys.take"],
];

export function create() {
  return new Plain();
}

class Plain {
  buttons = [];

  constructor() {
    this.seen = html("dl", {class: "seen"});
    this.choices = html("div", {class: "choices", role: "group", "aria-label": say("board.choices")});
    this.element = html("div", {class: "drawn plain"}, html("div", {class: "panel"}, this.seen), this.choices);
  }

  show(position, {viewer = 0} = {}) {
    const all = Object.keys(position.seen);
    const mine = all.filter((seat) => viewer === "all" || seat === String(viewer));
    const seats = mine.length ? mine : all.slice(0, 1);
    const titled = (seat) => (seats.length > 1 ? seat : null);
    this.seen.replaceChildren(...seats.flatMap((seat) => entries(position.seen[seat], titled(seat))));
  }

  ask(question, answer) {
    this.buttons = (question?.actions ?? []).map(([action, text], at) => {
      const key = at < NUMBERED ? html("kbd", {"aria-hidden": "true"}, String(at + 1)) : null;
      const button = html("button", {class: "btn", type: "button", "data-action": action}, text, key);
      button.addEventListener("click", () => {
        this.ask(null);
        answer(action);
      });
      return button;
    });
    this.choices.replaceChildren(...this.buttons);
  }

  key(event) {
    if (!this.buttons.length || !meant(event)) return false;
    const step = {ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1}[event.key];
    const pressed = /^[1-9]$/.test(event.key) ? this.buttons[event.key - 1] : null;
    if (step) this.walk(step);
    else if (pressed) pressed.click();
    else return false;
    event.preventDefault();
    return true;
  }

  walk(step) {
    const at = this.buttons.indexOf(document.activeElement);
    const count = this.buttons.length;
    this.buttons[at < 0 ? 0 : (at + step + count) % count].focus();
  }

  suggest(actions) {
    for (const button of this.buttons) {
      button.classList.toggle("hinted", actions.includes(Number(button.dataset.action)));
    }
  }
}

function entries(observation, seat) {
  const title = seat === null ? [] : [html("div", {}, html("dt", {}, say("board.seat", {seat})), html("dd"))];
  const kept = Object.entries(observation).filter(([name]) => !LEFT_OUT.includes(name));
  return [
    ...title,
    ...kept.map(([name, value]) => html("div", {}, html("dt", {}, name.replaceAll("_", " ")), written(value))),
  ];
}

// A value as it may be read: rows of text under each other, lists and tables on a line each.
function written(value) {
  if (Array.isArray(value) && value.length && value.every((each) => typeof each === "string" && each.length > 1)) {
    return html("dd", {}, html("pre", {}, value.join("\n")));
  }
  if (Array.isArray(value) && value.some((each) => each !== null && typeof each === "object")) {
    return html("dd", {}, html("pre", {}, value.map((each) => JSON.stringify(each)).join("\n")));
  }
  return html("dd", {}, short(value));
}

function short(value) {
  if (value === null) return "–";
  if (typeof value === "boolean") return say(value ? "board.yes" : "board.no");
  if (Array.isArray(value)) return value.map(short).join(", ") || "–";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
