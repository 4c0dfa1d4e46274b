"""Headless Chromium, driven over its DevTools protocol: what a person does with a page, and sees.

One browser serves a whole session of tests, each test has pages of its own with cookies of its own.
Every page collects what must not be there: errors on the console, and requests to elsewhere.
"""

import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections import deque
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from helpers import need, wait_until
from websockets.sync.client import ClientConnection, connect

PATIENCE = 60.0  # seconds; only a hang should reach it
POLL = 0.02  # seconds between two looks at a page
SETTLED = 5.0  # seconds after which a layout is what it will be
SWITCHES = (
    "--headless=new",
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
# An element is there, and has no value besides.
VALUE = "const value = (found) => (found instanceof Node ? true : found);"
KEYS = {"Enter": ("\r", 13), " ": (" ", 32), "Tab": ("", 9), "Escape": ("", 27)}
CODES = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35}


class Chromium:
    """A running browser without a screen."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="joute-chromium-"))
        command = [need("chromium"), *SWITCHES, f"--user-data-dir={self._folder}", "about:blank"]
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
        self._wire.close()
        self._process.terminate()
        self._process.wait(PATIENCE)
        shutil.rmtree(self._folder, ignore_errors=True)


class Wire:
    """Commands to the browser or to a page, and the events that it sends."""

    def __init__(self, address: str) -> None:
        self._open = ExitStack()
        self._socket: ClientConnection = self._open.enter_context(
            connect(address, max_size=None, compression=None)
        )
        self._numbers = itertools.count(1)
        self.events: deque[dict[str, Any]] = deque()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The result of a command."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(PATIENCE))
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def close(self) -> None:
        self._open.close()


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
        self.size(width, height)
        media = {"prefers-color-scheme": options.get("theme", "light")}
        if options.get("still", True):
            media["prefers-reduced-motion"] = "reduce"
        features = [{"name": name, "value": value} for name, value in media.items()]
        wire.call("Emulation.setEmulatedMedia", features=features)
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
            mobile=False,
        )

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
        if "exceptionDetails" in done:
            details = done["exceptionDetails"]
            text = details.get("exception", {}).get("description") or details["text"]
            raise RuntimeError(f"{script}: {text}")
        return done["result"].get("value")

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
        """What an element says."""
        return str(self.wait_for(f"{_first(selector)}?.textContent"))

    def click(self, selector: str) -> None:
        """Press the mouse on the middle of an element, once it is there."""
        self.wait_for(f"{_first(selector)} && {_shown(selector)}")
        self.evaluate(f"{_first(selector)}.scrollIntoView({{block: 'center', inline: 'center'}})")
        x, y = self._resting(selector)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self._mouse(kind, x, y)

    def _resting(self, selector: str) -> list[float]:
        """The middle of an element, once it stays where it is from a frame to the next."""
        before = None
        while (place := self.evaluate(_middle(selector))) != before:
            before = place
            self.evaluate("new Promise((next) => requestAnimationFrame(() => setTimeout(next)))")
        return list(place)

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

    def key(self, name: str, modifiers: int = 0) -> None:
        """Press a key, by its name in `KeyboardEvent.key`."""
        text, code = KEYS.get(name, (name if len(name) == 1 else "", CODES.get(name, 0)))
        code = code or (ord(name.upper()) if len(name) == 1 else 0)
        place = f"Key{name.upper()}" if len(name) == 1 and name.isalpha() else name
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
            problem = self._problem(event["method"], event.get("params", {}))
            if problem:
                self._problems.append(problem)
        return self._problems

    def _problem(self, method: str, event: dict[str, Any]) -> str:
        if method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            return str(details.get("exception", {}).get("description") or details["text"])
        if method == "Runtime.consoleAPICalled" and event["type"] in ("error", "warning", "assert"):
            return " ".join(str(each.get("value", each)) for each in event["args"])
        if method == "Log.entryAdded" and event["entry"]["level"] == "error":
            entry = event["entry"]
            return f"{entry['text']} ({entry.get('url', '')})"
        if method == "Network.requestWillBeSent":
            address = urlsplit(event["request"]["url"])
            elsewhere = address.scheme not in ("data", "blob", "file", "about")
            if elsewhere and self._home and address.netloc != self._home:
                return f"a request to {event['request']['url']}"
        return ""

    def close(self) -> None:
        """Leave the page."""
        self._wire.call("Page.close")
        self._wire.close()


def _first(selector: str) -> str:
    return f"document.querySelector({json.dumps(selector)})"


def _shown(selector: str) -> str:
    return f"{_first(selector)}.getBoundingClientRect().width > 0"


def _middle(selector: str) -> str:
    return (
        f"(() => {{ const r = {_first(selector)}.getBoundingClientRect();"
        " return [r.x + r.width / 2, r.y + r.height / 2] })()"
    )
