// The page of a table: the board, the question, the controls. Only the server knows the rules.

import {load} from "./boards/index.js";
import {makeControls} from "./controls.js";
import {fit} from "./fit.js";
import {makeLog} from "./log.js";
import {overboard} from "./overboard.js";
import {key as rules} from "./rules.js";
import {soundSwitch, turnSignal} from "./signals.js";
import {connect} from "./socket.js";
import {directionOf, steering} from "./steering.js";
import {makePace} from "./pace.js";
import {makeStrips} from "./strips.js";
import {html, still} from "./svg.js";
import {makeBar, makeThoughts} from "./thoughts.js";
import {keyName, say} from "./words.js";

const LATE_MS = 600;  // a bot that answers sooner is not announced
const $ = (id) => document.getElementById(id);
const root = $("table");
const box = $("place");
const address = `/tables/${root.dataset.name}`;
const SCROLLING = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown"];  // keys of boards

const now = {facts: null, part: 0, number: -1, position: null, viewer: null, asked: null, status: null, over: false};
let board = null;
let module = null;
let strips = null;
let bar = null;
let thoughts = null;
let steer = null;
let over = null;  // words over the board of a game in real time
let signal = () => {};
let fresh = true;  // whether the next position is shown at once
let waiting = null;  // the timer of "is thinking"
let telling = null;  // the timer of what is compiled
let queue = Promise.resolve();  // messages are taken one after the other, as boards are loaded
const previews = new Map();  // by ticket, the functions that wait for a preview

const log = makeLog($("log"), $("said"), $("heard"));
const line = connect(`${address}/socket`, {
  heard: (message) => {
    queue = queue.then(() => TOLD[message.type]?.(message)).catch((error) => console.error(error));
  },
  state: connection,
  since: () => (now.number >= 0 ? {part: now.part, number: now.number} : null),
});
const pace = makePace(line.send);
$("await").addEventListener("click", () => line.send({type: "wait"}));
const controls = makeControls({send: line.send, say: (text) => log.say(text), address});

// Messages from the server.

const TOLD = {
  async table(message) {
    const first = !now.facts;
    const moved = now.viewer !== message.viewer;
    Object.assign(now, {part: message.part, viewer: message.viewer, table: message});
    now.facts = Object.assign(now.facts ?? {}, message.facts);  // the same object, which boards hold
    if (first || !board) {
      module = await load(message.facts.board);
      place();
    }
    board.learn?.(message.past);
    if (first || moved) fresh = true;
    log.begin(message.log);
    now.number = -1;
    fresh = true;
    unasked();  // what was asked before is asked again, if it still is
    controls.table(message);
    if (message.hidden && message.viewer === null && !message.you.length) log.say(say("table.hidden"));
  },

  async position(message) {
    now.number = message.number;
    now.position = message;
    board.suggest([]);
    const quick = fresh || still();
    const viewer = shown(quick);
    fresh = false;
    strips?.points(message.points);
    strips?.out(message.out ?? []);
    thoughts?.clear();
    bar?.clear();
    log.tell(message);
    const rest = quick ? 0 : module.rest?.(message, viewer) ?? 0;
    if (rest) await new Promise((over) => setTimeout(over, rest));
  },

  ask(message) {
    now.asked = message;
    passed();
    steer?.ask(message);
    ask();
    controls.asked(message);
    turn();
  },

  unask() {
    unasked();
    turn();
  },

  pass({player, name, read}) {
    now.asked = null;
    board.ask(null);
    if (read) docked(say("table.pass.first"), say("table.pass.read", {name}), say("table.pass.hide"), () => pass(player, name));
    else pass(player, name);
    turn();
  },

  status(message) {
    const before = now.status;
    now.status = message;
    now.statusAt = performance.now();
    controls.status(message);
    pace.show(message.pace);
    // Who comes back to a table with a rematch wants to see that table.
    if (message.next && before && !before.next) {
      location.href = message.next;
      return;
    }
    named(message.seats.map((seat) => seat.name));
    strips?.status(message.seats, choosing());
    if (message.begun) $("links")?.remove();
    turn();
    controls.ready();
  },

  thought(message) {
    thoughts.show(message);
    if (message.value !== null) bar?.show(message.value);
  },

  hint({number, actions, text}) {
    if (now.asked?.number !== number) return;  // of a position that is gone
    log.say(text);
    board.suggest(actions);
  },

  notice({text}) {
    log.say(text);
  },

  preview(message) {
    previews.get(message.ticket)?.(message.legal ? message : {...message, error: message.text});
    previews.delete(message.ticket);
  },

  over(message) {
    now.over = message;
    passed();
    unasked();
    controls.over(message);
    listed();
    turn();
  },

  error({text}) {
    log.say(sentence(text));
    if (now.asked && !now.asked.live) ask();
  },
};

// The board, and the question to the player at this browser.

function place() {
  board?.destroy?.();
  board = module.create(now.facts);
  const parts = [board.element];
  if (now.facts.players === 2 && !now.facts.hidden) {
    bar = makeBar(now.facts);
    bar.element.setAttribute("hidden", "");
    parts.unshift(bar.element);
  }
  box.replaceChildren(...parts);
  fit(root, board);
  if (board.aside) $("strips").before(board.aside);
  steady(box, board.element);
  bar?.follow(board.element.querySelector("svg") ?? board.element);
  strips = module.seats && !now.table.clock ? null : makeStrips($("strips"), now.facts, board.roles);
  thoughts = makeThoughts($("think"), now.facts);
  controls.place({bar: bar?.element, list: $("think")});
  if (now.table.live) steer = steering(now.table.you, line.send, listed);
  if (now.table.live) over = overboard(box, line);
  signal = turnSignal(root.querySelector("h1").textContent);
  if (now.table.you.length) soundSwitch($("sound"));
  listed();
}

// Shows the position as it stands; returns whose eyes see it.
function shown(quick) {
  const ended = Boolean(now.position.returns);
  const viewer = now.facts.hidden && ended ? "all" : now.viewer ?? (now.facts.hidden ? null : 0);
  board.show(now.position, {viewer, quick, last: now.number});
  return viewer;
}

// Who sits down before the game begins brings a name, which the board may have drawn otherwise.
function named(names) {
  const before = now.facts.names;
  if (String(names) === String(before)) return;
  now.facts.names = names;
  document.title = document.title.replace(before.join(", "), names.join(", "));
  if (now.position) shown(true);
}

// The keys, under the board; those for steering come first.
function listed() {
  const own = now.table.you.length ? board.keys ?? module.keys : [];
  const keys = [...(steer ? [...steer.keys, ...own.slice(1)] : own), ...controls.keys(now.table)];
  $("keys").replaceChildren(...keys.map(written));
}

// Keeps a box at least as high as it was at the same width, so that what is below it does not move
// under the mouse when a question is answered.
function steady(around, inner) {
  let [width, height] = [0, 0];
  const fit = ([{contentRect}]) => {
    if (contentRect.width !== width) [width, height] = [contentRect.width, 0];
    height = Math.max(height, Math.ceil(contentRect.height));
    around.style.minHeight = `${height}px`;
  };
  new ResizeObserver(fit).observe(inner);
}

function written([pressed, meaning]) {
  const marks = [pressed].flat().map((key) => html("kbd", {}, keyName(key)));
  return html("span", {}, marks, " ", say(meaning));
}

// Nothing is asked any more.
function unasked() {
  now.asked = null;
  $("warned").close();
  board?.ask(null);
  board?.suggest([]);
  controls.asked(null);
}

// The screen is passed on: nothing is shown that the one before may know.
function pass(player, name) {
  box.hidden = true;
  log.clear();
  const look = () => line.send({type: "look", player});  // what is asked then shows the board
  docked(say("table.turn.name", {name}), say("table.pass", {name}), say("table.pass.alone"), look);
}

// The dialog before the screen is passed on, with what its button says and does.
function docked(title, text, label, done) {
  $("pass-title").textContent = title;
  $("pass").querySelector("p").textContent = text;
  $("alone").textContent = label;
  $("alone").onclick = done;
  if (!$("pass").open) $("pass").show();
  $("alone").focus();
}

// The screen is passed on, or need not be: the board is shown.
function passed() {
  $("pass").close();
  box.hidden = false;
}

function ask() {
  const question = now.asked;
  const answer = (action) => {
    if (question.live) {
      line.send({type: "steer", player: question.player, action});
    } else if (question.warnings[action]) {
      warned(question, action);
    } else {
      play(question, action);
    }
  };
  board.ask({...question, preview}, answer, {preview, refuse});
}

// Says why something that was tried is not legal, in the place of whose turn it is.
function refuse(text) {
  clearTimeout(waiting);
  $("turn").textContent = sentence(text);
  $("turn").classList.add("refused");
}

function play({number}, action) {
  line.send({type: "answer", number, action});
  controls.asked(null);
}

// Asks whether an action is meant that ends the game or loses it; if not, the player chooses again.
function warned(question, action) {
  const dialog = $("warned");
  dialog.returnValue = "";
  $("warned-text").textContent = question.warnings[action];
  dialog.onclose = () => {
    if (now.asked !== question) return;
    if (dialog.returnValue === "yes") play(question, action);
    else ask();
  };
  dialog.showModal();
}

function preview(actions) {
  const ticket = previews.size + Math.floor(performance.now() * 1000);
  return new Promise((found) => {
    previews.set(ticket, found);
    line.send({type: "preview", actions, ticket});
  });
}

// The line that says whose turn it is.

function choosing() {
  return now.status.asked ?? now.status.thinking;
}

function turn() {
  clearTimeout(waiting);
  clearTimeout(telling);
  if (!now.status || !now.facts) return;
  const {seats, asked, thinking, preparing} = now.status;
  $("turn").classList.remove("refused");
  signal(Boolean(now.asked && !now.asked.live) || $("pass").open);
  const awaited = preparing ? prepared(preparing, seats[preparing.seat].name) : "";
  $("standing").hidden = !preparing?.by || Boolean(now.over);
  if (preparing?.by) $("standing-said").textContent = awaited;
  $("await").hidden = !now.table.you.length;
  const prompt = over?.show({...now.status, awaited, over: Boolean(now.over)}) ?? null;
  const free = seats.filter((seat) => seat.free).map((seat) => seat.name);
  let text = "";
  if (now.over) text = now.over.lines[0] ?? say("table.over");
  else if (free.length) text = say("table.waiting", {names: free.join(", ")});
  else if (prompt !== null) text = prompt;
  else if (preparing && !preparing.by) text = awaited;
  else if (now.asked?.live) text = say("table.steer");
  else if (now.asked) text = mine(now.asked.player);
  else if (asked !== null && !seats[asked].you) text = say("table.turn.other", {name: seats[asked].name});
  else if (thinking === null && !now.table.you.length) text = say("table.watching");
  if (text || prompt !== null || thinking === null) $("turn").textContent = text;
  else waiting = setTimeout(() => { $("turn").textContent = say("table.thinking", {name: seats[thinking].name}); }, LATE_MS);
}

// What is compiled, for how long already or still, and who plays meanwhile; told again every second.
function prepared({seconds, usual, by}, name) {
  const done = Math.round(seconds + (performance.now() - now.statusAt) / 1000);
  telling = setTimeout(turn, 1000);
  if (by) return say(usual ? "table.standing_in.left" : "table.standing_in", {name, by, left: Math.max(usual - done, 1)});
  return say(usual ? "table.preparing.usual" : "table.preparing.first", {name, seconds: done, usual});
}

function mine(player) {
  const several = now.table.you.length > 1;
  return several ? say("table.turn.name", {name: now.status.seats[player].name}) : say("table.turn.you");
}

// The connection.

function connection(state, seconds) {
  const trouble = $("trouble");
  const lost = !trouble.hidden;
  trouble.hidden = state === "open";
  if (state === "lost") trouble.textContent = say(now.status?.kept ? "table.lost" : "table.lost.unkept", {seconds});
  if (state === "gone") {
    trouble.replaceChildren(say("table.gone"), " ", html("a", {href: address}, say("table.gone.why")));
    controls.gone();
    strips?.gone();
  }
  if (state === "open") {
    controls.connected();
    if (lost) log.say(say("table.back"));
  } else {
    previews.clear();
    unasked();
    controls.lost();
  }
}

function sentence(text) {
  const whole = /[.?!…]$/.test(text) ? text : `${text}.`;
  return whole[0].toUpperCase() + whole.slice(1);
}

// Keys: those of the board first.

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.target.closest?.("input, select, textarea, dialog")) return;
  if (now.over && !board) return;
  const {arrow, letter} = directionOf(event);
  if (over?.key(event, arrow !== undefined || letter !== undefined)) return;
  if (steer?.key(event) || board?.key(event) || rules(event) || controls.key(event)) return;
  // While one plays the page must not move under the board.
  const playing = now.table?.you.length && now.status?.begun && !now.over;
  const here = event.target === document.body || box.contains(event.target);
  if (playing && here && SCROLLING.includes(event.key)) event.preventDefault();
});

// The link of a seat that is opened on the page of its own table.
addEventListener("hashchange", () => now.status && controls.ready());

// The state, for tests and for debugging.
root.joute = {drop: line.drop, now};
