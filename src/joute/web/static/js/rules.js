// The rules of a game: drawings made by the board's own code, and a dialog that shows the rules over
// any page. A link `data-rules` opens it: with the page that the link names, or with the
// <template> of this page, where the page stands alone.

import {load} from "./boards/index.js";
import {game, unpacked} from "./packed.js";
import {html} from "./svg.js";
import {keyName, say} from "./words.js";

const PACKED = "rulebook-drawings";  // the script that holds the positions in a page that stands alone
const FOCUSED = "a, button, input, select, [tabindex]";
let shown = null;  // the dialog, while it is open

// Draws the positions of a `.rulebook` in the place of their texts.
async function drawn(book) {
  const inside = document.getElementById(PACKED);
  const figures = [...book.querySelectorAll("[data-drawing]")];
  if (!figures.length) return;
  const found = inside ? await unpacked(inside.textContent) : await game(book.dataset.drawings);
  for (const figure of figures) {
    const drawing = found[figure.dataset.drawing];
    if (!drawing) continue;
    const box = await picture(drawing);
    figure.querySelector("pre")?.remove();
    figure.prepend(box);
  }
}

// A board that is only looked at: its caption says what there is to see.
async function picture({facts, position, viewer, ask}) {
  const module = await load(facts.board);
  const board = module.create(facts);
  const box = html("div", {class: "boardbox", inert: "", "aria-hidden": "true"}, board.element);
  board.learn?.([position]);
  board.show(position, {viewer, quick: true});
  if (ask) board.ask(ask, () => {});
  const rest = () => box.querySelectorAll(FOCUSED).forEach((each) => each.setAttribute("tabindex", "-1"));
  rest();
  new MutationObserver(rest).observe(box, {childList: true, subtree: true});  // a board may draw itself anew
  return box;
}

// Opens the rules over the page; the focus comes back when the dialog closes.
export async function open(address) {
  if (shown) return;
  const page = await found(address);
  shown ??= dialog(page);
  if (!shown.open) shown.showModal();
}

async function found(address) {
  const {hash} = new URL(address, location.href);
  const inside = hash && document.querySelector(`template${hash}`);
  if (inside) return document.importNode(inside.content, true);
  const response = await fetch(address);
  if (!response.ok) throw new Error(response.statusText);
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

function dialog(page) {
  const title = page.querySelector("h1").textContent;
  const book = document.adoptNode(page.querySelector(".rulebook"));
  const close = html("button", {class: "btn", type: "submit"}, say("rulebook.close"), html("kbd", {}, keyName("Esc")));
  const body = html("div", {class: "sheetbody", tabindex: 0, autofocus: "", role: "document", "aria-label": title}, book);
  const element = html(
    "dialog", {class: "rulesheet", "aria-labelledby": "rulesheet-title"},
    html("form", {class: "row", method: "dialog"}, html("h2", {id: "rulesheet-title"}, title), close), body);
  element.addEventListener("click", (event) => { if (event.target === element) element.close(); });
  element.addEventListener("close", () => {
    element.remove();
    shown = null;
  });
  document.body.append(element);
  drawn(book).catch((error) => console.error(error));
  return element;
}

// Opens the rules for a key, where the page has a link to them; whether it has.
export function key(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.key.toLowerCase() !== "r") return false;
  const link = document.querySelector("a[data-rules]");
  if (!link) return false;
  event.preventDefault();
  link.click();
  return true;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-rules]");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open(link.href).catch(() => { location.href = link.href; });
});

for (const book of document.querySelectorAll(".rulebook")) drawn(book).catch((error) => console.error(error));
