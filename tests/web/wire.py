"""The DevTools protocol of a browser: commands, their results, and what events tell of faults."""

import itertools
import json
from collections import deque
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

from helpers import PATIENCE
from websockets.sync.client import ClientConnection, connect

OWN = ("data", "blob", "file", "about")  # schemes of addresses that ask nobody for anything


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


def fault(method: str, event: dict[str, Any], home: str) -> str:
    """The complaint in an event of a page that must not be; empty for any other event.

    Errors and warnings on the console, exceptions, and requests to elsewhere than `home`.
    """
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
        if address.scheme not in OWN and home and address.netloc != home:
            return f"a request to {event['request']['url']}"
    return ""


def value(done: dict[str, Any], script: str) -> Any:
    """The value of a script as plain data; RuntimeError with the script if it failed."""
    if "exceptionDetails" in done:
        details = done["exceptionDetails"]
        text = details.get("exception", {}).get("description") or details["text"]
        raise RuntimeError(f"{script}: {text}")
    return done["result"].get("value")
