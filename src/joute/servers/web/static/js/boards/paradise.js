// The duel of Paradise: the boards with their heroes, warnings, mana and the buttons of a turn, the
// hand, and what is written on the card one looks at. With all eyes open both hands are shown.

import {html} from "../svg.js";
import {say} from "../words.js";
import {heard, oneStop, refill, walk} from "./cards.js";
import {board, mana, point} from "./paradise-board.js";
import {staged, strike, weight} from "./paradise-events.js";
import {alarm, details, hand} from "./paradise-hand.js";
import {OWN, Orders, read} from "./paradise-orders.js";

export const wide = true;  // it needs the width of the page
export const seats = true;  // it shows who plays, and whose turn it is

export const keys = [
  ["1–9", "duel.keys.card"],
  ["A", "duel.keys.attacker"],
  ["T", "duel.keys.target"],
  ["Enter", "duel.keys.confirm"],
  ["P", "duel.keys.power"],
  ["E", "duel.keys.end"],
  [["←", "→", "↑", "↓"], "duel.keys.walk"],
  ["Esc", "duel.keys.back"],
];

// For how long a position should be looked at before the next one comes, in milliseconds.
export function rest({events}, viewer) {
  const event = events.at(-1);
  const quiet = !event || event.deal || event.drawer !== undefined || event.player === viewer;
  return quiet ? 0 : event.at === undefined && event.shot === undefined ? 400 : 800;
}

const TALL = 640;  // pixels; a drawing that is less wide is a tall one

export function create(facts) {
  const info = html("div", {class: "panel details", "aria-live": "polite"});
  const element = html("div", {class: "drawn duel"});
  let drawing = null;  // of the boards
  let shown = null;  // the position before: {ply, boards}
  let view = null;  // what is drawn: see `board`
  let orders = null;
  let send = null;
  let source = null;  // what is to act: {kind, at}
  let target = null;  // on what, where it is not yet sure
  let hint = null;
  let stop = "card-3-0";  // where Tab comes in
  let tall = false;

  const watcher = new ResizeObserver(([{contentRect}]) => {
    const now = contentRect.width < TALL;
    if (now !== tall && view) {
      tall = now;
      draw();
    }
  });
  watcher.observe(element);

  function show(position, {viewer = 0, quick = false} = {}) {
    const eyes = Object.keys(position.seen);
    if (!eyes.length) return;
    const open = viewer === "all" && eyes.length > 1;
    const below = open ? 0 : Number(position.seen[viewer] ? viewer : eyes[0]);
    const seen = position.seen[below];
    const last = position.events.at(-1);
    const same = !last && view && shown.ply === position.ply && view.below === below;  // only the end is new
    const slots = staged(position, shown, seen.boards);
    if (quick) for (const slot of slots.flat()) slot.fresh = false;
    view = {
      facts, seen, open, below,
      slots: same ? view.slots : [slots[below], slots[1 - below]],
      hands: [seen.hand, open ? position.seen[1].hand : []],
      turn: position.mover < 0 ? null : position.mover,
      strike: same ? view.strike : strike(position, shown, below),
      drawn: !quick && last && last.drawer === below && last.card >= 0 && !last.full,
    };
    shown = {ply: position.ply, boards: seen.boards};
    tall = element.isConnected ? element.clientWidth < TALL : tall;
    source = target = hint = null;
    draw();
  }

  function draw() {
    drawing = board(view, tall, mark);
    for (const each of drawing.querySelectorAll("[data-at]")) listen(each);
    refill(element, [
      view.open ? handOf(1) : null, drawing, alarm(orders ? view.seen.remarks : null), turn(), handOf(0), info,
    ]);
    oneStop(element, stop);
    look(source ? sourceCard() : null, source?.kind === "minion" ? mine()[source.at] : null);
    aim();
  }

  const mine = () => view.seen.boards[view.below];
  const theirs = () => view.seen.boards[1 - view.below];
  const same = (one, other) => one && other && one.kind === other.kind && one.at === other.at;
  const sourceCard = () => (source.kind === "card" ? view.seen.hand[source.at] : mine()[source.at].card);

  // The classes of a thing on the boards.
  function mark({side, at}) {
    if (!orders) return "";
    const found = [];
    const number = targetOf({side, at});
    if (source && number !== null && orders.targets(source).includes(number)) found.push("legal");
    if (number !== null && number === target) found.push("aimed");
    if (side === 0 && at >= 0) {
      if (orders.able({kind: "minion", at})) found.push("ready");
      if (same(source, {kind: "minion", at})) found.push("chosen");
      if (same(hint, {kind: "minion", at})) found.push("hinted");
    }
    if (hint && number !== null && number === hint.target) found.push("hinted");
    return found.join(" ");
  }

  // The number of a thing as a target; null for a minion of one's own.
  function targetOf({side, at}) {
    if (side === 0) return at < 0 ? OWN : null;
    return at + 1;
  }

  function handOf(side) {
    const cards = view.hands[side];
    const name = view.open ? facts.names[side] : "";
    const label = view.open ? say("duel.hand.of", {name}) : say("duel.hand.own");
    return hand(cards, side ? 0 : 3, label, {
      asked: side === 0 && orders !== null,
      state: (place) => ({
        able: side === 0 && (orders?.able({kind: "card", at: place}) ?? false),
        chosen: side === 0 && same(source, {kind: "card", at: place}),
        hinted: side === 0 && same(hint, {kind: "card", at: place}),
        fresh: side === 0 && view.drawn && place === cards.length - 1,
      }),
      take: (place) => (side === 0 ? take({kind: "card", at: place}, cards[place]) : look(cards[place])),
    });
  }

  // Mana, and the buttons of a turn.
  function turn() {
    const button = (kind, key, primary) => {
      const each = html("button", {
        class: `btn${primary ? " primary" : ""}${hint?.kind === kind ? " hinted" : ""}`, type: "button",
        "data-at": kind, disabled: orders.find(kind) === undefined,
      }, say(`duel.${kind}`), kind === "power" ? price() : null, html("kbd", {"aria-hidden": "true"}, key));
      each.addEventListener("click", () => finish(orders.find(kind)));
      return each;
    };
    const play = source?.kind === "card" && plain(source) !== undefined;
    return html("div", {class: "row between"}, mana(view.seen, view.below), orders ? html("span", {class: "row"},
      play ? playing() : null, button("power", "P"), button("end", "E", !play)) : null);
  }

  // What the power costs, or that it is spent.
  function price() {
    return html("small", {class: "mute"}, say(view.seen.power_used[view.below] ? "duel.power.used" : "duel.power.cost"));
  }

  function playing() {
    const each = html("button", {class: "btn primary", type: "button", "data-at": "play"}, say("duel.play"));
    each.addEventListener("click", () => finish(plain(source)));
    return each;
  }

  const plain = ({kind, at}) => orders.find(kind, at);

  function listen(each) {
    const [, side, at] = each.dataset.at.match(/board-(\d)-(-?\d+)/).map(Number);
    each.addEventListener("click", () => clicked(side, at));
    each.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      clicked(side, at);
    });
    for (const name of ["pointerenter", "focus"]) each.addEventListener(name, () => hover(side, at));
    each.addEventListener("pointerleave", () => aim());
  }

  function clicked(side, at) {
    const number = targetOf({side, at});
    const action = source && number !== null ? orders?.find(source.kind, source.at, number) : undefined;
    if (action !== undefined) finish(action);
    else if (side === 0 && at >= 0) take({kind: "minion", at}, mine()[at].card);
    else if (at >= 0) look(theirs()[at].card, theirs()[at]);
  }

  function hover(side, at) {
    stop = `board-${side}-${at}`;
    const number = targetOf({side, at});
    if (source && number !== null && orders?.find(source.kind, source.at, number) !== undefined) aim(number);
    else if (at >= 0) look((side ? theirs() : mine())[at].card, (side ? theirs() : mine())[at]);
  }

  // Chooses what is to act; a card that needs no target is played when chosen twice.
  function take(wanted, card) {
    look(card, wanted.kind === "minion" ? mine()[wanted.at] : null);
    if (!orders?.able(wanted)) return;
    if (same(source, wanted) && plain(wanted) !== undefined) {
      finish(plain(wanted));
      return;
    }
    source = same(source, wanted) ? null : wanted;
    target = null;
    settle();
  }

  // Draws anew what has been chosen; what the last action did is seen no longer.
  function settle() {
    const gone = (slots) => slots.filter(({dead}) => !dead).map((slot) => ({...slot, fresh: false}));
    view = {...view, strike: null, drawn: false, slots: view.slots.map(gone)};
    draw();
  }

  function look(card, minion = null) {
    info.replaceChildren(...details(card, minion).filter((each) => each));
  }

  // The arrow from what is to act to a target: that given, else that chosen by keys.
  function aim(number = target) {
    if (!source || number === null) {
      point(drawing, null);
      return;
    }
    const from = source.kind === "minion" ? {side: 0, slot: source.at} : {side: 0, slot: -1};
    const to = number === OWN ? {side: 0, slot: -1} : {side: 1, slot: number - 1};
    point(drawing, from, to, weight(source.kind, sourceCard(), mine()[source.at]));
  }

  function ask(question, answer) {
    orders = question ? new Orders(question) : null;
    send = answer;
    source = target = hint = null;
    if (view) draw();
  }

  function finish(action) {
    if (action === undefined || !orders) return;
    const sent = send;
    ask(null);
    sent(action);
  }

  function key(event) {
    if (!view || !heard(event, element)) return false;
    const letter = event.key.toLowerCase();
    if (walk(element, event)) stop = document.activeElement.dataset.at;
    else if (!orders) return false;
    else if (letter === "a") next();
    else if (letter === "t") turnTo(event.shiftKey ? -1 : 1);
    else if (letter === "p") finish(orders.find("power"));
    else if (letter === "e") finish(orders.find("end"));
    else if (event.key === "Enter" && source) finish(target === null ? plain(source) : orders.find(source.kind, source.at, target));
    else if (event.key === "Escape") clear();
    else if (/^[0-9]$/.test(letter)) number((Number(letter) + 9) % 10);
    else return false;
    event.preventDefault();
    return true;
  }

  function number(place) {
    const card = view.seen.hand[place];
    if (card !== undefined && !same(source, {kind: "card", at: place})) take({kind: "card", at: place}, card);
  }

  // The next minion that can attack.
  function next() {
    const {attackers} = orders;
    if (!attackers.length) return;
    const here = source?.kind === "minion" ? attackers.indexOf(source.at) : -1;
    source = {kind: "minion", at: attackers[(here + 1) % attackers.length]};
    target = null;
    settle();
  }

  // The next target, or the one before.
  function turnTo(step) {
    const targets = source ? orders.targets(source) : [];
    if (!targets.length) return;
    const here = targets.indexOf(target);
    target = targets[here < 0 ? 0 : (here + step + targets.length) % targets.length];
    settle();
  }

  function clear() {
    source = target = null;
    settle();
  }

  function suggest(actions) {
    hint = actions.length ? read(actions[0]) : null;
    if (view) draw();
  }

  return {element, show, ask, key, suggest, destroy: () => watcher.disconnect()};
}
