// Keys that steer bikes in real time: arrows for the first person at this browser, letters for the
// second; both for one who is alone.

import {language} from "./words.js";

const LEFT = 0, UP = 1, RIGHT = 2, DOWN = 3, UPSTAIRS = 4, DOWNSTAIRS = 5;
const ARROWS = {
  ArrowLeft: LEFT, ArrowUp: UP, ArrowRight: RIGHT, ArrowDown: DOWN, PageUp: UPSTAIRS, PageDown: DOWNSTAIRS,
};
// By the position of the key, so that they are together on every keyboard.
const LETTERS = {KeyA: LEFT, KeyW: UP, KeyD: RIGHT, KeyS: DOWN, KeyR: UPSTAIRS, KeyF: DOWNSTAIRS};
const WRITTEN = ["KeyW", "KeyA", "KeyS", "KeyD"];
const FRENCH = {KeyW: "Z", KeyA: "Q"};

// The direction of a key, undefined for any other: {arrow} or {letter}.
export function directionOf(event) {
  return {arrow: ARROWS[event.key], letter: LETTERS[event.code]};
}

// The letters as they are written on the keyboard, as far as the browser knows, else as the language
// of the page suggests.
async function letters() {
  const usual = (code) => (language === "fr" ? FRENCH[code] : null) ?? code.slice(-1);
  const layout = await navigator.keyboard?.getLayoutMap?.().catch(() => null);
  return WRITTEN.map((code) => layout?.get(code)?.toUpperCase() ?? usual(code));
}

// `drawn` is called when the letters are known.
export function steering(seats, send, drawn) {
  let on = false;
  let known = 0;  // directions that the game has
  const keys = [[["←", "↑", "→", "↓"], "table.keys.steer"]];
  if (seats.length > 1) {
    letters().then((found) => {
      keys.push([found, "table.keys.steer.second"]);
      drawn();
    });
  }

  return {
    keys,
    ask({live, actions}) {
      [on, known] = [live, actions.length];
    },
    key(event) {
      if (!on || event.ctrlKey || event.altKey || event.metaKey) return false;
      const {arrow, letter} = directionOf(event);
      if (!((arrow ?? letter) < known)) return false;
      const player = arrow === undefined && seats.length > 1 ? seats[1] : seats[0];
      send({type: "steer", player, action: arrow ?? letter});
      event.preventDefault();
      return true;
    },
  };
}
