// The explanation of a strong player's choice at the position shown: loaded when it is opened.

import {html} from "./svg.js";
import {number, say, sequence} from "./words.js";

const ASK_MS = 250;  // after the last step
const AGAIN_MS = 800;  // while the bot is being compiled, or is busy
const COLUMNS = ["value", "visits", "depth"];

// {element, show}; `address(number)` is that of a position's explanation (see replays/analysis.py).
export function why(address) {
  const body = html("div", {class: "why-body", "aria-live": "polite"});
  const element = html("details", {class: "panel why"}, html("summary", {}, say("replay.why")), body);
  let wanted = null;
  let chooses = false;
  let timer = null;

  function show(at, mover) {
    clearTimeout(timer);
    [wanted, chooses] = [at, mover >= 0];
    think();
  }

  function think() {
    if (!chooses) return note("replay.why.nobody");
    if (!element.open) return;
    note("replay.why.thinks");
    timer = setTimeout(() => ask(wanted), ASK_MS);
  }

  async function ask(at) {
    const response = await fetch(`${address}?at=${at}`).catch(() => null);
    if (wanted !== at) return;
    if (response?.status === 202) timer = setTimeout(() => ask(at), AGAIN_MS);
    else if (response?.status === 200) tell(await response.json());
    else note("replay.why.failed");
  }

  function note(key) {
    body.replaceChildren(html("p", {class: "small mute"}, say(key)));
  }

  function tell({bot, name, options, beliefs}) {
    const columns = COLUMNS.filter((column) => options.some((option) => option[column] !== null));
    const heads = ["line", ...columns].map((column) => html(
      "th", {scope: "col", class: column === "line" ? null : "num"}, say(`replay.why.${column}`)));
    const rows = options.map((option) => html(
      "tr", {}, html("td", {}, sequence(option.line)),
      columns.map((column) => html("td", {class: "num"}, figure(column, option[column])))));
    body.replaceChildren(
      html("p", {class: "small mute"}, say("replay.why.bot", {bot, name})),
      html("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": say("replay.why")},
        html("table", {class: "table"}, html("thead", {}, html("tr", {}, heads)), html("tbody", {}, rows))),
      ...beliefs.map(({name: other, cards}) => html("p", {class: "small"}, say("replay.why.holds", {name: other, cards}))));
  }

  element.addEventListener("toggle", think);
  return {element, show};
}

function figure(column, value) {
  if (value === null) return "–";
  return column === "value" ? say("percent", {value: number(50 * (1 + value))}) : number(value);
}
