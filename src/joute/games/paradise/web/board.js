// The duel of Paradise: the boards with their heroes, warnings, mana and the buttons of a turn, the
// hand, and what is written on the card one looks at. With all eyes open both hands are shown.

import {digitOf, html} from "../../js/svg.js";
import {say} from "../../js/words.js";
import {heard, oneStop, refill, walk} from "../../js/boards/cards.js";
import {board, described, point, reason} from "./field.js";
import {title} from "./cards.js";
import {staged, strike, weight} from "./events.js";
import {alarm, details, hand, power, turn} from "./hand.js";
import {Choice, OWN, read, targetOf} from "./orders.js";

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

const TALL = 640;  // pixels; a drawing that is less wide is a tall one

// For how long a position should be looked at before the next one comes, in milliseconds.
export function rest({events}, viewer) {
  const event = events.at(-1);
  const quiet = !event || event.deal || event.drawer !== undefined || event.player === viewer;
  return quiet ? 0 : event.at === undefined && event.shot === undefined ? 400 : 800;
}

export function create(facts) {
  const info = html("div", {class: "panel details"});
  const warned = html("div", {class: "whole"});
  const aside = html("div", {class: "duelaside"}, warned, info);  // beside the board, or below the hand
  const whole = html("div", {class: "whole"});
  const live = html("p", {class: "sr", "aria-live": "polite"});  // what has been chosen by keys
  const element = html("div", {class: "drawn duel"}, whole, live);
  const choice = new Choice();
  let shown = null;  // the position before: {ply, boards}
  let view = null;  // what is drawn
  let drawing = null;  // of the boards
  let send = null;
  let deny = null;  // says why something is not legal
  let held = null;  // what the mouse was pressed on: {kind, at}
  let stop = "card-3-0";  // where Tab comes in
  let tall = false;

  const watcher = new ResizeObserver(([{contentRect}]) => {
    const now = contentRect.width < TALL;
    if (now === tall || !view) return;
    tall = now;
    draw();
  });
  watcher.observe(element);

  function show(position, {viewer = 0, quick = false} = {}) {
    if (!Object.keys(position.seen).length) return;
    view = seenBy(position, viewer, quick, {facts, shown, before: view});
    shown = {ply: position.ply, boards: view.seen.boards};
    tall = element.isConnected ? element.clientWidth < TALL : tall;
    choice.clear();
    choice.hint = null;
    draw();
  }

  function draw() {
    drawing = board(view, tall, (item) => choice.marks(item));
    for (const each of drawing.querySelectorAll("[data-at]")) listen(each);
    drawing.addEventListener("pointerup", () => drop(null));
    const {seen, below} = view;
    refill(whole, [
      view.open ? handOf(1) : null, drawing, view.open ? null : turn(seen, below, choice, finish, () => info.replaceChildren(...power())), handOf(0),
    ]);
    refill(warned, [alarm(choice.asked ? seen.remarks : null)]);
    oneStop(element, stop);
    look(choice.source ? sourceCard() : null, choice.source?.kind === "minion" ? mine()[choice.source.at] : null);
    aim();
  }

  const mine = () => view.seen.boards[view.below];
  const theirs = () => view.seen.boards[1 - view.below];

  function sourceCard() {
    const {kind, at} = choice.source;
    return kind === "card" ? view.seen.hand[at] : mine()[at].card;
  }

  function handOf(side) {
    const cards = view.hands[side];
    const label = view.open ? say("duel.hand.of", {name: facts.names[side]}) : say("duel.hand.own");
    const own = side === 0;
    return hand(cards, own ? 3 : 0, label, {
      asked: own && choice.asked,
      open: view.open,
      look,
      state: (at) => ({
        able: own && choice.able({kind: "card", at}),
        chosen: own && choice.chosen({kind: "card", at}),
        hinted: own && choice.hinted({kind: "card", at}),
        fresh: own && view.drawn && at === cards.length - 1,
      }),
      take: (at) => (own ? take({kind: "card", at}, cards[at]) : look(cards[at])),
      hold: (at) => { held = own ? {kind: "card", at} : null; },
    });
  }

  // The events at a thing on the boards.
  function listen(each) {
    const [, side, at] = each.dataset.at.match(/board-(\d)-(-?\d+)/).map(Number);
    each.addEventListener("click", () => clicked({side, at}));
    each.addEventListener("pointerdown", () => { held = side === 0 && at >= 0 ? {kind: "minion", at} : null; });
    each.addEventListener("pointerup", () => drop(targetOf({side, at})));
    each.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      clicked({side, at});
    });
    for (const name of ["pointerenter", "focus"]) each.addEventListener(name, () => hover({side, at}));
    each.addEventListener("pointerleave", () => aim());
  }

  function clicked({side, at}) {
    const target = targetOf({side, at});
    const action = target === null ? undefined : choice.on(target);
    if (action !== undefined) finish(action);
    else if (side === 0 && at >= 0) take({kind: "minion", at}, mine()[at].card);
    else if (at >= 0) look(theirs()[at].card, theirs()[at]);
  }

  // The mouse is let go on a target, or on none but the boards.
  function drop(target) {
    const action = held ? choice.find(held.kind, held.at, target) : undefined;
    if (action === undefined) return;
    held = null;
    finish(action);
  }

  function hover({side, at}) {
    stop = `board-${side}-${at}`;
    const target = targetOf({side, at});
    if (target !== null && choice.on(target) !== undefined) aim(target);
    else if (at >= 0) look((side ? theirs() : mine())[at].card, (side ? theirs() : mine())[at]);
  }

  // Chooses what is to act; a card that needs no target is played when chosen twice.
  function take(source, card) {
    look(card, source.kind === "minion" ? mine()[source.at] : null);
    if (!choice.able(source)) {
      if (choice.asked) deny?.(reason(source, view));
      return;
    }
    if (choice.chosen(source) && choice.on(null) !== undefined) {
      finish(choice.on(null));
      return;
    }
    choice.take(source);
    settle();
  }

  // Draws anew what has been chosen; what the last action did is seen no longer.
  function settle() {
    const standing = (slots) => slots.filter(({dead}) => !dead).map((slot) => ({...slot, fresh: false}));
    view = {...view, strike: null, drawn: false, slots: view.slots.map(standing)};
    draw();
  }

  function look(card, minion = null) {
    info.replaceChildren(...details(card, minion).filter((each) => each));
  }

  // The arrow from what is to act to a target: that given, else that chosen by keys.
  function aim(target = choice.target) {
    const {source} = choice;
    if (!source || target === null) {
      point(drawing, null);
      return;
    }
    const from = {side: 0, slot: source.kind === "minion" ? source.at : -1};
    const to = target === OWN ? {side: 0, slot: -1} : {side: 1, slot: target - 1};
    point(drawing, from, to, weight(source.kind, sourceCard(), mine()[source.at]));
  }

  function ask(question, answer, {refuse = null} = {}) {
    deny = refuse;
    choice.put(question);
    send = answer;
    if (view) draw();
  }

  function finish(action) {
    if (action === undefined || !choice.asked) return;
    const sent = send;
    ask(null);
    sent(action);
  }

  function key(event) {
    if (!view || !heard(event, element)) return false;
    if (walk(element, event)) stop = document.activeElement.dataset.at;
    else if (!choice.asked || !pressed(event)) return false;
    live.textContent = spoken();
    event.preventDefault();
    return true;
  }

  // The effect of a key while a choice is asked for; false if it has none.
  function pressed(event) {
    const letter = event.key.toLowerCase();
    const found = {
      a: () => choice.next(), t: () => choice.turn(event.shiftKey ? -1 : 1), escape: () => choice.clear(),
      p: () => finish(choice.find("power")), e: () => finish(choice.find("end")), enter: () => finish(choice.action),
    }[letter];
    if (digitOf(event) !== null) pick((digitOf(event) + 9) % 10);
    else if (found) found();
    else return false;
    if (choice.asked) settle();
    return true;
  }

  function pick(at) {
    const source = {kind: "card", at};
    if (at >= view.seen.hand.length || choice.chosen(source)) return;
    if (choice.able(source)) choice.take(source);
    else deny?.(reason(source, view));
  }

  // The choice so far, in words.
  function spoken() {
    if (!choice.source) return "";
    const card = title(sourceCard());
    const {target} = choice;
    if (target === null) return card;
    const minion = target > 0 && target !== OWN ? theirs()[target - 1] : null;
    const name = minion ? described(minion) : facts.names[target === OWN ? view.below : 1 - view.below];
    return say("duel.on", {card, name});
  }

  function suggest(actions) {
    choice.hint = actions.length ? read(actions[0]) : null;
    if (view) draw();
  }

  return {element, aside, show, ask, key, suggest, destroy: () => watcher.disconnect()};
}

// A position as it is drawn, with a seat's eyes or all: see `board`. `shown` is the position before.
function seenBy(position, viewer, quick, {facts, shown, before}) {
  const eyes = Object.keys(position.seen);
  const open = viewer === "all" && eyes.length > 1;
  const below = open ? 0 : Number(position.seen[viewer] ? viewer : eyes[0]);
  const seen = position.seen[below];
  const last = position.events.at(-1);
  const same = !last && shown?.ply === position.ply && before.below === below;  // only the end is new
  const slots = staged(position, shown, seen.boards);
  if (quick) for (const slot of slots.flat()) slot.fresh = false;
  return {
    facts, seen, open, below,
    slots: same ? before.slots : [slots[below], slots[1 - below]],
    hands: [seen.hand, open ? position.seen[1].hand : []],
    turn: position.mover < 0 ? null : position.mover,
    strike: same ? before.strike : strike(position, shown, below),
    drawn: !quick && last?.drawer === below && last.card >= 0 && !last.full,
  };
}
