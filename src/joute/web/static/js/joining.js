// The games that wait for somebody: looked up again and again while the page is seen.

const EVERY_MS = 4000;
const place = document.getElementById("waiting");

setInterval(async () => {
  if (document.hidden) return;
  try {
    const answer = await fetch(`/play/waiting?game=${place.dataset.game}`);
    const text = answer.ok ? await answer.text() : null;
    if (text !== null && text.trim() !== place.innerHTML.trim() && !place.contains(document.activeElement)) {
      place.innerHTML = text;
    }
  } catch { /* the server is away: what was there stays */ }
}, EVERY_MS);
