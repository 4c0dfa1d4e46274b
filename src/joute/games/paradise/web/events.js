// The events that led to a position of Paradise, on its boards: who struck whom, who died, who is new.

import {printed, title} from "./cards.js";
import {OWN, read} from "./orders.js";

const VICTIM = 16;  // outcome of a shot: the minion it destroys, from 0
const POWER_DAMAGE = 2;

// By player the minions as they are drawn: those that died just now still stand, crossed out, in
// their places. `before` is the position that was shown last; without it nothing is known of deaths.
export function staged(position, before, boards) {
  const event = position.events.at(-1);
  const follows = before && event && before.ply + 1 === position.ply;
  const whole = boards.map((board) => board.map((minion, at) => ({minion, at, dead: false, fresh: false})));
  if (!follows) return whole;
  const dead = fallen(event, before.boards);
  return boards.map((board, player) => line(board, before.boards[player], dead[player]) ?? whole[player]);
}

function line(board, before, dead) {
  if (before.length - dead.length > board.length) return null;  // more died than can be told
  let at = 0;
  const slots = before.map((minion, place) => {
    if (dead.includes(place)) return {minion: {...minion, health: 0}, at: null, dead: true, fresh: false};
    return {minion: board[at], at: at++, dead: false, fresh: false};
  });
  const fresh = board.slice(at).map((minion, extra) => ({minion, at: at + extra, dead: false, fresh: true}));
  return [...slots, ...fresh];
}

// By player, the places of the minions that an event killed: those that fought, or were hit.
function fallen(event, boards) {
  const left = (event.dead ?? []).map(([player, card]) => `${player} ${card}`);
  const found = [[], []];
  for (const [player, place] of involved(event)) {
    const minion = boards[player][place];
    const at = minion ? left.indexOf(`${player} ${minion.card}`) : -1;
    if (at < 0) continue;
    left.splice(at, 1);
    found[player].push(place);
  }
  return found;
}

function involved(event) {
  if (event.shot !== undefined) return [[event.dead?.[0][0] ?? 0, event.action - VICTIM]];
  if (event.player < 0 || event.action === undefined) return [];
  const {kind, at, target} = read(event.action);
  const hit = target > 0 && target !== OWN ? [[1 - event.player, target - 1]] : [];
  return kind === "minion" ? [[event.player, at], ...hit] : hit;
}

// The arrow of an attack, a spell or the power: {from, to, label} with {side, slot} and the slot -1 for
// a hero; null where there is none to draw. Places are those of the boards before.
export function strike(position, before, below) {
  const event = position.events.at(-1);
  if (!event || event.player < 0 || event.action === undefined) return null;
  if (!before || before.ply + 1 !== position.ply) return null;
  const {kind, at, target} = read(event.action);
  const side = (player) => (player === below ? 0 : 1);
  const other = 1 - event.player;
  if (kind === "power") {
    return {from: {side: side(event.player), slot: -1}, to: {side: side(other), slot: -1}, label: POWER_DAMAGE};
  }
  if (target === null) return null;
  const to = target === OWN ? {side: side(event.player), slot: -1} : {side: side(other), slot: target - 1};
  if (kind === "minion") {
    return {from: {side: side(event.player), slot: at}, to, label: before.boards[event.player][at].attack};
  }
  return {from: {side: side(event.player), slot: -1}, to, label: title(event.card)};
}

// The effect of a source on its target, as it stands on the arrow.
export function weight(kind, card, minion) {
  if (kind === "minion") return minion.attack;
  return printed(card).spell ? title(card) : "";
}
