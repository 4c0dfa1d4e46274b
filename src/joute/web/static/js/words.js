// The sentences of scripts, in the language of the page: `say("board.legal", {count: 3})`.
// A deferred script has set them in `jouteWords` before any module runs; a page that is a single file
// holds them in a <script type="application/json" id="words">. Nothing is waited for here: a page
// that has loaded hears its clicks.

const catalog = globalThis.jouteWords ?? JSON.parse(document.getElementById("words").textContent);

export const language = document.documentElement.lang;

// The sentence of that key with its values filled in; the key itself where there is none.
export function say(key, values = {}) {
  return elided(catalog[key] ?? key, values).replace(/\{\{|\}\}|\{(\w+)\}/g, (found, name) =>
    name === undefined ? found[0] : String(values[name] ?? found));
}

// In French, "de Bob" and "d’Alice"; the same rule as in joute.i18n.words.
function elided(text, values) {
  if (language !== "fr") return text;
  return text.replace(/\b([Dd]|[Qq]u)e (?=\{(\w+)\})/g, (found, word, name) =>
    /^[aeiouœæ]/i.test(String(values[name] ?? "").normalize("NFD")) ? `${word}’` : found);
}

// Whether there is a sentence of that key.
export function has(key) {
  return Object.hasOwn(catalog, key);
}

// A key as it is written on keyboards of that language.
export function keyName(key) {
  return has(`key.${key}`) ? say(`key.${key}`) : key;
}

// Actions one after the other, told apart where they are of several words.
export function sequence(actions) {
  return actions.join(actions.some((action) => action.includes(" ")) ? "; " : " ");
}

// A number as it is written in the language of the page.
export function number(value, digits = 0) {
  return value.toLocaleString(language, {minimumFractionDigits: digits, maximumFractionDigits: digits});
}
