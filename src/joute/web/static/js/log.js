// The events in words: the log beside the board, and the line that is read aloud; below the controls
// a line for all else.

import {html} from "./svg.js";
import {seatMark} from "./sprites.js";

const NUMBER = /^\s*\d+\.\s+/;  // of a ply, before what happened
const KEPT = 400;  // entries

export function makeLog(list, said, heard) {
  let last = -1;  // the number of the last position that was told

  function entry(event) {
    const lines = event.said.map((line) => html("span", {}, line));
    const mark = event.player >= 0 ? seatMark(event.player) : html("span", {"aria-hidden": "true"});
    return html("li", {"data-ply": event.ply}, mark, html("span", {class: "words"}, lines));
  }

  function add(events) {
    const told = events.filter((event) => event.said.length);
    list.append(...told.map(entry));
    while (list.children.length > KEPT) list.firstElementChild.remove();
    list.scrollTop = list.scrollHeight;
  }

  return {
    begin(entries) {
      list.replaceChildren();
      last = -1;
      add(entries);
    },
    // Nothing of it is left on the page.
    clear() {
      list.replaceChildren();
      heard.textContent = said.textContent = "";
    },
    tell(position) {
      if (position.number <= last) return;
      last = position.number;
      add(position.events);
      const lines = position.events.flatMap((event) => event.said).map((line) => line.replace(NUMBER, ""));
      if (lines.length) heard.textContent = lines.slice(-4).join(". ");
      said.textContent = "";
    },
    say(text) {
      said.textContent = text;
    },
  };
}
