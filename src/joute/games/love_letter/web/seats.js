// The seats at a table of Love Letter: tokens, hand, cards in front of each, what is known of it.

import {seatMark} from "../../js/sprites.js";
import {html, range} from "../../js/svg.js";
import {say} from "../../js/words.js";
import {back, badge, pips} from "../../js/boards/cards.js";
import {CHANCELLOR, HANDMAID, PICTURES, SPY, named, small} from "./cards.js";

const MOST_PIPS = 7;  // more tokens than that are written as a number

// A player as the viewer sees it. `view` is {facts, seen, open, turn, aimed, fresh}: what the viewer
// observes; whether all hands are open (then `view.hands` has them); the player whose turn it is, the
// one that was last chosen, and the one whose last card is new.
export function seat(player, view, children = []) {
  const {seen} = view;
  const states = [
    player === view.turn && "turn", seen.protected.includes(player) && "safe",
    !seen.alive.includes(player) && "out", player === view.aimed && "aimed",
  ];
  return html("section", {
    class: ["ll-seat", ...states.filter((each) => each)].join(" "), "data-seat": player,
    "aria-label": view.facts.names[player],
  }, line(player, view), ...children, marks(player, view));
}

// Charge, name and tokens.
export function line(player, {facts, seen, open}) {
  const you = !open && player === seen.player;
  return html("div", {class: "ll-line stiff"},
    html("span", {class: "who"}, seatMark(player),
      html("span", {class: "name"}, facts.names[player]),
      you ? html("span", {class: "mute small"}, say("cards.you")) : null),
    tokens(player, seen));
}

function tokens(player, seen) {
  const [mine, goal] = [seen.points[player], seen.tokens];
  if (goal === 1) return null;
  const label = say("cards.tokens", {count: mine, goal});
  if (goal > MOST_PIPS) return html("span", {class: "small nowrap"}, label);
  const drawn = pips(mine, goal, label, 7);
  drawn.classList.add("tokens");
  return drawn;
}

// The hand of another player, as far as it is known, then the cards in front of it.
export function fan(player, view) {
  return html("div", {class: "fan"}, held(player, view), played(player, view));
}

function held(player, view) {
  const {seen} = view;
  if (!seen.alive.includes(player)) return [];
  if (view.open) return view.hands[player].map((card) => small(card, say("cards.holds", {card: named(card)}), "held"));
  const known = seen.known.filter(([holder]) => holder === player).map(([, card]) => card);
  const count = seen.to_move === player ? 2 : 1;
  return [
    ...known.map((card) => small(card, say("cards.known", {card: named(card)}), "secret")),
    ...range(count - known.length).map(() => back(say("cards.hidden"))),
  ];
}

// The cards in front of a player, in order; those that it did not play lie askew.
export function played(player, view) {
  const entries = view.seen.log.filter((each) => each.player === player);
  if (!entries.length) return [];
  const cards = entries.map((entry, at) => {
    const fresh = player === view.fresh && at === entries.length - 1 ? " fresh" : "";
    return small(entry.card, label(entry, view.facts.names), (entry.played ? "" : "cast") + fresh);
  });
  return [html("i", {class: "sep"}), cards];
}

function label({card, played, target, guess}, names) {
  const values = {card: named(card), name: names[target]};
  if (!played) return say("cards.discarded", values);
  if (target === null) return named(card);
  return guess === null ? say("cards.on", values) : say("cards.guessed", {...values, guess: named(guess)});
}

function marks(player, {seen, open}) {
  const found = [];
  if (!seen.alive.includes(player)) found.push(badge(null, say("love_letter.out")));
  if (seen.protected.includes(player)) found.push(badge(PICTURES[HANDMAID], say("cards.protected")));
  if (seen.spies.includes(player) && seen.alive.includes(player)) found.push(badge(PICTURES[SPY], say("cards.spy")));
  if (!open) found.push(...secrets(player, seen));
  return found.length ? html("div", {class: "know"}, found) : null;
}

// The facts that only the viewer knows, and those that follow from them.
function secrets(player, seen) {
  const known = seen.known.filter(([holder]) => holder === player).map(([, card]) =>
    badge(PICTURES[card], say("cards.saw", {card: named(card)}), {secret: true}));
  const missed = seen.alive.includes(player) ? seen.remarks?.missed[player] ?? [] : [];
  return [...known, ...missed.map((card) => badge(PICTURES[card], say("cards.not", {card: named(card)})))];
}

// The deck, the card set aside, the open cards, and what wins the game.
export function middle({facts, seen, open}) {
  return html("div", {class: "mid"},
    html("figure", {}, back(say("cards.deck")), html("figcaption", {},
      html("b", {}, seen.deck_size), say(seen.deck_size === 1 ? "cards.draw.one" : "cards.draw"), bottom(seen, facts.names, open))),
    html("figure", {}, back(say("cards.aside")), html("figcaption", {}, html("b", {}, "1"), say("cards.aside"))),
    seen.face_up.length
      ? html("figure", {}, html("span", {class: "fan"}, seen.face_up.map((card) => small(card))),
        html("figcaption", {}, say("cards.face_up")))
      : null,
    html("figure", {}, html("figcaption", {}, goal(seen))));
}

function goal(seen) {
  const round = say("love_letter.head.round", {round: seen.round});
  return [html("b", {}, round), say(seen.tokens === 1 ? "love_letter.head.single" : "love_letter.head.goal", {tokens: seen.tokens})];
}

// Whose cards lie under the deck, and those that the viewer put there.
function bottom(seen, names, open) {
  if (!seen.bottom.length) return null;
  const cards = seen.bottom.map(([owner, card]) => badge(
    PICTURES[card ?? CHANCELLOR],
    say(card === null ? "cards.bottom.some" : "cards.bottom.one", {name: names[owner], card: card === null ? "" : named(card)}),
    {secret: card !== null && !open},
  ));
  return html("span", {class: "know"}, html("span", {class: "tiny"}, say("cards.bottom")), cards);
}
