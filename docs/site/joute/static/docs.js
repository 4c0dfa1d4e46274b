// The theme that was chosen in the application, and the way back to it: where a server shows these
// pages. From a folder the pages follow the system's theme.
"use strict";
{
  const theme = /(?:^|; )joute_theme=(light|dark)\b/.exec(document.cookie);
  if (theme) document.documentElement.dataset.theme = theme[1];
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("home").hidden = !location.pathname.startsWith("/docs/");
  });
}
