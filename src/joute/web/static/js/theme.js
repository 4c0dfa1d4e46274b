// The switch of themes: a cookie tells the server which one the next page has.
const root = document.documentElement;
const box = document.querySelector(".theme");

function show(theme) {
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const button of box.children) button.setAttribute("aria-pressed", button.value === theme);
}

box.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  show(button.value);
  document.cookie = `joute_theme=${button.value}; path=/; max-age=31536000; samesite=lax`;
});
