// The computer's evaluation: a bar beside the board, and its best line in words.

import {html, svg} from "./svg.js";
import {number, say} from "./words.js";

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

  show(0);
  return {element, show, follow};
}

export function inWords(facts, value) {
  if (Math.abs(value) < 0.02) return say("table.value.level");
  const name = facts.names[value > 0 ? 0 : 1];
  return say("table.value", {name, percent: number(50 * (1 + Math.abs(value)))});
}

// The list of its thoughts.
export function makeThoughts(list, facts) {
  function rows(pairs) {
    list.replaceChildren(...pairs.flatMap(([key, text]) => [html("dt", {}, say(key)), html("dd", {}, text)]));
  }
  rows([["table.think.value", say("table.think.none")]]);

  return {
    show({value, line, text}) {
      const pairs = [];
      if (value !== null && facts.players === 2) pairs.push(["table.think.value", inWords(facts, value)]);
      if (line.length) pairs.push(["table.think.line", line.join(" ")]);
      if (text) pairs.push(["table.think.search", text]);
      rows(pairs);
    },
  };
}
