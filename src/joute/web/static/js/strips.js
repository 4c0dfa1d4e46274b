// The seats of a table: a strip for each, with its name, its points and whether it is to choose.

import {html} from "./svg.js";
import {seatMark} from "./sprites.js";
import {number, say} from "./words.js";

const TICK_MS = 200;
const LOW_SECONDS = 20;
const POINTS = ["table.points.none", "table.point"];  // sentences on so few

// `roles` are what the seats play, if the game says so.
export function makeStrips(place, facts, roles = []) {
  const strips = facts.names.map((name, seat) => {
    const title = html("b", {}, name);
    const note = html("span", {class: "tiny mute"});
    const score = html("span", {class: "score"});
    const clock = html("span", {class: "clock", role: "timer", hidden: ""});
    const mark = facts.players > 1 ? seatMark(seat) : null;
    const element = html("div", {class: "player", "data-seat": seat}, mark, html("div", {class: "name"}, title, note), score, clock);
    return {element, title, note, score, clock};
  });
  function described(seat, number) {
    return [roles[number], about(seat)].filter((each) => each).join(" · ");
  }

  place.replaceChildren(...strips.map(({element}) => element));
  let clocks = [];  // of each seat: seconds left, and when that was if it runs

  setInterval(tick, TICK_MS);
  function tick() {
    clocks.forEach(({left, at}, number) => {
      if (left === undefined) return;
      const seconds = Math.max(0, at === null ? left : left - (performance.now() - at) / 1000);
      strips[number].clock.textContent = written(seconds);
      strips[number].clock.classList.toggle("low", seconds < LOW_SECONDS);
    });
  }

  return {
    // The table is gone: no clock runs any more.
    gone() {
      clocks = clocks.map(({left}) => ({left, at: null}));
    },
    status(seats, turn) {
      seats.forEach((seat, number) => {
        const {element, title, note, clock} = strips[number];
        title.textContent = seat.name;
        if (seat.level) title.title = seat.level;
        clock.hidden = seat.left === undefined;
        note.textContent = described(seat, number);
        element.classList.toggle("turn", number === turn);
        element.classList.toggle("away", !seat.present);
        if (number === turn) element.setAttribute("aria-current", "true");
        else element.removeAttribute("aria-current");
      });
      clocks = seats.map(({left, since}) => ({left, at: since === null ? null : performance.now() - 1000 * since}));
      tick();
    },
    // Marks the seats that are out, while others play on.
    out(seats) {
      strips.forEach(({element, score}, number) => {
        element.classList.toggle("out", seats.includes(number));
        element.querySelector(".badge")?.remove();
        if (seats.includes(number)) score.before(html("span", {class: "badge"}, say("ending.out")));
      });
    },
    points(points) {
      points.forEach((count, number) => {
        strips[number].score.textContent = String(count);
        strips[number].score.setAttribute("aria-label", say(POINTS[count] ?? "table.points", {points: count}));
      });
    },
  };
}

function about(seat) {
  if (seat.resigned) return say("table.resigned");
  if (seat.kind !== "human") return say("table.computer");
  if (seat.free) return say("table.free");
  const hints = seat.hints ? ` · ${say(seat.hints === 1 ? "table.hint.one" : "table.hints", {count: seat.hints})}` : "";
  if (seat.you) return say("table.you") + hints;
  return hints ? say(seat.present ? "table.present" : "table.absent") + hints : say(seat.present ? "table.present" : "table.absent");
}

// Minutes and seconds; tenths of a second where few are left.
function written(seconds) {
  if (seconds < LOW_SECONDS) return number(seconds, 1);
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
