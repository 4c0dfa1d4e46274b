// Parts of a replay that only show something: seats, eyes, keys, the end.

import {duration} from "./saying.js";
import {seatMark} from "./sprites.js";
import {html} from "./svg.js";
import {keyName, say} from "./words.js";

const KEYS = [
  [["←", "→"], "replay.keys.step"],
  [["Home", "End"].map((name) => keyName(name)), "replay.keys.ends"],
  [[keyName("Space")], "replay.keys.play"],
  [["N", "B"], "replay.keys.marks"],
  [["+", "−"], "replay.keys.speed"],
  [["F"], "replay.keys.full"],
  [["R"], "rulebook.key"],
  [["?"], "replay.keys.all"],
];

// The strips of the seats: {element, show}; `brief` where the board itself shows the seats.
export function seats({facts, limits}, brief, roles = []) {
  const strips = facts.names.map((name, seat) => {
    const score = html("span", {class: "score"});
    const clock = html("time", {class: "clock", "aria-label": say("replay.clock", {name})});
    const words = [roles[seat], say(`replay.seat.${facts.kinds[seat]}`)].filter((each) => each);
    const kind = html("span", {class: "tiny mute kind"}, words.join(" · "));
    const bank = html("span", {class: "tiny mute bank"});
    const out = html("span", {class: "badge", hidden: ""}, say("ending.out"));
    const element = html("div", {class: "player"}, seatMark(seat), html("div", {class: "name"}, html("b", {}, name), kind, bank), out, score, clock);
    return {element, score, clock, bank, out};
  });

  function show(position, clocks) {
    strips.forEach(({element, score, clock, bank, out}, seat) => {
      const [used, left] = clocks[seat];
      const gone = position.out?.includes(seat) ?? false;
      element.classList.toggle("out", gone);
      out.hidden = !gone;
      element.classList.toggle("turn", position.mover === seat);
      score.textContent = position.points[seat] ?? "";
      clock.textContent = duration(used);
      clock.title = say("replay.spent");
      clock.hidden = facts.kinds[seat] === "human";  // people use no processor
      if (limits.bank_seconds > 0) bank.textContent = say("replay.bank", {left: duration(1000 * left)});
    });
  }

  return {element: html("div", {class: brief ? "strips brief" : "strips"}, strips.map((strip) => strip.element)), show};
}

// The switch between all cards open and what one seat could see.
export function viewpoint(facts, see) {
  const options = ["all", ...facts.names.keys()].map((viewer) => {
    const label = viewer === "all" ? say("replay.open_cards") : facts.names[viewer];
    const button = html("button", {type: "button", "data-viewer": viewer}, viewer === "all" ? null : seatMark(viewer), label);
    button.addEventListener("click", () => see(viewer));
    return [viewer, button];
  });
  const element = html("div", {class: "seg eyes", role: "group", "aria-label": say("replay.eyes")}, options.map(([, button]) => button));
  const show = (viewer) => options.forEach(([each, button]) => button.setAttribute("aria-pressed", each === viewer));
  return {element, show};
}

// Who has won and why the game ended, at its last position: {element, show}.
export function verdict() {
  const element = html("section", {class: "panel verdict", hidden: ""});
  const show = ({won, why}) => {
    element.hidden = !won;
    if (!won) return;
    const lines = won.flatMap((text) => [html("br"), text]).slice(1);
    element.replaceChildren(html("h2", {}, lines), ...(why ? [html("p", {}, why)] : []));
  };
  return {element, show};
}

// The ending of the game.
export function outcome({outcome: [ending, ...lines]}) {
  return html("p", {class: "small mute ended"}, ending, html("br"), lines.flatMap((text) => [text, html("br")]));
}

function keyed([names, key]) {
  return html("span", {}, names.flatMap((name) => [html("kbd", {}, name), " "]), say(key));
}

// The keys that are of use on this page.
function known() {
  return KEYS.filter(([[name]]) => name !== "R" || document.querySelector("a[data-rules]"));
}

// The keys, under the board.
export function keysLine() {
  return html("p", {class: "keys"}, known().map(keyed));
}

// The keys, on a sheet of their own.
export function keysDialog() {
  const close = html("form", {method: "dialog"}, html("button", {class: "btn"}, say("replay.close")));
  const list = html("ul", {class: "stack"}, known().map((each) => html("li", {}, keyed(each))));
  return html("dialog", {class: "keysheet", "aria-label": say("replay.keys.all")}, html("h2", {}, say("replay.keys.title")), list, close);
}

// Shows an element on the whole screen, or goes back.
export function full(element) {
  if (document.fullscreenElement) document.exitFullscreen();
  else element.requestFullscreen?.();
}
