// A hand of Paradise, what is written on the card one looks at, and the buttons of a turn.

import {html, svg} from "../svg.js";
import {say} from "../words.js";
import {facts, face, printed, text, title} from "./paradise-cards.js";

// The cards of a hand. `asked`: whether they may be played now; `state(place)` is {able, chosen,
// hinted, fresh}; `take(place)` is called by a click. Cards that cannot be played can be looked at.
export function hand(cards, row, label, {asked, state, take}) {
  const buttons = cards.map((card, place) => {
    const {able, chosen, hinted, fresh} = state(place);
    const classes = [asked && (able ? "can" : "cant"), hinted && "hinted", fresh && "fresh"].filter((each) => each);
    const button = html("button", {
      class: classes.join(" "), type: "button", "aria-pressed": chosen, "data-row": row, "data-at": `card-${row}-${place}`,
      "data-card": card, "aria-label": named(card, able), tabindex: -1,
    }, face(card), asked && place < 10 ? html("kbd", {"aria-hidden": "true"}, (place + 1) % 10) : null);
    button.addEventListener("click", () => take(place));
    return button;
  });
  return html("div", {class: "duelhand", role: "group", "aria-label": label}, buttons);
}

function named(card, able) {
  const parts = [title(card), facts(card), text(card), able ? say("duel.playable") : ""];
  return parts.filter((each) => each).join(", ");
}

// What is written on a card, and what others add to a minion.
export function details(card, minion = null) {
  if (card === null) return [html("p", {class: "mute small"}, say("duel.look"))];
  const {attack, spell} = printed(card);
  const added = minion?.bonus ? say("duel.bonus", {attack: minion.attack, own: minion.attack - minion.bonus, bonus: minion.bonus}) : "";
  const grown = !spell && minion && minion.attack - minion.bonus !== attack ? say("duel.grown", {attack, own: minion.attack - minion.bonus}) : "";
  return [
    html("h3", {}, title(card), html("span", {class: "mute small"}, ` ${facts(card)}`)),
    text(card) ? html("p", {class: "small"}, text(card)) : null,
    added || grown ? html("p", {class: "small mute"}, [grown, added].filter((each) => each).join(" ")) : null,
  ];
}

// A warning that a hero can be killed: the viewer's other, or his own.
export function alarm(remarks) {
  const {lethal, danger} = remarks ?? {};
  if (!lethal && !danger) return null;
  const sign = svg("svg", {viewBox: "0 0 24 24", "aria-hidden": "true"},
    svg("path", {class: "acc", d: "M12 1 23 12 12 23 1 12Z"}), svg("path", {class: "exclaim", d: "M12 6v8M12 17v.5"}));
  return html("div", {class: lethal ? "alarm" : "alarm mild", role: "status"}, sign,
    html("div", {}, html("b", {}, say(lethal ? "duel.lethal" : "duel.danger")), html("span", {class: "small"}, lethal ?? danger)));
}
