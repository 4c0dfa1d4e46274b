"""Headless Chromium, driven over its DevTools protocol: what a person does with a page, and sees.

One browser serves a whole session of tests, each test has pages of its own with cookies of its own.
Every page collects what must not be there: errors on the console, and requests to elsewhere.
"""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from helpers import PATIENCE, need, wait_until
from web.wire import Wire, fault, value
from websockets.exceptions import ConnectionClosed

POLL = 0.02  # seconds between two looks at a page
SETTLED = 30.0  # seconds after which a layout is what it will be
SHELL = "chromium-headless-shell"  # draws the same pages for less CPU time
SWITCHES = (
    "--headless=new",  # of the browser itself; the shell has no other way
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-features=Translate,OptimizationHints,MediaRouter",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
)
RESTING = """(async (selector, scrolled) => {
  const frame = () => new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
  const middle = () => {
    const found = document.querySelector(selector);
    if (scrolled) found?.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
    const box = found?.getBoundingClientRect();
    return box?.width ? [box.x + box.width / 2, box.y + box.height / 2] : null;
  };
  let [before, now] = [null, middle()];
  while (String(now) !== String(before)) [before, now] = [now, await frame().then(middle)];
  return now;
})"""
# An element is there, and has no value besides.
VALUE = "const value = (found) => (found instanceof Node ? true : found);"
KEYS = {"Enter": ("\r", 13), " ": (" ", 32), "Tab": ("", 9), "Escape": ("", 27)}
CODES = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35}


class Chromium:
    """A running browser without a screen."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="joute-chromium-"))
        program = shutil.which(SHELL) or need("chromium")
        command = [program, *SWITCHES, f"--user-data-dir={self._folder}", "about:blank"]
        environment = {**os.environ, "HOME": str(self._folder)}
        self._process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
        )
        port = wait_until(self._port, PATIENCE, "Chromium")
        self._address = f"ws://127.0.0.1:{port[0]}"
        self._wire = Wire(f"{self._address}{port[1]}")

    def _port(self) -> list[str]:
        """The port and the path of its DevTools."""
        file = self._folder / "DevToolsActivePort"
        lines = file.read_text().splitlines() if file.exists() else []
        return lines if len(lines) == 2 else []

    def page(self, width: int = 1280, height: int = 800, **options: Any) -> "Page":
        """A page of a person who has never been here."""
        context = self._wire.call("Target.createBrowserContext")["browserContextId"]
        return self.tab(context, width, height, **options)

    def tab(self, context: str, width: int = 1280, height: int = 800, **options: Any) -> "Page":
        """Another page of the same person."""
        made = self._wire.call("Target.createTarget", url="about:blank", browserContextId=context)
        wire = Wire(f"{self._address}/devtools/page/{made['targetId']}")
        return Page(self, wire, context, width, height, **options)

    def close(self) -> None:
        # Debian's shell is started by a script, which would pass no signal on.
        with suppress(ConnectionClosed):
            self._wire.call("Browser.close")
        self._wire.close()
        self._process.wait(PATIENCE)
        shutil.rmtree(self._folder, ignore_errors=True)


class Page:
    """A page, and what a person does with it."""

    def __init__(
        self, browser: Chromium, wire: Wire, context: str, width: int, height: int, **options: Any
    ) -> None:
        self.browser = browser
        self.context = context
        self._wire = wire
        self._home = ""
        self._problems: list[str] = []
        for domain in ("Page", "Runtime", "Network", "Log"):
            wire.call(f"{domain}.enable")
        self._touch = bool(options.get("touch", False))
        self.unmoved = bool(options.get("unmoved", False))  # whether nothing may be scrolled to
        wire.call("Emulation.setTouchEmulationEnabled", enabled=self._touch, maxTouchPoints=1)
        self.size(width, height)
        self._still = options.get("still", True)
        self.theme(options.get("theme", "light"))
        if "language" in options:
            headers = {"Accept-Language": options["language"]}
            wire.call("Network.setExtraHTTPHeaders", headers=headers)

    def size(self, width: int, height: int) -> None:
        """The size of the window, in CSS pixels."""
        self._wire.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=self._touch,
        )

    def theme(self, name: str) -> None:
        """Sets the theme that the system prefers: "light" or "dark"."""
        media = {"prefers-color-scheme": name}
        if self._still:
            media["prefers-reduced-motion"] = "reduce"
        features = [{"name": name, "value": value} for name, value in media.items()]
        self._wire.call("Emulation.setEmulatedMedia", features=features)

    def keep(self, url: str, cookies: Mapping[str, str]) -> None:
        """The cookies that a site has given this browser."""
        for name, content in cookies.items():
            self._wire.call("Network.setCookie", url=url, name=name, value=content)

    def script(self, source: str) -> None:
        """Run a script in every page that is opened from now on, before any other."""
        self._wire.call("Page.addScriptToEvaluateOnNewDocument", source=source)

    def open(self, url: str) -> "Page":
        """Go to an address; returns when the page is there."""
        self._home = self._home or urlsplit(url).netloc
        loader = self._wire.call("Page.navigate", url=url)
        if loader.get("errorText"):
            pytest.fail(f"{url}: {loader['errorText']}")
        self.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'")
        return self

    def reload(self) -> None:
        """Load the page anew."""
        self.evaluate("document.documentElement.dataset.old = 1")
        self._wire.call("Page.reload")
        gone = "!document.documentElement.dataset.old"
        self.wait_for(f"{gone} && document.readyState === 'complete'")

    def evaluate(self, script: str) -> Any:
        """The value of a script, as plain data; a promise is waited for."""
        done = self._wire.call(
            "Runtime.evaluate",
            expression=script,
            returnByValue=True,
            awaitPromise=True,
            userGesture=True,
        )
        return value(done, script)

    def wait_for(self, condition: str, seconds: float = PATIENCE) -> Any:
        """The first true value of a script; fails the test, and says what the page shows."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                if found := self.evaluate(f"(() => {{ {VALUE} return value({condition}) }})()"):
                    return found
            except RuntimeError as error:  # the page may be about to change
                found = str(error)
            if time.monotonic() > deadline:
                shown = self.evaluate("document.body?.innerText")
                pytest.fail(
                    f"waited in vain for {condition} ({found}):\n{shown}\n{self.problems()}"
                )
            time.sleep(POLL)

    def text(self, selector: str) -> str:
        """The text of an element."""
        return str(self.wait_for(f"{_first(selector)}?.textContent"))

    def click(self, selector: str) -> None:
        """Press the mouse, or a finger, on the middle of an element, once it is there."""
        x, y = self._resting(selector, scrolled=not self.unmoved)
        if self.unmoved:
            assert self.evaluate(f"{y} < innerHeight && scrollY === 0"), (
                f"{selector} is out of sight"
            )
        if self._touch:
            self._tap(x, y)
            return
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self._mouse(kind, x, y)

    def _resting(self, selector: str, scrolled: bool = False) -> tuple[float, float]:
        """The middle of an element, once it stays where it is from a frame to the next."""
        x, y = self.wait_for(f"{RESTING}({json.dumps(selector)}, {json.dumps(scrolled)})")
        return x, y

    def _tap(self, x: float, y: float) -> None:
        points = [{"x": x, "y": y}]
        self._wire.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=points)
        self._wire.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def drag(self, source: str, target: str) -> None:
        """Press the mouse on one element and let it go on another."""
        (x, y), (x2, y2) = (self._resting(each) for each in (source, target))
        steps = [("mouseMoved", x, y), ("mousePressed", x, y)]
        steps += [("mouseMoved", (x + x2) / 2, (y + y2) / 2), ("mouseMoved", x2, y2)]
        for kind, left, top in [*steps, ("mouseReleased", x2, y2)]:
            self._mouse(kind, left, top)

    def _mouse(self, kind: str, x: float, y: float) -> None:
        self._wire.call(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1
        )

    def key(self, name: str, modifiers: int = 0, code_name: str = "") -> None:
        """Press a key, by its name in `KeyboardEvent.key`; `code_name` is its place, if odd."""
        text, code = KEYS.get(name, (name if len(name) == 1 else "", CODES.get(name, 0)))
        code = code or (ord(name.upper()) if len(name) == 1 else 0)
        place = f"Key{name.upper()}" if len(name) == 1 and name.isalpha() else name
        place = code_name or (f"Digit{name}" if name.isdecimal() else place)
        common = {"key": name, "code": place, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        down = {"text": text} if text else {}
        self._wire.call("Input.dispatchKeyEvent", type="keyDown", **down, **common)
        self._wire.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, selector: str, text: str) -> None:
        """Write into a field."""
        self.wait_for(f"{_first(selector)} && {_shown(selector)}")
        self.evaluate(f"{_first(selector)}.focus()")
        self._wire.call("Input.insertText", text=text)

    def screenshot(self, path: Path, whole: bool = False) -> None:
        """The page as it looks, as a PNG."""
        options = {"captureBeyondViewport": True} if whole else {}
        if whole:
            size = self._wire.call("Page.getLayoutMetrics")["cssContentSize"]
            options["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"]}
            options["clip"]["scale"] = 1
        shot = self._wire.call("Page.captureScreenshot", format="png", **options)
        path.write_bytes(base64.b64decode(shot["data"]))

    def overflow(self) -> list[str]:
        """The elements that make the page wider than its window, once its layout has settled."""
        script = (
            "(() => { const {clientWidth, scrollWidth} = document.documentElement;"
            " return scrollWidth <= clientWidth + 1 ? [] : [...document.querySelectorAll('*')]"
            ".filter((e) => e.getBoundingClientRect().right > clientWidth + 1)"
            ".map((e) => `${e.tagName}.${e.getAttribute('class')}`).slice(0, 8) })()"
        )
        deadline = time.monotonic() + SETTLED
        while (found := self.evaluate(script)) and time.monotonic() < deadline:
            time.sleep(POLL)
        return list(found)

    def problems(self) -> list[str]:
        """Errors on the console, exceptions, and requests to elsewhere, so far."""
        self.evaluate("0")  # so that all events before it are in
        while self._wire.events:
            event = self._wire.events.popleft()
            found = fault(event["method"], event.get("params", {}), self._home)
            if found:
                self._problems.append(found)
        return self._problems

    def forget(self) -> None:
        """Forgets the problems so far: they were meant to happen."""
        self.problems().clear()

    def close(self) -> None:
        """Leave the page."""
        self._wire.call("Page.close")
        self._wire.close()


def _first(selector: str) -> str:
    return f"document.querySelector({json.dumps(selector)})"


def _shown(selector: str) -> str:
    return f"{_first(selector)}.getBoundingClientRect().width > 0"
