// A recorded game in a page: board, timeline, bots' messages, and keys to move through the game.

import {marksOf} from "./boards/marks.js";
import {fit} from "./fit.js";
import {metrics} from "./metrics.js";
import {full, keysDialog, keysLine, outcome, seats, verdict, viewpoint} from "./parts.js";
import {key as rules} from "./rules.js";
import {copied, copyText, log, saying} from "./saying.js";
import {html} from "./svg.js";
import {SPEEDS, named, timeline} from "./timeline.js";
import {why} from "./why.js";
import {say} from "./words.js";

const PLY_MS = 900;  // between two plies at the usual speed
const CHANCE_SHARE = 0.4;  // of that, after a mere outcome of chance
const HASTE = 4;  // from this speed on nothing is animated
const OVER = -2;  // the mover of a game that has ended
const HASH_MS = 300;  // after the last step, until the address says where we are

// Shows a game in `root`, which holds a head and perhaps `.share`: {value, close}, the first of which
// takes a better curve. Addresses within the game begin with `#`, then `prefix`.
export function view(root, data, module, prefix = "") {
  const {facts, positions} = data;
  const board = module.create(facts);
  const line = timeline(data, {act, go: jump, speed});
  const words = saying(data);
  const course = log(jump);
  const figures = metrics(data, jump);
  const strips = seats(data, module.seats, board.roles);
  const end = verdict();
  const live = html("p", {class: "sr", "aria-live": "polite"});
  const help = keysDialog();
  const command = html("div", {class: "command"});
  const reason = root.dataset.explained ? why(root.dataset.explained) : null;
  const eyes = facts.hidden ? viewpoint(facts, see) : null;
  const box = html("div", {class: "boardbox"}, eyes?.element, board.element, keysLine());
  const state = {at: 0, playing: false, rate: 1, viewer: facts.hidden ? "all" : 0};
  let timer = null;
  let hashing = null;

  const share = root.querySelector(".share");
  root.classList.add(module.wide ? "wide" : "square");
  root.append(box, html(
    "div", {class: "rail"},
    end.element, strips.element, line.element, board.aside, words.element, figures?.element, reason?.element, share, command, outcome(data)),
  html("details", {class: "panel plies", open: ""}, html("summary", {}, say("replay.log")), course.element), live, help);
  const unfit = fit(root, board);
  board.learn?.(positions);
  const here = root.querySelector(".link-here");
  if (here && navigator.clipboard) {
    here.hidden = false;
    here.addEventListener("click", () => copyText(`${location.href.split("#")[0]}${hash()}`, here));
  }
  const ending = new AbortController();
  addEventListener("keydown", pressed, {signal: ending.signal});
  addEventListener("hashchange", () => follow(location.hash), {signal: ending.signal});

  function draw(quick) {
    const position = through(positions[state.at], state.viewer, facts);
    board.show(position, {viewer: state.viewer, quick, last: state.at === positions.length - 1});
    board.mark?.(marksOf(position));
    line.show(state.at, state);
    words.show(positions[state.at]);
    figures?.show(state.at);
    course.show(state.at);
    strips.show(positions[state.at], data.clocks[state.at]);
    end.show(positions[state.at]);
    tell(position);
    advise(positions[state.at]);
    reason?.show(state.at, positions[state.at].mover);
    eyes?.show(state.viewer);
    address();
  }

  function go(at, quick = false) {
    const next = Math.min(Math.max(at, 0), positions.length - 1);
    const step = next === state.at + 1;
    state.at = next;
    draw(quick || !step || state.rate >= HASTE);
  }

  function jump(at) {
    pause();
    go(at);
  }

  function play() {
    if (state.at === positions.length - 1) go(0, true);
    state.playing = true;
    line.show(state.at, state);
    next();
  }

  function next() {
    clearTimeout(timer);
    if (!state.playing) return;
    if (state.at === positions.length - 1) return pause();
    timer = setTimeout(() => {
      go(state.at + 1);
      next();
    }, wait(positions[state.at]) / state.rate);
  }

  function pause() {
    clearTimeout(timer);
    state.playing = false;
    line.show(state.at, state);
    address();
  }

  function act(name) {
    const last = positions.length - 1;
    if (name === "play") return state.playing ? pause() : play();
    jump({first: 0, back: state.at - 1, on: state.at + 1, last}[name]);
  }

  function speed(rate) {
    state.rate = rate;
    line.show(state.at, state);
    next();
  }

  function see(viewer) {
    state.viewer = viewer;
    course.fill(positions.map((position) => through(position, viewer, facts)));
    draw(true);
  }

  // Goes to the next or the previous mark.
  function mark(step) {
    const places = root.querySelectorAll(".marks a");
    const numbers = [...places].map((each) => Number(each.getAttribute("href").split("=")[1]));
    const found = step > 0 ? numbers.find((each) => each > state.at) : numbers.findLast((each) => each < state.at);
    if (found !== undefined) jump(found);
  }

  function pressed(event) {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.altKey || event.metaKey || help.open) return;
    if (!target.closest("dialog") && rules(event)) return;
    const typing = target.closest("input:not(.slider), select, textarea, [contenteditable]");
    const pressing = target.closest("a, button, summary, dialog") && [" ", "Enter"].includes(event.key);
    if (typing || pressing || (board.element.contains(target) && board.key(event))) return;
    const rates = SPEEDS.indexOf(state.rate);
    const found = {
      "arrowleft": () => act("back"), "arrowright": () => act("on"),
      "home": () => act("first"), "end": () => act("last"),
      " ": () => act("play"), "f": () => full(root), "?": () => help.showModal(),
      "n": () => mark(1), "b": () => mark(-1),
      "+": () => speed(SPEEDS[Math.min(rates + 1, SPEEDS.length - 1)]),
      "-": () => speed(SPEEDS[Math.max(rates - 1, 0)]),
    }[event.key.toLowerCase()];
    if (!found) return;
    event.preventDefault();
    found();
  }

  function tell(position) {
    if (state.playing && state.rate > 1) return;
    const ended = position.won ? [...position.won, position.why] : [];
    const said = [...position.events.flatMap((event) => event.said), ...ended].join(" ");
    live.textContent = said || named(positions, state.at);
  }

  // The command that asks the reader's own bot about this position.
  function advise(position) {
    const asked = position.mover >= 0 && !position.ending;
    command.replaceChildren(...(asked && data.commands
      ? [html("p", {class: "small mute"}, say("replay.open")), copied(data.commands.ask.replace("{ply}", position.ply))]
      : []));
  }

  function address() {
    clearTimeout(hashing);
    if (state.playing) return;
    root.querySelectorAll("[name=ply]").forEach((field) => {
      field.value = positions[state.at].ply;
      field.form.querySelector("button").disabled = positions[state.at].mover === OVER;
    });
    hashing = setTimeout(() => {
      const moved = location.hash !== hash() && (location.hash || state.at);
      if (moved) history.replaceState(null, "", hash());
    }, HASH_MS);
  }

  // The end of the address of this place.
  function hash() {
    const {ply} = positions[state.at];
    const first = positions.findIndex((each) => each.ply === ply);
    return `#${prefix}${first === state.at ? `ply=${ply}` : `at=${state.at}`}`;
  }

  function follow(asked) {
    const at = asked.startsWith(`#${prefix}`) ? place(asked.slice(1 + prefix.length), positions) : null;
    if (at !== null) jump(at);
  }

  function value(curve) {
    line.value(curve);
    line.show(state.at, state);
  }

  function close() {
    ending.abort();
    clearTimeout(timer);
    clearTimeout(hashing);
    unfit();
    board.destroy?.();
    root.replaceChildren();
  }

  see(state.viewer);
  follow(location.hash);
  return {value, close};
}

// The place that "ply=61" (so many plies were played), "at=62" (the number of a position) or
// "line=61" (the ply with that number, a failure that changed nothing too) names; null for anything else.
export function place(hash, positions) {
  const [, name, digits] = hash.match(/^(ply|at|line)=(\d+)$/) ?? [];
  if (!name) return null;
  const wanted = Number(digits);
  const found = {
    ply: () => positions.findIndex((each) => each.ply >= wanted),
    at: () => wanted,
    line: () => positions.findIndex((each) => each.events.some((event) => event.ply === wanted)),
  }[name]();
  return found < 0 ? positions.length - 1 : Math.min(found, positions.length - 1);
}

// A position as this viewer may see it.
function through(position, viewer, facts) {
  if (!facts.hidden || viewer === "all") return position;
  return {...position, events: position.told[viewer], seen: {[viewer]: position.seen[viewer]}};
}

function wait(position) {
  const chance = position.events.length > 0 && position.events.every((event) => event.by === "chance");
  return chance ? PLY_MS * CHANCE_SHARE : PLY_MS;
}
