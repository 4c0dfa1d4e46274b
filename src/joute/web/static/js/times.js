// Times in the reader's own zone: the server writes them in UTC.

const shape = new Intl.DateTimeFormat(document.documentElement.lang, {dateStyle: "medium", timeStyle: "short"});

// Rewrites the times at or below an element.
export function localise(element) {
  for (const time of element.querySelectorAll("time[datetime]")) {
    const moment = new Date(time.dateTime);
    if (!Number.isNaN(moment.valueOf())) time.textContent = shape.format(moment);
  }
}

localise(document);
