// The two boards of Paradise: heroes, minions, and the arrow of an attack.

import {frame, lozenge, svg} from "../../js/svg.js";
import {say} from "../../js/words.js";
import {broken, inset} from "../../js/boards/cards.js";
import {COBRA, PICTURES, printed, title} from "./cards.js";
import {arrow, places} from "./places.js";

const TINCTURES = ["az", "orr"];
const SHIELD = "M10 2H130V84C130 118 100 136 70 148 40 136 10 118 10 84Z";
const HELM = "M70 18C46 18 38 36 38 56L33 72 70 104 107 72 102 56C102 36 94 18 70 18Z";
const ESCUTCHEON = "M8 4H104V66C104 96 80 110 56 120 32 110 8 96 8 66Z";
const MOST = 7;  // minions of a player
const LETTER = 0.56;  // the width of a letter, of its height

// The drawing. `view` is {seen, facts, below, slots, turn, strike}: what is observed, the seat below,
// by side the minions as they stand ({minion, at, dead, fresh}; `at` is their number, from 0), whose
// turn it is, and the last attack ({from, to, label}). `mark(item)` gives the classes of a thing:
// {side, at} with -1 for a hero.
export function board(view, tall, mark) {
  const all = places(tall, view.slots.map((side) => side.length));
  const sides = [1, 0].map((side) => [
    hero(view, side, all, mark),
    view.slots[side].map((slot, at) => minion(view, side, slot, all.spots[side][at], all.type, mark)),
  ]);
  const drawn = svg("svg", {
    class: "board", viewBox: `0 0 ${all.width} ${all.height}`, role: "group", "aria-label": say("duel.boards"),
  },
  svg("rect", {class: "bfield", x: 8, y: 8, width: all.width - 16, height: all.height - 16}),
  svg("path", {class: "edge", d: `M8 ${all.line}H${all.width - 8}`, "stroke-width": 1.2, "stroke-dasharray": "2 6"}),
  frame(8, 8, all.width - 16, all.height - 16),
  sides.flat(2),
  view.strike ? strike(all, view.strike) : null,
  svg("g", {class: "aiming"}));
  drawn.places = all;
  return drawn;
}

// Draws the arrow from a source to a target over a board, or none.
export function point(drawn, from, to, label) {
  const layer = drawn.querySelector(".aiming");
  layer.replaceChildren(...(from ? [arrow(drawn.places, from, to, figure(label))] : []));
}

function strike(all, {from, to, label}) {
  return arrow(all, from, to, figure(label), "past");
}

// The label of an arrow: a number in a lozenge, or a card's name.
function figure(label) {
  if (typeof label === "string") return [svg("text", {class: "m serif striking", y: 6, "font-size": 17}, label)];
  return [
    svg("path", {class: "acc", d: lozenge(0, 0, 21)}),
    svg("text", {class: "m serif on-acc", y: 6.5, "font-size": 18}, label),
  ];
}

function hero(view, side, all, mark) {
  const seat = side ? 1 - view.below : view.below;
  const {health} = view.seen;
  const name = view.facts.names[seat];
  const label = say("duel.hero", {name, health: health[seat], text: stock(view.seen, seat).join(", ")});
  const {x, y, scale, health: disc, texts} = all.heroes[side];
  const turn = seat === view.turn;
  const words = [[turn ? `◆ ${name}` : name, "serif", 1.25 * all.type], ...stock(view.seen, seat).map((line) => [line, "ink2", all.type])];
  return [
    svg("g", item(side, -1, label, mark),
      svg("g", {transform: `translate(${x} ${y}) scale(${scale})`},
        svg("path", {class: TINCTURES[seat], d: SHIELD}),
        svg("path", {fill: `url(#h${seat})`, d: SHIELD}),
        svg("path", {class: "helm", d: HELM}),
        svg("path", {class: "ln", d: "M39 54H101M70 54V102", "stroke-width": 3}),
        svg("path", {class: "ink", d: "M46 42H65V48H46ZM75 42H94V48H75ZM70 18C66 4 84-8 98 0 88 2 82 8 84 18Z"}),
        svg("path", {class: "outline", d: SHIELD}),
        svg("path", {class: "aim", d: lozenge(70, 2, 12)})),
      svg("circle", {class: "hp", cx: disc.x, cy: disc.y, r: disc.r}),
      svg("text", {class: "stat", x: disc.x, y: disc.y + 6.5, "font-size": 20}, health[seat])),
    svg("g", {class: "herotext", "aria-hidden": "true"}, words.map(([line, kind, size], at) => svg("text", {
      class: `${kind} ${texts[at].anchor}`, x: texts[at].x, y: texts[at].y, "font-size": size,
    }, line))),
  ];
}

// The means of a player, in two short lines: cards, and deck or fatigue; mana.
function stock(seen, seat) {
  const hand = say(seen.hand_size[seat] === 1 ? "duel.hand.one" : "duel.hand", {count: seen.hand_size[seat]});
  const deck = seen.fatigue[seat] ? say("duel.fatigue", {damage: seen.fatigue[seat]}) : say("duel.deck", {count: seen.deck_size[seat]});
  return [`${hand} · ${deck}`, say("duel.mana", {mana: seen.mana[seat], most: seen.max_mana[seat]})];
}

function minion(view, side, {minion: each, at, dead, fresh}, place, type, mark) {
  const {x, y, scale} = place;
  const asleep = !each.turns && !each.charge;
  const states = [asleep && "asleep", each.attacked && "used", dead && "dead", fresh && "fresh"];
  const attributes = dead ? {class: "cell"} : item(side, at, described(each), mark);
  attributes.class += ` minion ${states.filter((state) => state).join(" ")}`;
  const wounded = each.health < each.max_health ? " wounded" : "";
  const raised = each.bonus > 0 ? " raised" : "";
  return svg("g", {}, svg("g", attributes, svg("g", {transform: `translate(${x} ${y}) scale(${scale})`},
    svg("path", {class: "mfield", d: ESCUTCHEON}),
    inset(PICTURES[each.card], 26, 14, 60),
    each.charge ? svg("path", {class: "haste", d: "M50 4l6-7 6 7M50 -3l6-7 6 7"}) : null,
    svg("path", {class: "atk", d: lozenge(16, 103, 19)}),
    svg("text", {class: `stat${raised}`, x: 16, y: 110}, each.attack),
    svg("circle", {class: "hp", cx: 96, cy: 103, r: 16.5}),
    svg("text", {class: `stat${wounded}`, x: 96, y: 110}, each.health),
    dead ? svg("path", {class: "cross", d: "M26 24L86 90M86 24L26 90"}) : svg("path", {class: "aim", d: lozenge(56, 4, 10)})),
  lettered(title(each.card), place, type)));
}

// The name below a minion, in lines that fit its pitch; nothing where there is no room for any.
function lettered(name, {x, y, scale, pitch, step}, type) {
  if (!step) return null;
  return broken(name, Math.floor((pitch - 4) / (LETTER * type))).map((line, at) => svg("text", {
    class: "mname", x: x + 56 * scale, y: y + 120 * scale + 13 + at * step, "font-size": type,
  }, line));
}

// A minion in words.
export function described(each) {
  const states = [
    each.health < each.max_health && say("duel.wounded", {health: each.max_health}),
    each.card === COBRA && say("duel.poison"),
    each.charge && say("duel.charge"),
    !each.turns && !each.charge && say("duel.asleep"),
    each.attacked && say("duel.used"),
  ].filter((state) => state);
  return [say("duel.minion", {name: title(each.card), attack: each.attack, health: each.health}), ...states].join(", ");
}

// Why a card of the viewer's hand cannot be played, or why a minion of theirs cannot attack.
export function reason({kind, at}, {seen, below}) {
  if (kind === "minion") {
    const {card, attacked} = seen.boards[below][at];
    return say(attacked ? "play.paradise.attacked" : "play.paradise.asleep", {card: title(card)});
  }
  const card = seen.hand[at];
  const {cost, spell} = printed(card);
  const mana = seen.mana[below];
  if (cost > mana) return say("play.paradise.cost", {card: title(card), cost, mana});
  if (!spell || seen.boards[below].length >= MOST) return say("play.paradise.full", {most: MOST});
  return say("play.paradise.no_prey", {card: title(card)});
}

function item(side, at, label, mark) {
  return {
    class: `cell ${mark({side, at})}`, role: "button", "aria-label": label, "data-at": `board-${side}-${at}`,
    "data-row": side ? 1 : 2, tabindex: -1,
  };
}
