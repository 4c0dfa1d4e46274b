// Parts of a replay that only show something: seats, eyes, keys, the end.

import {duration} from "./saying.js";
import {seatMark} from "./sprites.js";
import {html} from "./svg.js";
import {say} from "./words.js";

const KEYS = [
  [["←", "→"], "replay.keys.step"],
  [["Home", "End"].map((name) => say(`replay.key.${name}`)), "replay.keys.ends"],
  [[say("replay.key.Space")], "replay.keys.play"],
  [["N", "B"], "replay.keys.marks"],
  [["+", "−"], "replay.keys.speed"],
  [["F"], "replay.keys.full"],
  [["?"], "replay.keys.all"],
];

// The strips of the seats: {element, show}; `brief` where the board itself shows the seats.
export function seats({facts, limits}, brief) {
  const strips = facts.names.map((name, seat) => {
    const score = html("span", {class: "score"});
    const clock = html("time", {class: "clock", "aria-label": say("replay.clock", {name})});
    const kind = html("span", {class: "tiny mute kind"}, say(`replay.seat.${facts.kinds[seat]}`));
    const bank = html("span", {class: "tiny mute bank"});
    const element = html("div", {class: "player"}, seatMark(seat), html("div", {class: "name"}, html("b", {}, name), kind, bank), score, clock);
    return {element, score, clock, bank};
  });

  function show(position, clocks) {
    strips.forEach(({element, score, clock, bank}, seat) => {
      const [used, left] = clocks[seat];
      element.classList.toggle("turn", position.mover === seat);
      score.textContent = position.points[seat] ?? "";
      clock.textContent = duration(used);
      clock.title = say("replay.spent");
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

// The ending of the game.
export function outcome({outcome: [ending, ...lines]}) {
  return html("p", {class: "small mute ended"}, ending, html("br"), lines.flatMap((text) => [text, html("br")]));
}

function keyed([names, key]) {
  return html("span", {}, names.flatMap((name) => [html("kbd", {}, name), " "]), say(key));
}

// The keys, under the board.
export function keysLine() {
  return html("p", {class: "keys"}, KEYS.map(keyed));
}

// The keys, on a sheet of their own.
export function keysDialog() {
  const close = html("form", {method: "dialog"}, html("button", {class: "btn"}, say("replay.close")));
  const list = html("ul", {class: "stack"}, KEYS.map((each) => html("li", {}, keyed(each))));
  return html("dialog", {class: "keysheet", "aria-label": say("replay.keys.all")}, html("h2", {}, say("replay.keys.title")), list, close);
}

// Shows the board alone on the whole screen, or goes back.
export function full(element) {
  if (document.fullscreenElement) document.exitFullscreen();
  else element.requestFullscreen?.();
}
