// The signals that it is somebody's turn: the title of the page, and a tone for those who want one.

import {say} from "./words.js";

const KEPT = "joute.sound";
const NOTES = [[587, 0], [880, 0.13]];  // hertz, seconds
const LOUD = 0.12;
const LONG = 0.28;  // seconds of a note
let context = null;

function wanted() {
  try { return localStorage[KEPT] === "1"; } catch { return false; }
}

// Plays the tone, if it is wanted; a page that nobody has touched yet stays silent.
function tone() {
  if (!wanted() || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  context.resume();
  for (const [hertz, later] of NOTES) {
    const [note, gain, at] = [context.createOscillator(), context.createGain(), context.currentTime + later];
    note.frequency.value = hertz;
    gain.gain.setValueAtTime(LOUD, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + LONG);
    note.connect(gain).connect(context.destination);
    note.start(at);
    note.stop(at + LONG);
  }
}

// The button that switches the tone on and off.
export function soundSwitch(button) {
  const draw = () => button.setAttribute("aria-pressed", String(wanted()));
  button.addEventListener("click", () => {
    try { localStorage[KEPT] = wanted() ? "0" : "1"; } catch { /* a browser that keeps nothing */ }
    draw();
    tone();
  });
  button.hidden = false;
  draw();
}

// A function that is told whether it is the turn of somebody at this page, and signals each new turn.
export function turnSignal(title) {
  let usual = document.title;
  let before = null;
  return (turn) => {
    if (turn === before) return;
    if (turn) usual = document.title;
    document.title = turn ? say("table.title.turn", {title}) : usual;
    if (turn && before === false) tone();
    before = turn;
  };
}
