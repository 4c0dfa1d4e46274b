// How quickly a game between built-in bots is shown: for whoever opened it.

const $ = (id) => document.getElementById(id);

export function makePace(send) {
  const group = $("pace");
  const buttons = [...group.querySelectorAll("[data-seconds]")];
  let shown = null;

  for (const button of buttons) {
    button.addEventListener("click", () => set(Number(button.dataset.seconds), false));
  }
  $("pause").addEventListener("click", () => set(shown.seconds, !shown.paused));

  function set(seconds, paused) {
    send({type: "pace", seconds, paused});
  }

  return {
    show(pace) {
      shown = pace;
      group.hidden = !pace?.own;
      if (!pace) return;
      for (const button of buttons) {
        button.setAttribute("aria-pressed", String(!pace.paused && Number(button.dataset.seconds) === pace.seconds));
      }
      $("pause").setAttribute("aria-pressed", String(pace.paused));
    },
  };
}
