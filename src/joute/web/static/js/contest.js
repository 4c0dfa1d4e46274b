// A contest that is being played: asks for its progress again and again, and replaces the parts of
// the page that changed.

import {localise} from "./times.js";

const SECONDS = 2;
const head = document.querySelector("[data-progress]");
let known = JSON.stringify(JSON.parse(head.dataset.shown)); // without the spaces of the page

async function look() {
  const progress = await (await fetch(head.dataset.progress)).json();
  const news = JSON.stringify([progress.done, progress.left, progress.stage, progress.whole]);
  if (known !== news) await replace();
  known = news;
  return progress.stage === "playing" || !progress.whole;
}

async function replace() {
  const text = await (await fetch(location.href)).text();
  const fresh = new DOMParser().parseFromString(text, "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const other = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
    if (!other || part.contains(document.activeElement)) continue;
    part.replaceChildren(...other.childNodes);
    localise(part);
  }
}

async function follow() {
  let goes = true;
  try {
    goes = await look();
  } catch {
    // The server may be unreachable for a moment; the next request will tell.
  }
  if (goes) setTimeout(follow, 1000 * SECONDS);
}

follow();
