// The choice of a player of Love Letter: a card of its hand, then on whom, then the name that a Guard
// says; with a Chancellor the card that it keeps, then the order of the others under the deck.

import {seatMark} from "../../js/sprites.js";
import {html} from "../../js/svg.js";
import {say} from "../../js/words.js";
import {picture} from "../../js/boards/cards.js";
import {CARDS, GUARD, PICTURES, PRINCESS, large, named, slip} from "./cards.js";

const PLAYED = 64;  // actions of a card
const NOBODY = 60;  // from here on, without a target
const CHOICE = 640;  // a Chancellor's, of three cards
const SINGLE = 1640;  // of two

// The parts of an action: {card, target, guess}, or {keep, rest}; null where it says nothing.
export function read(action) {
  if (action >= SINGLE) return {keep: Math.floor((action - SINGLE) / 10), rest: [(action - SINGLE) % 10]};
  if (action >= CHOICE) {
    const [keep, ...rest] = String(action - CHOICE).padStart(3, "0").split("").map(Number);
    return {keep, rest};
  }
  const card = Math.floor(action / PLAYED);
  const how = action % PLAYED;
  if (how >= NOBODY) return {card, target: null, guess: null};
  return {card, target: Math.floor(how / 10), guess: card === GUARD ? how % 10 : null};
}

// The legal actions of what has been chosen so far, and what is to be chosen next.
export class Choice {
  constructor(question, seen) {
    this.seen = seen;
    this.options = question.actions.map(([action]) => ({action, ...read(action)}));
    this.keeping = this.options.some(({keep}) => keep !== undefined);
    this.restart();
  }

  // Nothing is chosen but what the rules leave no choice of.
  restart() {
    this.clear();
    const {hand: cards} = this.seen;
    const places = cards.map((_, place) => place).filter((place) => this.playable(place));
    if (new Set(places.map((place) => cards[place])).size === 1) this.take(places[0]);
  }

  clear() {
    this.place = this.target = this.guess = this.order = null;
  }

  // Whether the card at a place of the hand may be played, or kept.
  playable(place) {
    return this.options.some(({card, keep}) => (this.keeping ? keep : card) === this.seen.hand[place]);
  }

  get card() {
    return this.place === null ? null : this.seen.hand[this.place];
  }

  // The options that the card leaves.
  get left() {
    return this.options.filter(({card, keep}) => (this.keeping ? keep : card) === this.card);
  }

  // On whom the card may be played.
  get targets() {
    return [...new Set(this.left.map(({target}) => target).filter((each) => each !== null && each !== undefined))];
  }

  get guessing() {
    return !this.keeping && this.card === GUARD && this.targets.length > 0;
  }

  take(place) {
    if (!this.playable(place)) return;
    this.clear();
    this.place = place;
    if (this.keeping) this.order = 0;
    else if (this.targets.length === 1) this.target = this.targets[0];
  }

  // The action, once all has been chosen.
  get action() {
    if (this.place === null) return null;
    if (this.keeping) return this.left[this.order].action;
    if (this.targets.length && this.target === null) return null;
    if (this.guessing && this.guess === null) return null;
    const chosen = this.left.find(({target, guess}) => target === this.target && guess === this.guess);
    return chosen?.action ?? null;
  }
}

// Why a card of the hand cannot be played.
export function forbidden({seen}) {
  return seen.remarks?.notes.join(" ") || say("cards.refused.card");
}

// The cards of the hand: to be chosen from with a `choice`, else to look at.
export function hand(seen, choice, {hint, fresh, changed}) {
  return seen.hand.map((card, place) => {
    const wanted = hint && (hint.keep ?? hint.card) === card && seen.hand.indexOf(card) === place;
    const classes = ["card", place === fresh && "fresh", wanted && "hinted"].filter((each) => each).join(" ");
    if (!choice) return html("div", {class: classes}, large(card, seen), slip(card));
    const input = radio("card", place, choice.place === place, !choice.playable(place), () => {
      choice.take(place);
      changed();
    });
    return html("label", {class: classes}, input, large(card, seen), slip(card), html("kbd", {"aria-hidden": "true"}, place + 1));
  });
}

function radio(group, value, checked, disabled, chosen) {
  const input = html("input", {
    type: "radio", class: "sr", name: `ll-${group}`, value, "data-at": `${group}-${value}`, disabled,
  });
  input.checked = checked;
  input.addEventListener("change", chosen);
  return input;
}

// The panel beside the hand, with what is still to be chosen and the button that plays it.
export function panel(choice, {facts, hint, changed}) {
  const {seen, card} = choice;
  const notes = choice.keeping ? [] : seen.remarks?.notes ?? [];
  const parts = [html("h2", {}, title(choice, facts.names)), ...notes.map((note) => html("p", {class: "note"}, note))];
  if (choice.targets.length) parts.push(targets(choice, facts, hint, changed));
  if (choice.guessing) parts.push(guesses(choice, hint, changed));
  if (choice.keeping && card !== null) parts.push(orders(choice, changed));
  if (card === PRINCESS && !choice.keeping) parts.push(html("p", {class: "note"}, say("cards.princess")));
  parts.push(html("div", {class: "row between"},
    html("p", {class: "small mute"}, choice.guessing ? say("cards.crossed") : ""),
    html("button", {class: "btn primary", type: "submit", "data-at": "send", disabled: choice.action === null}, sending(choice))));
  return html("div", {class: "choice"}, parts);
}

function title(choice, names) {
  const {card, target} = choice;
  if (choice.keeping) return say("cards.ask.keep");
  if (card === null) return say("cards.ask.card");
  if (!choice.targets.length) return named(card);
  if (target === null) return say("cards.ask.target", {card: named(card)});
  return say(choice.guessing ? "cards.ask.guess" : "cards.on", {card: named(card), name: names[target]});
}

// The choice so far, in words.
export function spoken(choice, names) {
  const {card, target, guess, keeping} = choice;
  if (card === null) return "";
  if (keeping) return `${say("cards.keep", {card: named(card)})}. ${say("cards.order")} ${under(choice.left[choice.order].rest)}`;
  if (target === null) return named(card);
  const values = {card: named(card), name: names[target]};
  return guess === null ? say("cards.on", values) : say("cards.guessed", {...values, guess: named(guess)});
}

const under = (cards) => cards.map(named).join(say("cards.then"));

function sending({card, guess, keeping}) {
  if (card === null) return say(keeping ? "cards.keep.some" : "cards.play");
  if (keeping) return say("cards.keep", {card: named(card)});
  return guess === null ? say("cards.play.card", {card: named(card)}) : say("cards.name", {card: named(guess)});
}

function targets(choice, facts, hint, changed) {
  const {seen} = choice;
  const buttons = facts.names.map((name, player) => {
    const legal = choice.targets.includes(player);
    if (!legal && player === seen.player) return null;
    const input = radio("target", player, choice.target === player, !legal, () => {
      choice.target = player;
      changed();
    });
    const wanted = hint && hint.card === choice.card && hint.target === player ? " hinted" : "";
    const why = legal ? null : say(seen.protected.includes(player) ? "cards.why.protected" : "cards.why.out");
    return html("label", {class: `btn${wanted}`}, input, seatMark(player),
      player === seen.player ? say("cards.yourself") : name, why ? html("small", {}, why) : null);
  });
  return html("fieldset", {class: "targets"}, html("legend", {class: "sr"}, say("cards.target")), buttons);
}

function guesses(choice, hint, changed) {
  const buttons = [...Array(CARDS).keys()].filter((card) => card !== GUARD).map((card) => {
    const input = radio("guess", card, choice.guess === card, false, () => {
      choice.guess = card;
      changed();
    });
    const gone = impossible(choice.seen, choice.target, card);
    const sure = choice.seen.known.some(([holder, held]) => holder === choice.target && held === card);
    const wanted = hint && hint.card === GUARD && hint.guess === card && hint.target === choice.target;
    const classes = [gone && "absent", wanted && "hinted"].filter((each) => each).join(" ");
    const count = choice.seen.unseen[card];
    const why = gone ?? say(sure ? "cards.sure" : "cards.left", {count});
    return html("label", {class: classes, title: why}, input,
      html("span", {class: "sign"}, html("b", {}, card), picture(PICTURES[card]), gone || sure ? null : html("small", {"aria-hidden": "true"}, `×${count}`)),
      html("span", {}, named(card)), html("small", {class: sure ? null : "sr"}, why));
  });
  return html("fieldset", {class: "guess"}, html("legend", {class: "sr"}, say("cards.character")), buttons);
}

// Why a player cannot hold a card, in two words; null if it can.
function impossible(seen, target, card) {
  const sure = seen.known.find(([holder]) => holder === target);
  if (sure) return sure[1] === card ? null : say("cards.not.there");
  if (!seen.unseen[card]) return say("cards.none");
  return target !== null && seen.remarks?.missed[target].includes(card) ? say("cards.not.there") : null;
}

function orders(choice, changed) {
  const buttons = choice.left.map(({rest}, at) => {
    const input = radio("order", at, choice.order === at, false, () => {
      choice.order = at;
      changed();
    });
    return html("label", {class: "btn"}, input, rest.map((card) => picture(PICTURES[card])), under(rest));
  });
  return html("fieldset", {class: "targets"}, html("legend", {class: "small"}, say("cards.order")), buttons);
}
