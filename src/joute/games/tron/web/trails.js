// The ways that bikes went, as lines.
//
// A position tells which cells are whose, not in which order they were passed. So the heads of all
// positions that were seen are kept, by plies; where they do not explain what stands on the floors,
// a trail is drawn cell by cell.

import {beside, CELL, MARGIN, middle, otherEnd, same, signAt} from "./map.js";
import {range} from "../../js/svg.js";

const PLAIN = [0, 1, 2, 3];

// The trails of a game: `learn(position)` keeps where the bikes are, `places(position, bike)` are
// those that a bike came to, as far as is known, and `paths(position, bike, mine)` what to draw of
// its trail, of the cells `mine`: a path for each floor.
export function memory(chart) {
  const known = new Map();  // plies -> by bike its place, null once it is out

  function learn(position) {
    const {heads, floors} = eyes(position);
    const taken = new Map(position.events.map((event) => [event.player, event.action]));
    const before = known.get(position.ply) ?? [];  // a failure changes nothing on the floors
    const place = (bike) => end(position, floors, bike, taken.get(bike)) ?? before[bike] ?? null;
    known.set(position.ply, heads.map((head, bike) => head ?? place(bike)));
  }

  // Where a bike came to that is out with this action; null where it drove into a wall.
  function end(position, floors, bike, action) {
    const from = action === undefined ? null : places({ply: position.ply - 1}, bike).at(-1);
    if (!from) return null;
    const entered = beside(chart, from, action);
    const at = otherEnd(chart, entered) ?? entered;
    return signAt(floors, at) === String(bike + 1) ? at : null;
  }

  function places({ply}, bike) {
    const found = [];
    for (const each of [...known.keys()].sort((one, other) => one - other)) {
      const place = each <= ply ? known.get(each)[bike] : null;
      if (place && !(found.length && same(found.at(-1), place))) found.push(place);
    }
    return found;
  }

  function paths(position, bike, mine) {
    const {floors} = eyes(position);
    const steps = stretches(chart, places(position, bike));
    const passed = steps?.flat().filter((at) => signAt(floors, at) === String(bike + 1)).length;
    return steps && passed === mine.length ? drawn(chart, steps) : blocks(chart, floors, mine);
  }

  return {learn, places, paths};
}

function eyes(position) {
  return position.seen[Object.keys(position.seen)[0]];
}

// Places in a row, cut where a bike changed floors by stairs or a teleporter; null where two places
// are too far apart for one step.
function stretches(chart, places) {
  const found = [];
  for (const [index, place] of places.entries()) {
    const before = places[index - 1];
    const joined = before && PLAIN.some((direction) => same(beside(chart, before, direction), place));
    const stairs = before && before[0] === place[0] && before[1] === place[1];
    if (joined) {
      found.at(-1).push(place);
      continue;
    }
    if (before && !stairs) {
      const entry = otherEnd(chart, place);
      if (!entry) return null;
      found.at(-1).push(entry);
    }
    found.push([place]);
  }
  return found;
}

// A path for each floor; a step over a joined edge goes out on one side and in on the other.
function drawn(chart, steps) {
  const paths = chart.floors.map(() => "");
  for (const places of steps) {
    let d = `M${middle(chart, places[0]).join(" ")}${places.length === 1 ? "h.1" : ""}`;
    for (const index of range(places.length - 1)) {
      const [x, y] = middle(chart, places[index]);
      const [x2, y2] = middle(chart, places[index + 1]);
      const far = Math.abs(x2 - x) + Math.abs(y2 - y) > CELL * 1.5;
      if (far) {
        const across = x !== x2;
        const edge = (from, to) => (from < to ? MARGIN : MARGIN + (across ? chart.width : chart.height) * CELL);
        d += across ? `H${edge(x, x2)}M${edge(x2, x)} ${y2}` : `V${edge(y, y2)}M${x2} ${edge(y2, y)}`;
      }
      d += `L${x2} ${y2}`;
    }
    paths[places[0][2]] += d;
  }
  return paths;
}

// A path for each floor that joins each of these cells with those beside it.
function blocks(chart, floors, mine) {
  const paths = chart.floors.map(() => "");
  for (const at of mine) {
    const [x, y] = middle(chart, at);
    const sign = signAt(floors, at);
    paths[at[2]] += `M${x} ${y}h.1`;
    if (signAt(floors, [at[0] + 1, at[1], at[2]]) === sign) paths[at[2]] += `M${x} ${y}H${x + CELL}`;
    if (signAt(floors, [at[0], at[1] + 1, at[2]]) === sign) paths[at[2]] += `M${x} ${y}V${y - CELL}`;
  }
  return paths;
}
