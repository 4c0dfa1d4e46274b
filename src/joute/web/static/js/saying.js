// The bots' messages and faults at a ply, and the log of the whole game.

import {counted} from "./boards/marks.js";
import {shown} from "./metrics.js";
import {seatMark} from "./sprites.js";
import {html} from "./svg.js";
import {number, say} from "./words.js";

const WORDS = ["message", "note", "output"];

// {element, show}: the panel of bots' messages.
export function saying(data) {
  const words = html("div", {class: "says"});
  const element = html("section", {class: "panel spoken"}, html("h2", {}, say("replay.says")), words);

  function show(position) {
    const told = position.events.filter((event) => event.player >= 0 && event.by !== "opening");
    const blocks = told.map((event) => block(event, position, data)).filter(Boolean);
    words.classList.toggle("two", blocks.length > 1);
    words.replaceChildren(...(blocks.length ? blocks : [html("p", {class: "small mute"}, say("replay.silent"))]));
  }

  return {element, show};
}

function block(event, position, data) {
  const {facts, marks, commands} = data;
  const fault = marks.find((mark) =>
    ["fault", "resigned"].includes(mark.kind) && mark.number === position.number && mark.player === event.player);
  const words = WORDS.filter((key) => event[key]);
  const spent = facts.kinds[event.player] === "human" ? undefined : event.cpu_ms;  // by a bot
  if (!fault && !words.length && spent === undefined) return null;
  return html(
    "div", {class: `one seat${event.player % 6}`},
    html("h3", {}, html("span", {class: "who"}, seatMark(event.player), html("b", {}, facts.names[event.player])), badge(fault, spent)),
    fault ? failure(fault, commands) : null,
    numbers(event.metrics), colours(event.marks),
    words.map((key) => [
      key === "message" ? null : html("p", {class: "tiny mute"}, say(`replay.${key}`)),
      html("pre", {tabindex: 0}, event[key]),
    ]),
  );
}

function numbers(metrics) {
  const found = Object.entries(metrics ?? {});
  if (!found.length) return null;
  return html("dl", {class: "numbers small"}, found.map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, shown(value)))));
}

// The marks on the board in words, for who does not see them.
function colours(marks) {
  const found = counted(marks ?? []).map(([tone, count]) => say(`replay.tone.${tone}`, {count}));
  return found.length ? html("p", {class: "tiny mute"}, say("replay.marked", {found: found.join(", ")})) : null;
}

function badge(fault, spent) {
  if (fault?.name) return html("span", {class: "badge bad"}, fault.name);
  if (spent === undefined) return null;
  return html("span", {class: "badge", title: say("replay.spent")}, duration(spent));
}

function failure(fault, commands) {
  if (!fault.code) return html("p", {class: "small"}, fault.text);
  return [
    html("p", {class: "small"}, html("b", {}, fault.text), " ", fault.cost),
    html("p", {class: "small"}, fault.meaning),
    fault.detail ? html("pre", {tabindex: 0}, fault.detail) : null,
    copied(commands.see.replace("{ply}", fault.ply)),
    html("p", {class: "small mute"}, say("replay.again")),
    copied(commands.ask.replace("{ply}", fault.ply - 1)),
  ];
}

// {element, fill, show}: every line of the game; `go(at)` is called with the one that is chosen.
export function log(go) {
  const element = html("ol", {class: "course", tabindex: 0, "aria-label": say("replay.log")});
  let items = [];

  function fill(positions) {
    items = positions.flatMap((position) => [
      ...position.events.flatMap((event) => event.said.map((text) => line(position, event, text, go))),
      ...(position.why ? [line(position, {}, position.why, go)] : []),
    ]);
    element.replaceChildren(...items);
  }

  function show(at) {
    const here = items.filter((item) => Number(item.dataset.at) === at);
    element.querySelectorAll("[aria-current]").forEach((item) => item.removeAttribute("aria-current"));
    here.forEach((item) => item.firstChild.setAttribute("aria-current", "step"));
    const item = here[0];
    if (item) element.scrollTop = item.offsetTop - element.clientHeight / 2;
  }

  return {element, fill, show};
}

function line(position, event, text, go) {
  const link = html("a", {href: `#at=${position.number}`, class: event.fault ? "bad-t" : null}, text.trim());
  link.addEventListener("click", (click) => {
    click.preventDefault();
    go(position.number);
  });
  return html("li", {"data-at": position.number}, link);
}

// A command with a button that copies it.
export function copied(text) {
  const code = html("code", {tabindex: 0}, text);
  const button = html("button", {class: "btn quiet", type: "button"}, say("replay.copy"));
  button.addEventListener("click", () => copy(code, button));
  return html("p", {class: "copy"}, code, button);
}

// Copies the text of an element; selects it where the browser does not allow copying.
async function copy(element, button) {
  try {
    await copyText(element.textContent, button);
  } catch {
    getSelection().selectAllChildren(element);
    button.textContent = say("replay.selected");
  }
}

// Copies a text, and shows that on a button. Raises where the browser does not allow it.
export async function copyText(text, button) {
  await navigator.clipboard.writeText(text);
  button.textContent = say("replay.copied");
}

// A time in words: "3 ms", "1.25 s".
export function duration(ms) {
  if (ms < 1000) return `${number(ms, ms < 10 ? 1 : 0)} ms`;
  return `${number(ms / 1000, ms < 10_000 ? 2 : 1)} s`;
}
