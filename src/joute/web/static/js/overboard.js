// Large words over the board of a game in real time: whether one is ready, the countdown, a pause.

import {html} from "./svg.js";
import {say} from "./words.js";

const PAUSE = " ";

// {show, key}: `box` holds the board, `send` sends a message to the table.
export function overboard(box, {send}) {
  const words = html("p", {class: "serif"});
  const note = html("p", {class: "small"});
  const button = html("button", {class: "btn primary", type: "button"});
  const element = html("div", {class: "overboard", hidden: ""}, words, note, button);
  let act = null;  // the message that the button sends
  let pausing = false;  // whether the game can be paused
  box.append(element);
  button.addEventListener("click", () => act && send(act));
  // On a screen that is touched, the board itself is the button.
  box.addEventListener("pointerdown", (event) => {
    if (act && event.pointerType !== "mouse" && !button.contains(event.target)) send(act);
  });

  function put(text, hint = "", message = null, label = "") {
    act = message;
    words.textContent = text;
    note.textContent = hint;
    button.hidden = !message;
    button.textContent = label;
    element.classList.toggle("counting", Boolean(text) && !hint && !message);
    element.hidden = !text;
  }

  return {
    show({begun, over, seats, awaited, unready, paused, countdown}) {
      const mine = seats.flatMap((seat, number) => (seat.you ? [number] : []));
      const names = unready.filter((seat) => !mine.includes(seat)).map((seat) => seats[seat].name).join(", ");
      pausing = begun && !over && !unready.length && seats.every((seat) => seat.you || seat.kind !== "human");
      if (!begun || over) put("");
      else if (mine.some((seat) => unready.includes(seat))) put(say("realtime.ready"), say("realtime.ready.how"), {type: "ready"}, say("realtime.start"));
      else if (names) put(say("table.waiting", {names}), say("realtime.unready"));
      else if (countdown) put(String(countdown));
      else if (paused) put(say("realtime.paused"), say("realtime.paused.how"), {type: "pause", on: false}, say("realtime.go"));
      else if (awaited) put(awaited, say("realtime.once"));
      else put("");
    },
    // Any key that steers or presses begins the game; the space bar pauses it.
    key(event, steers) {
      if (event.ctrlKey || event.altKey || event.metaKey) return false;
      const pressed = event.key === PAUSE || event.key === "Enter";
      if (event.target.closest?.("a, button, summary") && pressed) return false;
      if (act && (steers || pressed)) send(act);
      else if (pausing && event.key === PAUSE) send({type: "pause", on: true});
      else return false;
      event.preventDefault();
      return true;
    },
  };
}
