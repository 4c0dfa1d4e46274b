// Large words over the board of a game in real time: whether one is ready, the countdown, a pause.

import {html} from "./svg.js";
import {say} from "./words.js";

const PAUSE = " ";

// {show, key}: `box` holds the board, `send` sends a message to the table.
export function overboard(box, {send}) {
  const words = html("p", {class: "serif"});
  const note = html("p", {class: "small", id: "over-how"});
  const button = html("button", {class: "btn primary", type: "button", "aria-describedby": "over-how"});
  const element = html("div", {class: "overboard", role: "group", hidden: ""}, words, note, button);
  let act = null;  // the message that the button sends
  let pausing = false;  // whether the game can be paused
  box.prepend(element);  // so that its button comes before those of the board
  button.addEventListener("click", () => act && send(act));
  // On a screen that is touched, the board itself is the button.
  box.addEventListener("pointerdown", (event) => {
    if (act && event.pointerType !== "mouse" && !button.contains(event.target)) send(act);
  });

  function put(text, hint = "", message = null, label = "") {
    const asked = Boolean(message) && !act;
    act = message;
    words.textContent = text;
    element.setAttribute("aria-label", text);
    note.textContent = hint;
    button.hidden = !message;
    button.textContent = label;
    element.classList.toggle("counting", Boolean(text) && !hint && !message);
    element.hidden = !text;
    // Whoever has not gone elsewhere on the page presses it at once.
    if (asked && document.activeElement === document.body) button.focus({preventScroll: true});
    if (!text) return null;
    return hint ? text : "";
  }

  return {
    // Returns the words for the status line of the page, which is read aloud: what is asked, "" in
    // the countdown, null where nothing is over the board.
    show({begun, over, seats, awaited, unready, paused, countdown}) {
      const mine = seats.flatMap((seat, number) => (seat.you ? [number] : []));
      const names = unready.filter((seat) => !mine.includes(seat)).map((seat) => seats[seat].name).join(", ");
      pausing = begun && !over && !unready.length && seats.every((seat) => seat.you || seat.kind !== "human");
      if (!begun || over) return put("");
      if (mine.some((seat) => unready.includes(seat))) return put(say("realtime.ready"), say("realtime.ready.how"), {type: "ready"}, say("realtime.start"));
      if (names) return put(say("table.waiting", {names}), say("realtime.unready"));
      if (countdown) return put(String(countdown));
      if (paused) return put(say("realtime.paused"), say("realtime.paused.how"), {type: "pause", on: false}, say("realtime.go"));
      return awaited ? put(awaited, say("realtime.once")) : put("");
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
