// The computer's evaluation: a bar beside the board, and its best line in words.

import {html, svg} from "./svg.js";
import {number, say, sequence} from "./words.js";

const FILLS = ["az", "orr"];
const SHARE = 0.928;  // of a drawing's height that its board takes

// A bar for two seats; seat 0 stands at the foot, or at the left where the bar lies.
export function makeBar(facts) {
  const element = svg("svg", {class: "evalbar", viewBox: "0 0 100 100", preserveAspectRatio: "none", role: "img"});
  const whole = (group) => svg("rect", {width: 100, height: 100, class: FILLS[1], "data-of": group});
  const upright = svg("rect", {width: 100, class: FILLS[0]});
  const lying = svg("rect", {height: 100, class: FILLS[0]});
  element.append(
    svg("g", {class: "v"}, whole("v"), upright, svg("path", {d: "M0 50H100", class: "notch"})),
    svg("g", {class: "h"}, whole("h"), lying, svg("path", {d: "M50 0V100", class: "notch"})),
  );

  // `value` is what seat 0 expects, from -1 to 1.
  function show(value) {
    element.classList.remove("unknown");
    const share = 50 * (1 + value);
    upright.setAttribute("y", 100 - share);
    upright.setAttribute("height", share);
    lying.setAttribute("width", share);
    element.setAttribute("aria-label", inWords(facts, value));
  }

  // The bar is as high as the board beside it, whatever is below the board.
  function follow(drawing) {
    const fit = ([{contentRect}]) => element.setAttribute("height", Math.round(SHARE * contentRect.height));
    new ResizeObserver(fit).observe(drawing);
  }

  // Nothing is known of the position yet.
  function clear() {
    element.classList.add("unknown");
    element.setAttribute("aria-label", say("table.think.none"));
  }

  show(0);
  clear();
  return {element, show, clear, follow};
}

export function inWords(facts, value) {
  if (Math.abs(value) < 0.02) return say("table.value.level");
  const name = facts.names[value > 0 ? 0 : 1];
  return say("table.value", {name, percent: number(50 * (1 + Math.abs(value)))});
}

// The panel of its thoughts: in words who is ahead, and behind a fold what it looked at.
export function makeThoughts(panel, facts) {
  const words = html("p", {class: "judged"});
  const list = html("dl", {class: "think"});
  const fold = html("details", {hidden: ""}, html("summary", {class: "small mute"}, say("table.think.more")), list);
  panel.replaceChildren(words, fold);

  function clear() {
    words.textContent = say("table.think.none");
    list.replaceChildren();
    fold.hidden = true;
  }

  clear();
  return {
    clear,
    show({value, line, text}) {
      const pairs = [["table.think.line", sequence(line)], ["table.think.search", text]].filter(([, each]) => each);
      words.textContent = value !== null && facts.players === 2 ? inWords(facts, value) : pairs.length ? "" : say("table.think.none");
      list.replaceChildren(...pairs.flatMap(([key, each]) => [html("dt", {}, say(key)), html("dd", {}, each)]));
      fold.hidden = !pairs.length;
    },
  };
}
