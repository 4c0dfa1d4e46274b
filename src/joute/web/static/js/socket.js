// The connection to a table: opened again when it is lost, and continued.

const FIRST_WAIT = 500;  // milliseconds; then twice as long each time
const LONGEST_WAIT = 5000;
const GONE = 4404;  // close code: there is no such table any more

// Messages go to `heard`; `state` gets "open", "lost" (with the seconds to wait) and "gone".
// `since` gives the part and the number of the last position, or null.
export function connect(address, {heard, state, since}) {
  let socket = null;
  let wait = FIRST_WAIT;
  let timer = null;

  function open() {
    clearTimeout(timer);
    const url = new URL(address, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const place = since();
    if (place) url.searchParams.set("since", `${place.part}.${place.number}`);
    socket = new WebSocket(url);
    let told = false;  // a server without this table accepts the connection too, and ends it
    socket.onmessage = (event) => {
      if (!told) {
        told = true;
        wait = FIRST_WAIT;
        state("open");
      }
      heard(JSON.parse(event.data));
    };
    socket.onclose = (event) => {
      if (event.code === GONE) {
        state("gone");
        return;
      }
      state("lost", Math.ceil(wait / 1000));
      timer = setTimeout(open, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    };
  }

  // No need to wait when the page is shown again, or the network is back.
  addEventListener("online", () => again());
  document.addEventListener("visibilitychange", () => document.hidden || again());
  function again() {
    if (socket.readyState === WebSocket.CLOSED) open();
  }

  open();
  return {
    send(message) {
      if (socket.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
    // Closes the connection as if it were lost, for tests.
    drop: () => socket.close(),
  };
}
