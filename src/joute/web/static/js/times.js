// Times in the reader's own zone, which they name: the server writes them in UTC or in the zone of a
// contest, and a page may hold others that no script rewrites. Times that are left until a
// deadline, or an opening, go down by the server's clock, which may differ from the reader's.

const shape = new Intl.DateTimeFormat(document.documentElement.lang, {
  year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short",
});

// Rewrites the times at or below an element.
export function localise(element) {
  for (const time of element.querySelectorAll("time[datetime]")) {
    const moment = new Date(time.dateTime);
    if (!Number.isNaN(moment.valueOf())) time.textContent = shape.format(moment);
  }
}

const MINUTE = 60, HOUR = 3600, DAY = 86400; // seconds

function words(say, seconds) {
  if (seconds <= 0) return say("left.over");
  if (seconds >= 2 * DAY) return say("left.days", {count: Math.floor(seconds / DAY)});
  if (seconds >= DAY) return say("left.day");
  const [hours, minutes] = [Math.floor(seconds / HOUR), Math.floor((seconds % HOUR) / MINUTE)];
  const two = (value) => String(value).padStart(2, "0");
  if (hours) return say("left.hours", {hours, minutes: two(minutes)});
  return say("left.minutes", {minutes, seconds: two(seconds % MINUTE)});
}

async function countDown() {
  const shown = [...document.querySelectorAll("[data-until]")];
  if (!shown.length) return;
  const {say} = await import("./words.js");
  const ahead = Date.parse(shown[0].dataset.now) - performance.timeOrigin - loaded;
  const step = () => {
    const now = performance.timeOrigin + performance.now() + ahead;
    for (const each of shown) {
      const seconds = Math.floor((Date.parse(each.dataset.until) - now) / 1000);
      if ("opens" in each.dataset && seconds < 0) return location.reload();
      each.textContent = words(say, Math.max(seconds, "opens" in each.dataset ? 1 : 0));
    }
  };
  step();
  setInterval(step, 1000);
}

const loaded = performance.now();
localise(document);
countDown();
