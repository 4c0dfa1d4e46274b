// The controls of a table besides playing: undo, hint, thoughts, resign, rematch, taking a seat.

import {html} from "./svg.js";
import {say} from "./words.js";

const $ = (id) => document.getElementById(id);
const THINK = "joute.think";
const PER_TIME = ["undo", "rematch"];  // agreed on each time; hints and thoughts for the whole game
const WISHES = ["undo", "hint", "think"];

export function makeControls({send, say: tell, address}) {
  let table = null;
  let question = null;
  let status = null;
  let ended = false;
  let offline = false;
  let shown = null;  // the bar and the list of thoughts
  let thinking = stored(THINK) === "1";
  let leaving = false;  // whether somebody here has just resigned, by a button that is gone then
  let sitting = false;  // whether a seat was asked for, and there is no answer yet
  let wished = "";  // what others wish, and this browser is asked about
  let known = {allowed: [], declined: {}};  // of the last status

  $("undo").addEventListener("click", () => {
    send({type: "undo"});
    if (status?.shared && others("undo").length === 0) tell(say("table.wished"));
  });
  $("accept").addEventListener("click", () => {
    send(PER_TIME.includes(wished) ? {type: wished} : {type: "allow", what: wished});
  });
  $("decline").addEventListener("click", () => send({type: "decline", what: wished}));
  $("hint").addEventListener("click", () => {
    if (!may("hint")) return wish("hint");
    tell(say("table.hinting"));
    send({type: "hint"});
  });
  $("thinking").addEventListener("click", () => think(!thinking));
  $("resign").addEventListener("click", surely);
  $("no").addEventListener("click", unsure);
  $("surely").addEventListener("keydown", (event) => {
    if (event.key === "Escape") unsure();
  });
  $("rematch").addEventListener("click", () => {
    if (status?.next) {
      location.href = status.next;
      return;
    }
    send({type: "rematch"});
    if (status && others("rematch").length === 0) tell(say("table.wished"));
  });
  $("seated").addEventListener("click", sit);
  for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", copy);
  for (const code of document.querySelectorAll(".links code")) {
    code.textContent = new URL(code.textContent, location.href).href;
  }

  // Whether help may be had: between people at several screens, once all agree.
  function may(what) {
    return ended || !status?.shared || status.allowed.includes(what);
  }

  function wish(what) {
    send({type: "allow", what});
    if (others(what).length === 0) tell(say("table.wished"));
  }

  // What others wish is asked, what was agreed or declined is told.
  function agree() {
    wished = ended ? "" : WISHES.find((what) => others(what).length && !mine(what)) ?? "";
    const asks = $("asks");
    if (wished) {
      const name = status.seats[others(wished)[0]].name;
      $("asks-title").textContent = say(`table.wish.${wished}`, {name});
      if (!asks.open) asks.show();
    } else if (asks.open) {
      asks.close();
    }
    for (const what of status.allowed) {
      if (!known.allowed.includes(what)) tell(say(`table.allowed.${what}`));
    }
    for (const [what, seat] of Object.entries(status.declined)) {
      if (known.declined[what] !== seat && !status.seats[seat].you) {
        tell(say("table.declined", {name: status.seats[seat].name}));
      }
    }
    known = status;
  }

  function mine(what) {
    return (status?.wishes[what] ?? []).some((seat) => status.seats[seat].you);
  }

  function think(on) {
    if (on && !may("think")) return wish("think");
    thinking = on;
    try { localStorage[THINK] = on ? "1" : "0"; } catch { /* a browser that keeps nothing */ }
    send({type: "think", on});
    draw();
  }

  // Asks for confirmation; where several people share this browser, which of them resigns.
  function surely() {
    const who = question && !question.live ? [question.player] : playing();
    $("givers").replaceChildren(...who.map((player) => {
      const name = status.seats[player].name;
      const text = table.you.length > 1 ? say("table.resign.name", {name}) : say("table.resign");
      const button = html("button", {type: "button", class: "btn primary", "data-player": player}, text);
      button.addEventListener("click", () => {
        $("surely").close();
        leaving = true;
        send({type: "resign", player});
      });
      return button;
    }));
    $("surely").show();
    $("no").focus();
  }

  function unsure() {
    $("surely").close();
    $("resign").focus();
  }

  // The seats of this browser that are still in the game.
  function playing() {
    return table.you.filter((seat) => !status?.seats[seat].resigned);
  }

  // Offers the seat of a link: only now, when the page no longer moves, are there buttons to press.
  function ready() {
    if (!table || sitting || !location.hash.startsWith("#seat=")) return;
    if (!status.seats.some((seat) => seat.free)) return full();
    if ($("sit").open) return;
    $("person").value ||= stored("joute.name") ?? "";
    $("sit").show();
    $("person").focus();
  }

  // No seat is free: whoever has opened a link plays here already, or came too late.
  function full() {
    $("sit").close();
    history.replaceState(null, "", address);
    if (!table.you.length) tell(say("table.taken"));
  }

  async function sit(event) {
    event.preventDefault();
    sitting = true;
    const token = document.querySelector("meta[name=joute-token]").content;
    const content = {key: location.hash.slice("#seat=".length), person: $("person").value};
    let wrong;
    try {
      const answer = await fetch(`${address}/seat`, {
        method: "POST",
        headers: {"X-Joute-Token": token, "Content-Type": "application/json", "Accept": "application/json"},
        body: JSON.stringify(content),
      });
      if (answer.ok) {
        history.replaceState(null, "", address);
        location.reload();
        return;
      }
      wrong = (await answer.json()).error;
    } catch {  // no connection, or an answer that is none of ours
      wrong = say("table.unsent");
    }
    tell(wrong);
    sitting = false;
    ready();
  }

  async function copy(event) {
    const code = event.currentTarget.parentElement.querySelector("code");
    getSelection().selectAllChildren(code);  // where there is no clipboard
    await navigator.clipboard?.writeText(code.textContent);
    tell(say(navigator.clipboard ? "table.copied" : "table.selected"));
  }

  // The wishes of others.
  function others(what) {
    return (status?.wishes[what] ?? []).filter((seat) => !status.seats[seat].you);
  }

  function draw() {
    if (!table) return;
    const plays = playing().length > 0 && Boolean(status?.begun) && !ended;
    $("undo").hidden = !(plays && table.undo);
    $("hint").hidden = !plays || Boolean(table.live);
    $("resign").hidden = !plays;
    $("thinking").hidden = !table.think || !table.facts.kinds.includes("builtin");
    const asked = Boolean(question) && !question.live;
    $("undo").disabled = offline || !status || status.asked === null;
    $("hint").disabled = offline || !asked;
    for (const name of ["resign", "rematch", "accept", "decline"]) $(name).disabled = offline;
    const on = thinking && may("think") && !$("thinking").hidden;
    $("thinking").setAttribute("aria-pressed", String(on));
    if (shown) {
      shown.list.hidden = !on;
      shown.bar?.toggleAttribute("hidden", !on);
      shown.bar?.closest(".withbar").classList.toggle("barred", on);
    }
  }

  const KEYS = {u: "undo", h: "hint", t: "thinking"};

  return {
    table(message) {
      table = message;
      draw();
    },
    place(parts) {
      shown = parts;
      draw();
    },
    ready,
    // What is pressed while there is no connection would be lost.
    lost() {
      offline = true;
      $("surely").close();
      draw();
    },
    connected() {
      offline = false;
      draw();
      if (thinking) send({type: "think", on: true});
    },
    asked(message) {
      question = message;
      draw();
    },
    status(message) {
      status = message;
      agree();
      const seat = ended && others("rematch")[0];
      if (seat !== false && seat !== undefined) tell(say("table.wish.rematch", {name: message.seats[seat].name}));
      draw();
    },
    over(message) {
      ended = true;
      const panel = $("over");
      const lines = message.lines.flatMap((text) => [html("br"), text]);
      panel.querySelector("h2").replaceChildren(...lines.slice(1));
      $("why").textContent = message.why;
      panel.hidden = false;
      $("rematch").hidden = table.you.length === 0 && !status?.pace?.own;
      for (const what of ["replay", "record"]) {
        $(what).hidden = !message[what];
        if (message[what]) $(what).href = message[what];
      }
      const near = document.activeElement?.closest("#surely, #asks");
      $("surely").close();
      $("asks").close();
      draw();
      if (near || (leaving && document.activeElement === document.body)) $("rematch").focus();
    },
    // The table is gone: nothing can be done here any more.
    gone() {
      for (const name of ["undo", "hint", "thinking", "resign", "rematch", "pace"]) $(name).hidden = true;
      for (const name of ["surely", "asks", "sit"]) $(name).close();
      table = null;
    },
    keys(message) {
      const found = [];
      if (message.undo && message.you.length && !ended) found.push(["U", "table.keys.undo"]);
      if (message.you.length && !message.live && !ended) found.push(["H", "table.keys.hint"]);
      if (message.think && message.facts.kinds.includes("builtin")) found.push(["T", "table.keys.think"]);
      found.push(["R", "rulebook.key"]);
      return found;
    },
    key(event) {
      if (event.ctrlKey || event.altKey || event.metaKey) return false;
      const button = $(KEYS[event.key.toLowerCase()]);
      if (!button || button.hidden || button.disabled) return false;
      event.preventDefault();
      button.click();
      return true;
    },
  };
}

function stored(key) {
  try { return localStorage[key] ?? null; } catch { return null; }
}
