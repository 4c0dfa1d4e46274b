// The size of a board: as large as the window allows without scrolling.

const ACROSS = 14;  // a page narrower than so many rems times four has one column

// Gives the page the proportions of its board, by which its style knows how wide the board may be to
// be seen whole. Returns a function that stops following the window. A board without `aspect` takes
// the width that there is.
export function fit(root, board) {
  if (!board.aspect) return () => {};
  const measure = () => {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const beside = innerWidth > 4 * ACROSS * rem ? 24 * rem : 0;
    root.style.setProperty("--aspect", board.aspect(innerWidth - beside, innerHeight - 12 * rem));
  };
  root.classList.add("fits");
  measure();
  addEventListener("resize", measure);
  return () => removeEventListener("resize", measure);
}
