// The form before a game: only what can be chosen together is offered.

const form = document.querySelector(".lobby form");
const players = form.elements.players;
const map = form.elements.map;
const others = [...form.querySelectorAll("[data-other]")];
const rivals = form.querySelector(".rivals");
const place = form.querySelector(".place");
const clock = form.querySelector(".clock");
const second = form.querySelector(".second");
const begins = form.querySelector("[data-by-place]");  // who begins is who has the first place
const each = form.querySelector(".each");
const PEOPLE = ["person", "open", "here"];  // opponents that a clock is for
const NAME = "joute.name";

// Seats beyond the number of players are hidden, and numbers that the map has no room for disabled.
function fit() {
  if (clock) {
    const chosen = [...new FormData(form).entries()].filter(([key]) => key.startsWith("opponent"));
    clock.hidden = !chosen.some(([, value]) => PEOPLE.includes(value));
    second.hidden = !chosen.some(([, value]) => value === "here");
  }
  if (begins) begins.hidden = form.elements.place.value !== "any";
  if (!players) return;
  const most = Number(map?.selectedOptions[0]?.dataset.most ?? players.options[players.length - 1].value);
  for (const option of players.options) {
    option.disabled = most === 1 ? option.value !== "1" : Number(option.value) > most;
  }
  if (players.selectedOptions[0]?.disabled) players.value = String(most);
  const count = Number(players.value);
  for (const other of others) other.hidden = Number(other.dataset.other) >= count - 1;
  rivals.hidden = place.hidden = count === 1;
  if (each) each.hidden = count < 3;
}

form.addEventListener("change", fit);
form.addEventListener("submit", () => {
  try { localStorage[NAME] = form.elements.name.value; } catch { /* a browser that keeps nothing */ }
});
try { form.elements.name.value ||= localStorage[NAME] ?? ""; } catch { /* likewise */ }
fit();
