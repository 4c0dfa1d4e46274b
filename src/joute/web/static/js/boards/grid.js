// A board of cells: rows of named cells with one tab stop, walked with the arrows.

import {range, svg} from "../svg.js";

const STEPS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

// Cells of `step` units a side from (left, top), numbered row by row.
//
// `rows` are the nodes to be drawn; `cells` are the groups in them, `middle(number)` is where one is
// drawn. `walk(event)` moves the focus and tells whether it did, `focus(number)` moves it, `here()`
// is the number of the cell it stands on, `enter(number)` and `begin(numbers)` move the tab stop
// only.
export function grid({columns, rows, left, top, step}) {
  const cells = range(columns * rows).map((number) => {
    const x = left + (number % columns) * step;
    const y = top + Math.floor(number / columns) * step;
    const hit = svg("rect", {class: "hit", x, y, width: step, height: step});
    return svg("g", {class: "cell", role: "gridcell", tabindex: -1, "data-cell": number}, hit);
  });
  let current = 0;
  cells[0].setAttribute("tabindex", 0);

  function enter(number) {
    cells[current].setAttribute("tabindex", -1);
    current = number;
    cells[current].setAttribute("tabindex", 0);
  }

  function focus(number) {
    enter(number);
    cells[number].focus();
  }

  function walk(event) {
    const step = STEPS[event.key];
    if (!step) return false;
    const x = Math.min(Math.max((current % columns) + step[0], 0), columns - 1);
    const y = Math.min(Math.max(Math.floor(current / columns) + step[1], 0), rows - 1);
    const inside = cells[current].contains(document.activeElement);
    focus(inside ? y * columns + x : current);
    return true;
  }

  // Has the arrows start on one of these cells, unless somebody is walking already.
  function begin(numbers) {
    if (numbers.length && !numbers.includes(current) && !cells[current].contains(document.activeElement)) enter(numbers[0]);
  }

  for (const cell of cells) {
    cell.addEventListener("focus", () => enter(Number(cell.dataset.cell)));
  }

  return {
    cells,
    rows: range(rows).map((y) => svg("g", {role: "row"}, cells.slice(y * columns, (y + 1) * columns))),
    middle: (number) => [left + (number % columns + 0.5) * step, top + (Math.floor(number / columns) + 0.5) * step],
    here: () => current,
    begin,
    enter,
    focus,
    walk,
  };
}

// The number of the cell that an event happened in, null if it was none.
export function cellOf(event) {
  const cell = event.target.closest?.("[data-cell]");
  return cell ? Number(cell.dataset.cell) : null;
}
