// The cards of Paradise: pictures drawn by us, what is printed on them, names and texts.

import {html, lozenge, svg} from "../../js/svg.js";
import {has, say} from "../../js/words.js";
import {picture} from "../../js/boards/cards.js";

// By card: [cost, attack, health], of a spell the cost alone. 16 and 17 are tokens.
const PRINTED = [
  [1, 1, 3], [3, 2, 3], [3], [1], [1, 1, 1], [5, 2, 5], [4, 2, 7], [1, 1, 1], [2, 3, 2],
  [4], [10, 7, 14], [2, 2, 2], [3], [3], [6, 6, 5], [2, 2, 2], [2, 2, 2], [1, 1, 1],
];
export const COBRA = 1;

// By card: paths of 48 x 48 units, each with the class that paints it.
export const PICTURES = [
  [  // 0
    ["ico", "M5 41C5 23 12 12 24 12c8 0 13 4 16 9l6 4q1 4-3 5h-4q3 6 2 11Z"],
    ["ico-cut", "M30.1 22a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0 -3.8 0Z"],
    ["ico-cutln", "M38 29l-6 2M39 33l-7 1M12 41q1-6 6-6M22 41q1-5 5-5"],
  ],
  [  // 1
    ["ico", "M24 3c9 0 13 7 12 14-1 6-4 8-5 12 4 1 10 3 10 8 0 6-9 8-17 8S7 43 7 37c0-5 6-7 10-8-1-4-4-6-5-12C11 10 15 3 24 3Z"],
    ["ico-cutln", "M19 12v2M29 12v2M24 18v4l-2 4M24 22l2 4M14 37q10-5 20 0"],
  ],
  [  // 2
    ["ico", "M24 4C12 4 6 12 6 21c0 6 3 10 7 12v10h22V33c4-2 7-6 7-12C42 12 36 4 24 4Z"],
    ["ico-cut", "M16 16l5.5 6-5.5 6-5.5-6ZM32 16l5.5 6-5.5 6-5.5-6ZM24 27l3 6h-6Z"],
    ["ico-cutln", "M19 37v6M24 37v6M29 37v6"],
  ],
  [  // 3
    ["ico-ln", "M5 43 36 12M10 43H5v-5M14 38l-6-6M19 33l-6-6"],
    ["ico", "M29 6 45 3 42 19Z"],
    ["ico-ln", "M30 30l5 5M36 26l6 2M26 36l2 6"],
  ],
  [  // 4
    ["ico", "M24 4c8 0 13 6 13 14l-1 5-5 4-7-4-7 4-5-4-1-5C11 10 16 4 24 4Z"],
    ["ico-cut", "M16.6 15a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0 -3.8 0ZM27.6 15a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0 -3.8 0ZM20.5 19h7l-3.5 4.5Z"],
    ["ico", "M7 27l5.5 4.5 5.5-4.5 6 5 6-5 5.5 4.5L41 27c0 11-6 18-17 18S7 38 7 27Z"],
  ],
  [  // 5
    ["ico", "M3 5q3 9 8 11l4-6 4 5q6-3 12-2l3-6 4 7q8 6 8 20l-3 9H29l-4-8q-8 3-13 0-6-3-6-9 0-5 2-8-5-4-5-13Z"],
    ["ico-cut", "M19 22a2 2 0 1 0 4 0a2 2 0 1 0 -4 0Z"],
    ["ico-cutln", "M10 30q3 1 5 0M33 20q3 4 3 9"],
  ],
  [  // 6
    ["ico", "M4 31C5 17 14 9 24 9s17 7 19 18q3 0 3 4t-5 4H8q-4 0-4-4Z"],
    ["ico-cutln", "M10 29h28M16 29l4-11h8l4 11M20 18l-4-5M28 18l3-5"],
    ["ico", "M9 36h7v6H9ZM30 36h7v6h-7Z"],
  ],
  [  // 7
    ["ico", "M6 6l10 7q8-3 16 0l10-7-2 17-5 8-6 4-5 9-5-9-6-4-5-8Z"],
    ["ico-cut", "M13 22l7 2-4 3ZM35 22l-7 2 4 3ZM21 37h6l-3 4Z"],
  ],
  [  // 8
    ["ico", "M3 14 20 5l16 4 8 10-4 3-14-2 12 6-6 3-10-3 2 8-6 11H8l8-12-4-9Z"],
    ["ico-cut", "M23 12.5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0Z"],
  ],
  [  // 9
    ["ico", "M24 3c2 8 14 13 14 26a14 14 0 0 1-28 0c0-6 3-9 5-12 1 4 3 5 4 5 1-7 1-13 5-19Z"],
    ["ico-cut", "M24 24c1 5 6 6 6 11a6 6 0 0 1-12 0c0-4 4-6 6-11Z"],
  ],
  [  // 10
    ["ico", "M2 41q2-17 15-19c8-1 10-6 10-11 0-6 5-9 10-8l8 6-2 4-7-1c-1 9-1 14-3 18l2 11h-6l-2-8H17l-2 8H9l-1-7Z"],
    ["ico-cut", "M34.5 7a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0Z"],
  ],
  [  // 11
    ["ico", "M7 5q9 0 11 8h12q2-8 11-8 2 9-4 14l1 8-6 6-2 9-6 4-6-4-2-9-6-6 1-8Q5 14 7 5Z"],
    ["ico-cut", "M14 21l7 2-4 3.5ZM34 21l-7 2 4 3.5ZM21 36h6l-3 3.5Z"],
    ["ico-cutln", "M21 12l3 4 3-4M19 31q5 3 10 0"],
  ],
  [  // 12
    ["ico-ln", "M24 4v9M24 35v9M4 24h9M35 24h9M10 24a14 14 0 1 0 28 0a14 14 0 1 0 -28 0Z"],
    ["ico", "M24 15l8 9-8 9-8-9Z"],
  ],
  [  // 13
    ["ico", "M24 24c7 0 13 7 13 13 0 4-3 6-6 6s-4-2-7-2-4 2-7 2-6-2-6-6c0-6 6-13 13-13ZM3.9 23a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0 -9.2 0ZM12.8 12a5.2 5.2 0 1 0 10.4 0a5.2 5.2 0 1 0 -10.4 0ZM24.8 12a5.2 5.2 0 1 0 10.4 0a5.2 5.2 0 1 0 -10.4 0ZM34.9 23a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0 -9.2 0Z"],
  ],
  [  // 14
    ["ico", "M24 2l6 4 8-1 1 8 6 5-3 7 2 7-7 4-3 7h-7l-3 3-3-3h-7l-3-7-7-4 2-7-3-7 6-5 1-8 8 1Z"],
    ["ico-cut", "M15 15q9-5 18 0v9q-2 11-9 14-7-3-9-14Z"],
    ["ico", "M17 20h5v3h-4ZM31 20h-5v3h4ZM20 29h8l-4 4Z"],
  ],
  [  // 15
    ["ico", "M4 4l11 9q9-4 18 0L44 4l-1 20-6 9-7 3-6 9-6-9-7-3-6-9Z"],
    ["ico-cut", "M12 21l9 3-5 4ZM36 21l-9 3 5 4Z"],
    ["ico-cutln", "M20 36l4 4 4-4M24 13v8"],
  ],
  [  // 16
    ["ico", "M12 7a6 6 0 0 1 7 4q5-2 10 0a6 6 0 1 1 8 9q3 4 3 9c0 9-7 15-16 15S8 38 8 29q0-5 3-9a6.5 6.5 0 0 1 1-13Z"],
    ["ico-cut", "M15.5 25a2 2 0 1 0 4 0a2 2 0 1 0 -4 0ZM28.5 25a2 2 0 1 0 4 0a2 2 0 1 0 -4 0ZM20.5 31h7L24 35Z"],
    ["ico-cutln", "M24 35v3M24 38q-3 2-6 0M24 38q3 2 6 0"],
  ],
  [  // 17
    ["ico", "M15 8h18l5 3 7 15-6 5-5-6-1 10-5 10h-8l-5-10-1-10-5 6-6-5 7-15Z"],
    ["ico-cut", "M17 20a2 2 0 1 0 4 0a2 2 0 1 0 -4 0ZM27 20a2 2 0 1 0 4 0a2 2 0 1 0 -4 0ZM20 36h8l-4 4.5Z"],
    ["ico-cutln", "M24 26v6"],
  ],
];

export function printed(card) {
  const [cost, attack = null, health = null] = PRINTED[card];
  return {cost, attack, health, spell: health === null};
}

const part = (card, at) => say(`play.paradise.card.${card}`).split("|")[at].trim();

// The name of a card.
export function title(card) {
  return part(card, 1);
}

// The text on a card; nothing on some.
export function text(card) {
  return part(card, 2);
}

// The facts printed on a card, in a line: cost, and attack and health or that it is a spell.
export function facts(card) {
  const {cost, attack, health, spell} = printed(card);
  return say(spell ? "duel.spell.facts" : "duel.minion.facts", {cost, attack, health});
}

// A card of a hand; `whole` with its text.
export function face(card, whole) {
  const {cost, attack, health, spell} = printed(card);
  const stats = spell ? html("span", {class: "kind"}, say("duel.spell")) : [figure("atk", attack), figure("hp", health)];
  return html("span", {class: whole ? "pcard whole" : "pcard", "aria-hidden": "true"},
    html("span", {class: "ptop"}, figure("cost", cost), picture(PICTURES[card])),
    html("b", {}, hyphened(title(card))),
    whole ? html("span", {class: "ptext"}, short(card)) : null,
    html("span", {class: "pstats"}, stats));
}

// A name whose long words may be broken where a syllable begins.
function hyphened(name) {
  return name.replace(/\p{L}{9,}/gu, (word) => word.replace(/(\p{L}{2}[aeiouyéèê])(?=[^aeiouyéèê][aeiouyéèê]\p{L})/gu, "$1\u00ad"));
}

// A number in a lozenge (cost, attack) or a disc (health).
function figure(kind, value) {
  const shape = kind === "hp" ? svg("circle", {class: "hp", cx: 15, cy: 15, r: 13.5}) : svg("path", {class: kind === "atk" ? "atk" : "manafill", d: lozenge(15, 15, 14.5)});
  return svg("svg", {viewBox: "0 0 30 30"}, shape, svg("text", {class: kind === "cost" ? "m serif on" : "m serif", x: 15, y: 21, "font-size": 18}, value));
}

// A text that fits on a card; nothing where there is none.
function short(card) {
  const key = `duel.card.${card}`;
  return has(key) ? say(key) : "";
}
