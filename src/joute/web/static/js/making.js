// The form of a contest: draws the maps when they come into sight, opens a file, shows the keys of
// the format that is chosen, fills in the time zone of the browser.

import {load} from "./boards/index.js";

const form = document.querySelector(".making");
const USUAL = "round-robin";

async function draw(place) {
  const answer = await fetch(place.dataset.map);
  if (!answer.ok) return;
  const {facts, position} = await answer.json();
  const module = await load(facts.board);
  const board = module.create(facts);
  place.append(board.element);
  board.learn?.([position]);
  board.show(position, {viewer: facts.hidden ? "all" : 0, quick: true, last: true});
}

function charts() {
  const seen = new IntersectionObserver((entries) => {
    for (const {isIntersecting, target} of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      draw(target);
    }
  });
  for (const place of document.querySelectorAll("[data-map]")) seen.observe(place);
}

function fit() {
  const chosen = form.querySelector("[name=format]:checked")?.value || USUAL;
  for (const part of form.querySelectorAll("[data-format]")) part.hidden = part.dataset.format !== chosen;
}

// Loads a contest's file from this machine into the text field.
function open() {
  const row = document.querySelector("[data-toml]");
  if (!row) return;
  row.hidden = false;
  const input = row.querySelector("input");
  input.addEventListener("change", async () => {
    if (input.files.length) document.querySelector("#toml").value = await input.files[0].text();
  });
}

const zone = form.querySelector("[data-zone]");
if (!zone.value) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
form.addEventListener("change", fit);
fit();
open();
charts();
