"""Limits on how often a visitor may do what costs the server something.

A visitor is an address with the browser that it comes from. Cookies are to be had for nothing, so
what comes without one is one visitor, and all visitors of an address together may take
`OF_AN_ADDRESS` times what one of them may.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Callable
from typing import NamedTuple

from fastapi import HTTPException
from starlette.requests import HTTPConnection

from joute.i18n.words import say
from joute.web.security import known_visitor


class Rate(NamedTuple):
    """A number at once, and as many again in a number of seconds."""

    most: float
    seconds: float


RATES = {
    "passwords": Rate(5, 60),  # of an address, whichever browser
    "links": Rate(20, 60),  # participants' links that are opened
    "seats": Rate(60, 60),  # links to a seat at a table that are opened
    "tables": Rate(30, 60),  # that are opened
    "records": Rate(30, 60),  # that are sent
    "computing": Rate(40, 240),  # seconds of CPU for what replays show
    "judging": Rate(12, 600),  # games whose positions a search values
    "explaining": Rate(240, 60),  # positions that a champion thinks about
    "uploads": Rate(10, 60),  # of a participant, whichever browser
    "trials": Rate(10, 60),  # the same
    "hiding": Rate(3, 24 * 3600),  # the same, of the ladder: each time all of it is played anew
}
OF_AN_ADDRESS = 8
LONGEST_WAIT = 3600.0  # seconds that a visitor is told to wait at most
_REMEMBERED = 10_000  # visitors, of whom a limiter knows something


class Limiter:
    """At most `count` at once and `count` again in `seconds`, for each name."""

    def __init__(
        self, count: float, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._count = count
        self._rate = count / seconds
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}  # by name: how much, and when that was

    def allows(self, name: str, cost: float = 1.0) -> bool:
        """Whether that much is still allowed; if so, it counts."""
        if self.wait(name, cost) > 0:
            return False
        self.charge(name, cost)
        return True

    def wait(self, name: str, cost: float = 1.0) -> float:
        """In how many seconds that much is allowed; 0 for now."""
        lacking = min(cost, self._count) - self._now(name)
        if self._count <= 0:
            return LONGEST_WAIT
        return 0.0 if lacking <= 1e-9 else min(lacking / self._rate, LONGEST_WAIT)

    def charge(self, name: str, cost: float) -> None:
        """Counts what was taken, allowed or not."""
        left = max(self._now(name) - cost, -self._rate * LONGEST_WAIT)
        self._left.pop(name, None)
        self._left[name] = left, self._clock()  # last: the first are forgotten first
        if len(self._left) > _REMEMBERED:
            del self._left[next(iter(self._left))]

    def used(self, name: str) -> float:
        """The amount that is used up now."""
        return self._count - self._now(name)

    def _now(self, name: str) -> float:
        left, since = self._left.get(name, (self._count, 0.0))
        return min(left + self._rate * (self._clock() - since), self._count)


class RateLimits:
    """The limiters of one application, by what they limit."""

    def __init__(self, rates: dict[str, Rate] = RATES, share: float = OF_AN_ADDRESS) -> None:
        self._own = {what: Limiter(*rate) for what, rate in rates.items()}
        self._shared = {what: Limiter(share * n, every) for what, (n, every) in rates.items()}

    def take(self, connection: HTTPConnection, what: str) -> None:
        """Counts one for a visitor. Raises HTTPException 429 if that is too many."""
        self.need(connection, what)
        self.charge(connection, what, 1.0)

    def allows(self, connection: HTTPConnection, what: str) -> bool:
        """Whether a visitor may do it once more; if so, it counts."""
        try:
            self.take(connection, what)
        except HTTPException:
            return False
        return True

    def need(self, connection: HTTPConnection, what: str) -> None:
        """Raises HTTPException 429 if a visitor has no more left; counts nothing."""
        address, visitor = visitor_of(connection)
        wait = max(self._own[what].wait(visitor), self._shared[what].wait(address))
        if wait > 0:
            raise too_often(wait)

    def charge(self, connection: HTTPConnection, what: str, cost: float) -> None:
        """Counts what a visitor has taken."""
        address, visitor = visitor_of(connection)
        self._own[what].charge(visitor, cost)
        self._shared[what].charge(address, cost)

    def take_alone(self, name: str, what: str) -> None:
        """Counts one for a name, whatever address and browser. Raises HTTPException 429."""
        wait = self._own[what].wait(name)
        if wait > 0:
            raise too_often(wait)
        self._own[what].charge(name, 1.0)

    def used(self, connection: HTTPConnection, what: str) -> float:
        """The amount of an address's share that is used up."""
        return self._shared[what].used(visitor_of(connection)[0])


def limits_of(connection: HTTPConnection) -> RateLimits:
    """The limits of the application that received this."""
    limits: RateLimits = connection.app.state.limits
    return limits


def too_often(seconds: float) -> HTTPException:
    """The refusal of what may be tried again in so many seconds."""
    whole = max(math.ceil(seconds), 1)
    sentence = say("web.error.too_often", seconds=whole)
    return HTTPException(429, sentence, {"Retry-After": str(whole)})


def visitor_of(connection: HTTPConnection) -> tuple[str, str]:
    """An address, and the visitor there."""
    address = address_of(connection)
    return address, f"{address} {known_visitor(connection)}"


def address_of(connection: HTTPConnection) -> str:
    """The address at the other end; of IPv6 the network, of which one person has all addresses."""
    host = connection.client.host if connection.client else ""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host
    if found.version == 4:
        return host
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))
