"""Numbers as they are written in the user's language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from joute.i18n.words import say

MINUS = "\N{MINUS SIGN}"


def figure(value: float | None, digits: int = 0, sign: bool = False) -> str:
    """A number with so many decimals; "" where there is none. `sign`: a plus where it is due."""
    if value is None:
        return ""
    text = f"{value:+.{digits}f}" if sign else f"{value:.{digits}f}"
    if not any(each in "123456789" for each in text):
        text = text.lstrip("+-")
    text = text.replace("-", MINUS)
    return text.replace(".", say("language.decimal"))


def percent(text: str) -> str:
    """A figure of percent with its sign: 95%, 95 % in French."""
    return say("js.percent", value=text)


def plain(value: float) -> str:
    """A number with as many decimals as it has, six figures at most."""
    text = f"{value:g}".replace("-", MINUS)
    return text.replace(".", say("language.decimal"))


def lasts(milliseconds: float) -> str:
    """A time as people say it: 3 ms, 1.24 s."""
    if milliseconds < 1000:
        return f"{figure(milliseconds, 0 if milliseconds >= 10 else 1)} ms"
    return f"{figure(milliseconds / 1000, 2)} s".replace(".00 ", " ").replace(",00 ", " ")


def duration(seconds: float | None) -> str:
    """A time in its two largest units: "42 s", "3 min 05 s", "2 h 10 min"; "" for None."""
    if seconds is None:
        return ""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


def time_left(seconds: float) -> str:
    """A time until a deadline as people say it: "12 days left", "3 h 20 min left"."""
    whole = int(seconds)
    if whole <= 0:
        return say("js.left.over")
    if whole >= 2 * 86400:
        return say("js.left.days", count=whole // 86400)
    if whole >= 86400:
        return say("js.left.day")
    if whole >= 3600:
        return say("js.left.hours", hours=whole // 3600, minutes=f"{whole % 3600 // 60:02}")
    return say("js.left.minutes", minutes=whole // 60, seconds=f"{whole % 60:02}")


def between(
    interval: Sequence[float] | None, unit: float = 1, digits: int = 0, sign: bool = False
) -> str:
    """An interval; "" where there is none. `sign`: a plus where it is due."""
    if interval is None:
        return ""
    low, high = (figure(unit * each, digits, sign) for each in interval)
    return f"{low} \N{HORIZONTAL ELLIPSIS} {high}"


def distinct(names: Iterable[str], longest: int) -> dict[str, str]:
    """Names by themselves, cut to so many characters, or to as many more as tell them apart."""
    known = set(names)
    found = {name: short(name, longest) for name in known}
    while len(set(found.values())) < len(known):
        longest += 1
        found = {name: short(name, longest) for name in known}
    return found


def short(name: str, longest: int) -> str:
    """A name of so many characters at most: its middle goes, because names differ at their ends."""
    if len(name) <= longest:
        return name
    tail = (longest - 1) // 2
    return f"{name[: longest - 1 - tail]}\N{HORIZONTAL ELLIPSIS}{name[len(name) - tail :]}"
