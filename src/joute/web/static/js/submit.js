// The pages of participants and of the organiser: exchanges a link's secret, sends a file as soon as
// it is chosen or dropped, and asks for what is running until it is over.

import {localise} from "./times.js";

const SECONDS = 1;
const SHORTEST_SECRET = 40; // characters; anything shorter is an anchor on the page
const home = document.querySelector("[data-home]")?.dataset.home;

function enter() {
  const form = document.querySelector("#enter");
  if (!form || location.hash.length < SHORTEST_SECRET) return;
  form.elements.link.value = location.hash;
  history.replaceState(null, "", location.pathname);
  form.requestSubmit();
}

function upload() {
  const form = document.querySelector("#upload");
  if (!form) return;
  const input = form.elements.file;
  const send = () => input.files.length && form.requestSubmit();
  input.addEventListener("change", send);
  send(); // a file that was chosen before this script was loaded
  form.addEventListener("dragover", (event) => event.preventDefault());
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
}

async function replace() {
  const text = await (await fetch(home)).text();
  const fresh = new DOMParser().parseFromString(text, "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const other = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
    if (!other) continue;
    if (part.contains(document.activeElement)) continue; // at the next request
    part.toggleAttribute("data-busy", other.hasAttribute("data-busy"));
    part.replaceChildren(...other.childNodes);
    localise(part);
  }
}

async function follow() {
  if (!document.querySelector("[data-busy]")) return;
  try {
    await replace();
  } catch {
    // The server may be unreachable for a moment; the next request will tell.
  }
  setTimeout(follow, 1000 * SECONDS);
}

function fill() {
  const zone = document.querySelector("[data-zone]");
  if (zone && !zone.value) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", () =>
      navigator.clipboard.writeText(button.previousElementSibling.textContent));
  }
}

enter();
upload();
fill();
setTimeout(follow, 1000 * SECONDS);
