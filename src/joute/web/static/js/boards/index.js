// The drawing of each game: `load(name)` gives the module that draws it.
//
// A module exports `keys` (what each key does, for the list under the board), `wide` if it needs the
// width of the page, `seats` if it shows who plays, and `create(facts)`, which makes a board. A board
// draws what a position says and knows no rules; what the player to move may do comes with the
// question. It has
//
//   element                          to be put into the page
//   show(position, {viewer, quick})  draws it; viewer: whose eyes, a seat or "all"; quick: no motion
//   ask(question, answer, {preview}) lights what may be chosen; answer(action) is called once, in a
//                                    `live` question at each turn; ask(null) puts the lights out;
//                                    preview(actions) promises what an unfinished order leads to
//   key(event)                       takes a keydown of the page; whether it was of use
//   suggest(actions)                 marks a hint until the next question
//   learn(positions), destroy()      if it has them: positions that are not shown; the end
//   keys                             likewise, in the place of the module's: those of use on this board

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
