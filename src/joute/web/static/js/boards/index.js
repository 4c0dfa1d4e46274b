// Boards: `load(path)` gives the module that draws one, by its path below the static files.
//
// A module exports `keys` (what each key does, for the list under the board), `wide` if it needs the
// width of the page, `seats` if it shows who plays, and `create(facts)`, which makes a board. A board
// draws what a position says and knows no rules; what the player to move may do comes with the
// question. It has
//
//   element                          to be put into the page
//   aside                            if it has one: what explains it, to be put beside it
//   show(position, {viewer, quick})  draws it; viewer: whose eyes, a seat or "all"; quick: no motion
//   ask(question, answer, {preview, refuse})   lights what may be chosen; answer(action) is called once,
//                                    in a `live` question at each turn; ask(null) puts the lights out;
//                                    preview(actions) promises what an unfinished order leads to;
//                                    refuse(text) is called where something is tried that is not
//                                    legal, with the reason
//   key(event)                       takes a keydown of the page; whether it was of use
//   suggest(actions)                 marks a hint until the next question
//   mark(marks)                      if it has it: draws what bots mark, until it is called again
//   roles                            if it has it: by seat what it plays, in a word
//   learn(positions), destroy()      if it has them: positions that are not shown; the end
//   aspect(width, height)            likewise: its width, where its height is 1, in a window of so many
//                                    pixels; the page then makes it as large as is seen whole
//   keys                             likewise, in the place of the module's: those of use on this board

// `facts.board` of a game is that path.
export function load(path) {
  return import(`../../${path}`);
}
