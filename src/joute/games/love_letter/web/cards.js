// The cards of Love Letter: pictures drawn by us, faces small and large, names and effects.

import {html, lozenge, svg} from "../../js/svg.js";
import {say} from "../../js/words.js";
import {inset, paragraph, picture, pipsAt} from "../../js/boards/cards.js";

export const SPY = 0;
export const GUARD = 1;
export const HANDMAID = 4;
export const CHANCELLOR = 6;
export const PRINCESS = 9;
export const CARDS = 10;

const COPIES = {
  "2019": [2, 6, 2, 2, 2, 2, 2, 1, 1, 1],
  "classic": [0, 5, 2, 2, 2, 2, 0, 1, 1, 1],
};

// By card: paths of 48 x 48 units, each with the class that paints it.
export const PICTURES = [
  [  // spy
    ["ico", "M3 17c7-4 13-3 18 0 2 1 4 1 6 0 5-3 11-4 18 0 0 9-4 15-11 15-5 0-7-5-10-5s-5 5-10 5C7 32 3 26 3 17Z"],
    ["ico-cut", "M10 21q6-3 10 2-6 5-10-2ZM38 21q-6-3-10 2 6 5 10-2Z"],
    ["ico-ln", "M45 18q2 9-3 16M12 38q12 5 24 0"],
  ],
  [  // guard
    ["ico", "M24 4C13 4 9 12 9 22l-2 8 17 14 17-14-2-8C39 12 35 4 24 4Z"],
    ["ico-cutln", "M10 21h28M24 21v20"],
    ["ico-cut", "M13 16h9v2.5h-9ZM26 16h9v2.5h-9ZM16.5 28a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0ZM28.5 28a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0ZM16.5 33a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0ZM28.5 33a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0Z"],
  ],
  [  // priest
    ["ico", "M24 3c5 6 5 9 3 12a4 4 0 0 1-6 0c-2-3 0-6 3-12ZM20 19h8v16h-8Z"],
    ["ico-ln", "M9 36q0 8 8 8h14q8 0 8-8ZM24 15v4M39 36q6-5 2-10"],
  ],
  [  // baron
    ["ico-ln", "M6 5 34 33M42 5 14 33"],
    ["ico", "M5 4l7 2 20 20-4 4L7 10ZM43 4l-7 2-20 20 4 4L41 10Z"],
    ["ico-ln", "M28 38 39 27M20 38 9 27M34 34l8 8M14 34l-8 8"],
    ["ico", "M39.5 42.5a3 3 0 1 0 6 0a3 3 0 1 0 -6 0ZM2.5 42.5a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z"],
  ],
  [  // handmaid
    ["ico", "M24 4 42 9v14c0 11-8 18-18 22C14 41 6 34 6 23V9Z"],
    ["ico-cut", "M24 13l9 11-9 11-9-11Z"],
    ["ico", "M24 19l4.5 5-4.5 5.5-4.5-5.5Z"],
  ],
  [  // prince
    ["ico", "M6 36 4 17l10 8L24 9l10 16 10-8-2 19ZM7 39h34v4H7ZM1 14a3 3 0 1 0 6 0a3 3 0 1 0 -6 0ZM20.8 6a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0ZM41 14a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z"],
    ["ico-cut", "M24 26l4 4.5-4 4.5-4-4.5Z"],
  ],
  [  // chancellor
    ["ico-ln", "M12 8h22q-4 3-4 8v22q0 5 5 5H15q-5 0-5-5v-4h16M12 8q-5 0-5 4t5 4h3v18M34 8q6 0 6 4t-5 4h-5M19 20h7M19 26h7"],
    ["ico", "M36 30l6 7-6 7-6-7Z"],
  ],
  [  // king
    ["ico", "M8 33C4 22 8 14 16 14c4 0 7 2 8 5 1-3 4-5 8-5 8 0 12 8 8 19ZM7 36h34v6H7ZM22.5 2h3v3h3v3h-3v5h-3V8h-3V5h3Z"],
    ["ico-cutln", "M24 19v11M14 20q-3 5 0 10M34 20q3 5 0 10"],
  ],
  [  // countess
    ["ico", "M24 43 3 24C7 10 16 5 24 5s17 5 21 19Z"],
    ["ico-cutln", "M24 38 9 21M24 38 16 12M24 38V9M24 38l8-26M24 38l15-17"],
    ["ico-ln", "M9 25q15-12 30 0"],
    ["ico", "M20.5 42a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0Z"],
  ],
  [  // princess
    ["ico", "M24 4c10 0 15 7 13 15-1 7-7 11-13 11S12 26 11 19C9 11 14 4 24 4Z"],
    ["ico-cutln", "M24 10c-4 0-6 3-5 6s5 4 8 2 2-8-3-8M15 13c-1 8 4 13 10 12M33 12c2 6-1 11-5 13"],
    ["ico-ln", "M24 30v15M24 40q8 0 11-7-8-1-11 7M24 43q-7 0-10-6 7-1 10 6"],
  ],
];

// The name of a card.
export function named(card) {
  return say(`love_letter.card.${card}`);
}

// The effect of a card, in a few words.
export function effect(card) {
  return say(`love_letter.effect.${card}`);
}

// By card, how many a deck has.
export function copies(deck) {
  return COPIES[deck];
}

// A card in front of a player.
export function small(card, label = named(card), name = "") {
  return svg("svg", {class: `small ${name}`, viewBox: "0 0 48 66", role: "img", "aria-label": label},
    svg("rect", {class: "cardface", x: 1, y: 1, width: 46, height: 64, rx: 4}),
    svg("text", {class: "serif", x: 5, y: 19, "font-size": 18}, card),
    inset(PICTURES[card], 9, 24, 30));
}

// A card in the hand: below its effect a lozenge for each copy, filled for those unseen.
export function large(card, seen) {
  const count = copies(seen.deck)[card];
  const middle = 60 - (count - 1) * 5.5;
  return svg("svg", {class: "face", viewBox: "0 0 120 168", role: "img", "aria-label": say("cards.face", {card, name: named(card), effect: effect(card)})},
    svg("rect", {class: "cardface", x: 1.5, y: 1.5, width: 117, height: 165, rx: 7}),
    svg("rect", {class: "cardin", x: 7, y: 7, width: 106, height: 154, rx: 3}),
    svg("path", {class: "acc", d: lozenge(20, 22, 16.5)}),
    svg("text", {class: "m serif on-acc", x: 20, y: 28.5, "font-size": 19}, card),
    inset(PICTURES[card], 38, 9, 50),
    svg("text", {class: "m serif", x: 60, y: 78, "font-size": 17}, named(card)),
    svg("path", {class: "ln2", d: "M38 85H82"}),
    paragraph(effect(card), {x: 60, y: 99, most: 17, step: 13.2, size: 12}),
    pipsAt(seen.unseen[card], count, middle, 153.5, 4));
}

// The same on a narrow screen: a line with the card's effect.
export function slip(card) {
  return html("span", {class: "slip"},
    html("b", {class: "v"}, card), picture(PICTURES[card]),
    html("span", {}, html("b", {}, named(card)), html("small", {}, effect(card))));
}
