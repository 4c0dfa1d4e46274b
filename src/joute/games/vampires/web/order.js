// An order of Vampires as a person puts it together: moves of so many from a cell to another.
//
// The server says which single moves there are. What the order holds already narrows them: no more
// leave a cell than stand there, and no cell is both left and entered.

const MOVE = /^(\d+),(\d+) x(\d+) -> (\d+),(\d+)$/;
export const DONE = 0;

// A move that an action's text tells of, null if it is none: {from: "x,y", to: "x,y", count}.
export function readMove(text) {
  const found = MOVE.exec(text);
  if (!found) return null;
  const [, x, y, count, x2, y2] = found;
  return {from: `${x},${y}`, to: `${x2},${y2}`, count: Number(count)};
}

// The moves of a question and those that were put together of them.
export function orderOf(actions) {
  const legal = new Map();  // from -> to -> count -> action
  for (const [action, text] of actions) {
    const move = readMove(text);
    if (!move) continue;
    if (!legal.has(move.from)) legal.set(move.from, new Map());
    const targets = legal.get(move.from);
    if (!targets.has(move.to)) targets.set(move.to, new Map());
    targets.get(move.to).set(move.count, action);
  }
  const moves = [];  // {from, to, count}, as they were put in

  const find = (from, to) => moves.find((move) => move.from === from && move.to === to);

  // The counts that may go there, ascending, one's own move there aside.
  function counts(from, to) {
    const known = legal.get(from)?.get(to);
    if (!known) return [];
    const most = Math.max(...[...legal.get(from).values()].flatMap((each) => [...each.keys()]));
    const others = moves.filter((move) => move.from === from && move.to !== to);
    const left = most - others.reduce((sum, move) => sum + move.count, 0);
    return [...known.keys()].filter((count) => count <= left).sort((one, other) => one - other);
  }

  // Whether units of a cell may be moved at all.
  function movable(from) {
    return legal.has(from) && !moves.some((move) => move.to === from);
  }

  // Where units of a cell may go.
  function targets(from) {
    if (!movable(from)) return [];
    const left = new Set(moves.map((move) => move.from));
    return [...legal.get(from).keys()].filter((to) => !left.has(to) && counts(from, to).length > 0);
  }

  // Puts a move in, or changes its count; as many as possible go if the count is too large.
  function put(from, to, count = Infinity) {
    const possible = counts(from, to);
    const fitting = possible.findLast((each) => each <= count) ?? possible[0];
    if (fitting === undefined) return null;
    const move = find(from, to) ?? moves[moves.push({from, to, count: 0}) - 1];
    move.count = fitting;
    return move;
  }

  // The next larger or smaller count of a move (`by` is 1 or -1).
  function step(move, by) {
    const possible = counts(move.from, move.to);
    const next = possible[possible.indexOf(move.count) + by];
    if (next !== undefined) move.count = next;
  }

  function drop(move) {
    moves.splice(moves.indexOf(move), 1);
  }

  // The small choices of the order and of one more move, ascending.
  function choices(more = []) {
    return [...moves, ...more]
      .map((move) => legal.get(move.from).get(move.to).get(move.count))
      .sort((one, other) => one - other);
  }

  return {moves, find, counts, movable, targets, put, step, drop, choices};
}
