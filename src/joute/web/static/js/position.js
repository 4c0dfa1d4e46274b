// The page of one position: its board alone, seen by whoever may see everything.

import {load} from "./boards/index.js";
import {game} from "./packed.js";
import {html} from "./svg.js";

async function begin() {
  const {facts, position} = await game();
  const module = await load(facts.board);
  const board = module.create(facts);
  document.getElementById("position").append(html("div", {class: "boardbox"}, board.element));
  board.learn?.([position]);
  board.show(position, {viewer: facts.hidden ? "all" : 0, quick: true, last: true});
}

begin();
