// Several games at once, for a projector: the latest of a contest, each replayed to its end; then a
// newer game takes its place, or it begins again.

import {replayed} from "./walled.js";

const NEWS_MS = 5000;  // between two requests for newer games

const root = document.getElementById("wall");
const empty = document.getElementById("wall-empty");
const showing = new Set();  // the addresses of the games on the wall
let latest = [];  // the games that may be shown, the newest first

async function look() {
  const response = await fetch(root.dataset.games);
  if (!response.ok) throw new Error(String(response.status));
  latest = await response.json();
  empty.hidden = latest.length > 0;
  const most = Number(new URL(root.dataset.games, location).searchParams.get("count"));
  while (showing.size < Math.min(most, latest.length)) await opened(next()).catch(() => {});
}

// Takes the newest game that is not on the wall.
function next() {
  const found = latest.find((each) => !showing.has(each.address));
  if (found) showing.add(found.address);
  return found;
}

// Puts a game on the wall, at its end or in place of another element.
function opened(game, old = null) {
  const place = (element) => (old ? old.replaceWith(element) : root.append(element));
  return replayed(game, place, async (again, element) => {
    const newer = next();
    try {
      if (newer) return await opened(newer, element).then(() => showing.delete(game.address));
    } catch {
      // a game that cannot be shown: this one begins again
    }
    again();
  });
}

async function watch() {
  try {
    await look();
  } finally {
    setTimeout(() => watch().catch(() => {}), NEWS_MS);
  }
}

addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "f" || event.ctrlKey || event.altKey || event.metaKey) return;
  if (document.fullscreenElement) document.exitFullscreen();
  else root.requestFullscreen?.();
});

watch();
