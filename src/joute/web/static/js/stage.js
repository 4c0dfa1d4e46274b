// The day of the final: slides to go through by keys, a timer for each presentation, the games of
// each team one after the other, and the bracket or the standings, filled in step by step.

import {replayed} from "./walled.js";
import {say} from "./words.js";

const GAMES = 6;  // of a team, that are shown one after the other
const SOON = 60;  // seconds before the end of a presentation from which on the timer warns

const root = document.getElementById("stage");
const slides = [...root.querySelectorAll(".slide")];
const place = document.getElementById("stage-place");
let at = 0;
let visits = 0;  // of slides

// The slide of that number, from 0; the address keeps it.
function go(number) {
  slides[at].hidden = true;
  slides[at].querySelector("[data-games]")?.replaceChildren();
  visits += 1;
  at = Math.min(Math.max(number, 0), slides.length - 1);
  const slide = slides[at];
  slide.hidden = false;
  place.textContent = `${at + 1} / ${slides.length}`;
  history.replaceState(null, "", `#${at + 1}`);
  const games = slide.querySelector("[data-games]");
  if (games) show(games).catch(() => {});
}

// The next step of a slide that fills in, or else the next slide.
function onward() {
  const left = [...slides[at].querySelectorAll(".to-come")];
  left.sort((one, other) => one.dataset.step - other.dataset.step);
  if (left.length) left[0].classList.remove("to-come");
  else go(at + 1);
}

// Replays the latest games of a team, the newest first, for as long as its slide is shown.
async function show(box) {
  const visit = visits;
  const response = await fetch(`${box.dataset.games}&count=${GAMES}`);
  const games = await response.json();
  if (visit !== visits) return;
  box.nextElementSibling.hidden = games.length > 0;
  const play = (number, old) => replayed(
    games[number % games.length],
    (element) => (old ? old.replaceWith(element) : box.append(element)),
    (again, element) => (games.length > 1 ? play(number + 1, element).catch(again) : again()));
  if (games.length) await play(0, null);
}

// A timer that counts down, and beyond its end counts what is too much.
class Timer {
  constructor(element) {
    this.element = element;
    this.button = element.querySelector("button");
    this.shown = element.querySelector("[role=timer]");
    this.whole = 60 * Number(element.dataset.minutes);
    this.spent = 0;  // seconds, until it was last paused
    this.since = null;  // when it was started, while it runs
    this.button.addEventListener("click", () => this.toggle());
    this.draw();
  }

  get seconds() {
    return this.spent + (this.since === null ? 0 : (performance.now() - this.since) / 1000);
  }

  toggle() {
    if (this.since === null) this.since = performance.now();
    else [this.spent, this.since] = [this.seconds, null];
    this.draw();
  }

  reset() {
    [this.spent, this.since] = [0, null];
    this.draw();
  }

  draw() {
    const left = this.whole - Math.floor(this.seconds);
    const whole = Math.abs(left);
    const two = (value) => String(value).padStart(2, "0");
    this.shown.textContent = `${left < 0 ? "−" : ""}${Math.floor(whole / 60)}:${two(whole % 60)}`;
    this.element.classList.toggle("soon", left >= 0 && left <= SOON);
    this.element.classList.toggle("over", left < 0);
    this.button.textContent = say(this.since === null ? "stage.start" : "stage.pause");
    clearTimeout(this.next);
    if (this.since !== null) this.next = setTimeout(() => this.draw(), 200);
  }
}

const timers = new Map([...root.querySelectorAll(".timer")].map((each) => [each.closest(".slide"), new Timer(each)]));

const KEYS = {
  ArrowRight: onward, PageDown: onward, Enter: onward, n: onward,
  ArrowLeft: () => go(at - 1), PageUp: () => go(at - 1), p: () => go(at - 1),
  Home: () => go(0), End: () => go(slides.length - 1),
  " ": () => (timers.has(slides[at]) ? timers.get(slides[at]).toggle() : onward()),
  r: () => timers.get(slides[at])?.reset(),
  f: () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen?.()),
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("a, button") && (event.key === "Enter" || event.key === " ")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!KEYS[key]) return;
  event.preventDefault();
  KEYS[key]();
});
root.querySelector("[data-go=back]").addEventListener("click", () => go(at - 1));
root.querySelector("[data-go=on]").addEventListener("click", onward);

go((Number(location.hash.slice(1)) || 1) - 1);
