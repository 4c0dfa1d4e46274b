// Keys that steer bikes in real time: arrows for the first person at this browser, letters for the
// second; both for one who is alone.

const LEFT = 0, UP = 1, RIGHT = 2, DOWN = 3, UPSTAIRS = 4, DOWNSTAIRS = 5;
const ARROWS = {
  ArrowLeft: LEFT, ArrowUp: UP, ArrowRight: RIGHT, ArrowDown: DOWN, PageUp: UPSTAIRS, PageDown: DOWNSTAIRS,
};
// By the position of the key, so that they are together on every keyboard.
const LETTERS = {KeyA: LEFT, KeyW: UP, KeyD: RIGHT, KeyS: DOWN, KeyR: UPSTAIRS, KeyF: DOWNSTAIRS};

export function steering(seats, send) {
  let on = false;
  const keys = [[["←", "↑", "→", "↓"], "table.keys.steer"]];
  if (seats.length > 1) keys.push([["W", "A", "S", "D"], "table.keys.steer.second"]);

  return {
    keys,
    ask(live) {
      on = live;
    },
    key(event) {
      if (!on || event.ctrlKey || event.altKey || event.metaKey) return false;
      const arrow = ARROWS[event.key];
      const letter = LETTERS[event.code];
      if (arrow === undefined && letter === undefined) return false;
      const player = arrow === undefined && seats.length > 1 ? seats[1] : seats[0];
      send({type: "steer", player, action: arrow ?? letter});
      event.preventDefault();
      return true;
    },
  };
}
