// The table of Love Letter: the others above, deck and tokens between, the viewer's hand below with
// what it may choose, then the characters and how many of each it has not seen. With all eyes open,
// everybody sits above and every hand is shown.

import {digitOf, html, range} from "../../js/svg.js";
import {say} from "../../js/words.js";
import {heard, picture, pips, refill} from "../../js/boards/cards.js";
import {PICTURES, copies, effect, named} from "./cards.js";
import {Choice, forbidden, hand, panel, read, spoken} from "./choice.js";
import {fan, middle, played, seat} from "./seats.js";

export const wide = true;  // it needs the width of the page
export const seats = true;  // it shows who plays, and whose turn it is

export const keys = [
  [["1", "2", "3"], "cards.keys.card"],
  ["T", "cards.keys.target"],
  ["0–9", "cards.keys.character"],
  ["Enter", "cards.keys.play"],
  ["Esc", "cards.keys.back"],
];

// For how long a position should be looked at before the next one comes, in milliseconds.
export function rest({events}, viewer) {
  const event = events.at(-1);
  if (event?.round_over) return 1800;
  return event && event.player >= 0 && event.player !== viewer ? 500 : 0;
}

export function create(facts) {
  const table = html("div", {class: "whole"});
  const live = html("p", {class: "sr", "aria-live": "polite"});  // what has been chosen by keys
  const element = html("div", {class: "drawn love-letter"}, table, live);
  element.addEventListener("keydown", (event) => {
    if (event.target.type === "radio") key(event);  // pages keep away from fields
  });
  let view = null;  // what is drawn: see `seat`
  let choice = null;
  let send = null;
  let deny = null;  // says why something is not legal
  let hint = null;
  let round = null;  // how the last one ended: {number, text}

  function show(position, {viewer = 0, quick = false} = {}) {
    const seats = Object.keys(position.seen);
    if (!seats.length) return;
    const open = viewer === "all" && seats.length === facts.players;
    const eyes = position.seen[viewer] ?? position.seen[seats[0]];
    const seen = open ? {...eyes, bottom: bottom(position.seen)} : eyes;
    round = ended(position) ?? round;
    view = {
      facts, seen, open,
      hands: open ? seats.map((each) => position.seen[each].hand) : [],
      turn: position.mover < 0 ? null : position.mover,
      ...latest(position, seen, quick),
    };
    hint = null;
    draw();
  }

  function draw() {
    const {seen, open} = view;
    element.classList.toggle("open", open);
    const first = open ? 0 : seen.player + 1;
    const others = range(facts.players - (open ? 0 : 1)).map((at) => (first + at) % facts.players);
    const seats = others.map((player) => seat(player, view, [fan(player, view)]));
    refill(table, [
      html("div", {class: "opps"}, seats), note(), middle(view), open ? null : mine(), open ? null : unseen(seen),
    ]);
    if (choice) light();
  }

  function redraw() {
    if (!view) return;
    view = {...view, fresh: null, drawn: null};
    draw();
  }

  // The viewer's own place.
  function mine() {
    const {seen} = view;
    const inHand = seen.alive.includes(seen.player)
      ? hand(seen, choice, {hint, fresh: view.drawn, changed: redraw})
      : [html("p", {class: "note"}, say("love_letter.hand.out"))];
    const before = html("div", {class: "fan tinyc"}, played(seen.player, view));
    const form = html("form", {class: "mine"},
      html("div", {class: "hand", role: "group", "aria-label": say("love_letter.hand")}, inHand),
      choice ? panel(choice, {facts, hint, changed: redraw}) : null);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      finish();
    });
    return seat(seen.player, view, [before, form]);
  }

  // How the last round ended, until the viewer has played in the next.
  function note() {
    const {seen} = view;
    if (!round || (round.number !== seen.round && round.number !== seen.round - 1)) return null;
    if (round.number !== seen.round && seen.log.length > facts.players) return null;
    return html("p", {class: "note"}, round.text);
  }

  // Seats that may be chosen with the card are lit, and can be clicked.
  function light() {
    for (const player of choice.targets) {
      const place = table.querySelector(`.ll-seat[data-seat="${player}"]`);
      place.classList.add("legal");
      place.classList.toggle("chosen", choice.target === player);
      if (player !== view.seen.player) place.addEventListener("click", () => aim(player));
    }
  }

  // Says why a card or a player cannot be chosen.
  table.addEventListener("click", ({target}) => {
    if (!choice || !deny) return;
    const player = Number(target.closest(".opps .ll-seat")?.dataset.seat ?? -1);
    if (target.closest("label.card")?.querySelector(":disabled")) deny(forbidden(choice));
    else if (player >= 0 && choice.targets.length && !choice.targets.includes(player)) {
      const why = view.seen.protected.includes(player) ? "protected" : "out";
      deny(say(`cards.refused.${why}`, {name: facts.names[player]}));
    }
  });

  function aim(player) {
    choice.target = player;
    redraw();
  }

  function ask(question, answer, {refuse = null} = {}) {
    deny = refuse;
    choice = question && view ? new Choice(question, view.seen) : null;
    send = answer;
    hint = null;
    redraw();
  }

  function finish() {
    const action = choice?.action ?? null;
    if (action === null) return;
    const sent = send;
    round = null;
    ask(null);
    sent(action);
  }

  function key(event) {
    if (!choice || !heard(event, element)) return false;
    const letter = event.key.toLowerCase();
    if (event.key === "Enter") finish();
    else if (event.key === "Escape") choice.restart();
    else if (letter === "t") next();
    else if (digitOf(event) !== null) digit(digitOf(event));
    else return false;
    if (choice) redraw();
    live.textContent = choice ? spoken(choice, facts.names) : "";
    event.preventDefault();
    return true;
  }

  // The next target, or order of what goes under the deck.
  function next() {
    const {targets, left, order, target} = choice;
    if (choice.keeping && choice.place !== null) choice.order = (order + 1) % left.length;
    else if (targets.length) choice.target = targets[(targets.indexOf(target) + 1) % targets.length];
  }

  function digit(number) {
    if (choice.guessing && number !== 1) choice.guess = number;
    else if (!choice.guessing && number >= 1 && number <= view.seen.hand.length) choice.take(number - 1);
  }

  function suggest(actions) {
    hint = actions.length ? read(actions[0]) : null;
    redraw();
  }

  return {element, show, ask, key, suggest};
}

// The changes by the last card: whom it was for, whose it was, and which card of the hand is new.
function latest({events}, {player, hand: cards}, quick) {
  const event = events.at(-1);
  if (!event || event.action === undefined) return {aimed: null, fresh: null, drawn: null};
  if (event.player < 0) return {aimed: null, fresh: null, drawn: quick || event.to !== player ? null : cards.length - 1};
  const {target = null} = read(event.action);
  return {aimed: target, fresh: quick ? null : event.player, drawn: null};
}

// The cards under the deck, each as its owner knows it.
function bottom(seen) {
  return seen[0].bottom.map(([owner], at) => seen[owner].bottom[at]);
}

function ended({events}) {
  const event = events.findLast((each) => each.round_over);
  return event ? {number: event.round_over.round, text: event.said.at(-1)} : null;
}

// The characters: what each does, and how many copies the viewer has not seen.
function unseen(seen) {
  const rows = copies(seen.deck).map((count, card) => count === 0 ? null : html("li", {class: seen.unseen[card] ? null : "none"},
    html("span", {class: "v"}, card), picture(PICTURES[card]),
    html("span", {}, html("b", {}, named(card)), html("small", {}, effect(card))),
    pips(seen.unseen[card], count, say("cards.unseen.count", {left: seen.unseen[card], count}))));
  return html("section", {class: "unseen", "aria-label": say("cards.unseen")},
    html("h2", {}, say("cards.unseen")), html("ul", {class: "ref"}, rows));
}
