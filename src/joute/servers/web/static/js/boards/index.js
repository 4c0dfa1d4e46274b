// The drawing of each game: `load(name)` gives the module that draws it.
//
// A module exports `create(facts)` and `keys`. A board is {element, show, ask, key, suggest} and, if
// it needs them, {learn, destroy}; it draws what a position says and knows no rules. What the player
// to move may do comes with `ask`.

const DRAWN = {
  "virus": () => import("./virus.js"),
  "tron": () => import("./tron.js"),
  "vampires": () => import("./vampires.js"),
  "love-letter": () => import("./love-letter.js"),
  "paradise": () => import("./paradise.js"),
};

// The module that draws a game; one without a drawing of its own is shown in words.
export function load(game) {
  return (DRAWN[game] ?? (() => import("./plain.js")))();
}
