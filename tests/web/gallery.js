// Hangs the scene of the page: all its positions are learnt, the last two shown, the last one asked.

const {facts, positions, ask, odds, module, viewer, quick} = JSON.parse(document.getElementById("scene").textContent);
const files = new URL("../", document.querySelector('script[src*="/js/theme.js"]').src).href;
const {load} = await import(`${files}js/boards/index.js`);
const board = (await load(module ?? facts.board)).create(facts);
const answers = [];
const previews = [];

function preview(actions) {
  previews.push(actions);
  return Promise.resolve({legal: true, text: "", odds: odds ?? []});
}

document.getElementById("place").append(board.element, ...(board.aside ? [board.aside] : []));
board.learn?.(positions);
for (const position of positions.slice(-2)) board.show(position, {viewer: viewer ?? 0, quick: quick ?? false});
if (ask) board.ask(ask, (action) => answers.push(action), {preview});
addEventListener("keydown", (event) => board.key(event));
Object.assign(window, {board, facts, positions, answers, previews, hung: true, asked: ask, files});
