// The seats of a table: a strip for each, with its name, its points and whether it is to choose.

import {html} from "./svg.js";
import {seatMark} from "./sprites.js";
import {say} from "./words.js";

export function makeStrips(place, facts) {
  const strips = facts.names.map((name, seat) => {
    const title = html("b", {}, name);
    const note = html("span", {class: "tiny mute"});
    const score = html("span", {class: "score"});
    const mark = facts.players > 1 ? seatMark(seat) : null;
    const element = html("div", {class: "player", "data-seat": seat}, mark, html("div", {class: "name"}, title, note), score);
    return {element, title, note, score};
  });
  place.replaceChildren(...strips.map(({element}) => element));

  return {
    status(seats, turn) {
      seats.forEach((seat, number) => {
        const {element, title, note} = strips[number];
        title.textContent = seat.name;
        note.textContent = described(seat);
        element.classList.toggle("turn", number === turn);
        element.classList.toggle("away", !seat.present);
        if (number === turn) element.setAttribute("aria-current", "true");
        else element.removeAttribute("aria-current");
      });
    },
    points(points) {
      points.forEach((count, number) => {
        strips[number].score.textContent = String(count);
        strips[number].score.setAttribute("aria-label", say("table.points", {points: count}));
      });
    },
  };
}

function described(seat) {
  if (seat.resigned) return say("table.resigned");
  if (seat.kind !== "human") return say("table.computer");
  if (seat.free) return say("table.free");
  if (seat.you) return say("table.you");
  return say(seat.present ? "table.present" : "table.absent");
}
