// The page of a replay, also as one file or within another page: `#replay` says where the game is.
//
// data-source   the address of the game (see replays/recorded.py); without one the game lies in the
//               page, in <script id="game">
// data-curve    the address of a better curve, which takes a while to be made
// data-explained   the address that says what a strong player thinks of a position

import {load} from "./boards/index.js";
import {improve} from "./evaluation.js";
import {game} from "./packed.js";
import {html} from "./svg.js";
import {view} from "./viewer.js";
import {say} from "./words.js";

const root = document.getElementById("replay");

async function begin() {
  const data = await game(root.dataset.source);
  const module = await load(data.facts.board);
  const shown = view(root, data, module);
  if (root.dataset.curve) improve(root.dataset.curve, shown.value);
}

begin().catch((error) => {
  root.append(html("p", {class: "note", role: "alert"}, say("replay.failed", {reason: error.message})));
  throw error;
});
