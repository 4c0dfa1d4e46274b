// A hand of Paradise, what is written on the card one looks at, and the buttons of a turn.

import {html, range, svg} from "../../js/svg.js";
import {say} from "../../js/words.js";
import {facts, face, printed, text, title} from "./cards.js";

const ROOMY = 6;  // cards that are shown whole

// The cards of a hand. `asked`: whether they may be played now; `state(place)` is {able, chosen,
// hinted, fresh}; `take(place)` is called by a click, `hold(place)` when the mouse is pressed. Cards
// that cannot be played can be looked at, `look(card)`. Many cards, and hands laid `open`, are shown small.
export function hand(cards, row, label, {asked, open, state, take, hold, look}) {
  const whole = cards.length <= ROOMY && !open;
  const buttons = cards.map((card, place) => {
    const {able, chosen, hinted, fresh} = state(place);
    const classes = [asked && (able ? "can" : "cant"), hinted && "hinted", fresh && "fresh"].filter((each) => each);
    const button = html("button", {
      class: classes.join(" "), type: "button", "aria-pressed": chosen, "data-row": row, "data-at": `card-${row}-${place}`,
      "data-card": card, "aria-label": named(card, able), tabindex: -1,
    }, face(card, whole), asked && place < 10 ? key((place + 1) % 10) : null);
    button.addEventListener("click", () => take(place));
    button.addEventListener("pointerdown", () => hold(place));
    for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => look(card));
    return button;
  });
  return html("div", {class: whole ? "duelhand" : open ? "duelhand many open" : "duelhand many", role: "group", "aria-label": label}, buttons);
}

function named(card, able) {
  const parts = [title(card), facts(card), text(card), able ? say("duel.playable") : ""];
  return parts.filter((each) => each).join(", ");
}

// The text on a card, and what others add to a minion.
export function details(card, minion = null) {
  if (card === null) return [html("p", {class: "mute small"}, say("duel.look"))];
  const {attack, spell} = printed(card);
  const added = minion?.bonus ? say("duel.bonus", {attack: minion.attack, own: minion.attack - minion.bonus, bonus: minion.bonus}) : "";
  const grown = !spell && minion && minion.attack - minion.bonus !== attack ? say("duel.grown", {attack, own: minion.attack - minion.bonus}) : "";
  return [
    html("h2", {}, title(card), html("span", {class: "mute small"}, ` ${facts(card)}`)),
    text(card) ? html("p", {class: "small"}, text(card)) : null,
    added || grown ? html("p", {class: "small mute"}, [grown, added].filter((each) => each).join(" ")) : null,
  ];
}

// The power in words.
export function power() {
  return [html("h2", {}, say("duel.power")), html("p", {class: "small"}, say("duel.power.text"))];
}

// The mana of a player, and what it may do besides minions and cards; `press` gets the action, `explain`
// is called when one looks at the power.
export function turn(seen, seat, choice, press, explain) {
  const playing = choice.source?.kind === "card" && choice.on(null) !== undefined;
  const price = say(seen.power_used[seat] ? "duel.power.used" : "duel.power.cost");
  const buttons = [
    playing ? button("play", choice.on(null), "primary", press) : null,
    button("power", choice.find("power"), choice.hint?.kind === "power" && "hinted", press, html("small", {class: "mute"}, price), key("P")),
    button("end", choice.find("end"), choice.hint?.kind === "end" ? "hinted" : !playing && "primary", press, key("E")),
  ];
  for (const name of ["pointerenter", "focus"]) buttons[1].addEventListener(name, explain);
  return html("div", {class: "row between"}, mana(seen, seat), choice.asked ? html("span", {class: "row"}, buttons) : null);
}

function button(name, action, kind, press, ...more) {
  const attributes = {class: kind ? `btn ${kind}` : "btn", type: "button", "data-at": name, disabled: action === undefined};
  const made = html("button", attributes, say(`duel.${name}`), more);
  made.addEventListener("click", () => press(action));
  return made;
}

const key = (name) => html("kbd", {"aria-hidden": "true"}, name);

// Lozenges: to spend, spent, not yet.
function mana(seen, seat) {
  const [now, most] = [seen.mana[seat], seen.max_mana[seat]];
  const lozenges = range(10).map((at) => svg("path", {
    class: at < now ? "manafill" : at < most ? "manaspent" : "manalater", d: `M${8.5 + 17 * at} 1l7 9-7 9-7-9Z`,
  }));
  const label = say("duel.mana.label", {mana: now, most});
  return html("span", {class: "row small"}, html("span", {class: "nowrap", "aria-hidden": "true"}, say("duel.mana", {mana: now, most})),
    svg("svg", {class: "mana", viewBox: "0 0 170 20", role: "img", "aria-label": label}, lozenges));
}

// A warning that a hero can be killed: the opponent's, or the viewer's own.
export function alarm(remarks) {
  const {lethal, danger} = remarks ?? {};
  if (!lethal && !danger) return null;
  const sign = svg("svg", {viewBox: "0 0 24 24", "aria-hidden": "true"},
    svg("path", {class: "acc", d: "M12 1 23 12 12 23 1 12Z"}), svg("path", {class: "exclaim", d: "M12 6v8M12 17v.5"}));
  return html("div", {class: lethal ? "alarm" : "alarm mild", role: "status"}, sign,
    html("div", {}, lethal ? html("b", {}, say("duel.lethal")) : null, html("span", {class: "small"}, lethal ?? danger)));
}
