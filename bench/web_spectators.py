"""Spectators of one table, in a process of their own: when each had each position, as JSON.

`python -m bench.web_spectators URL COUNT`: a list with an object for each, from the number of a
position to the second (of the machine's monotonic clock) at which it was there.
"""

import asyncio
import json
import re
import sys
from time import monotonic

from websockets.asyncio.client import connect

NUMBER = re.compile(r'"type":"position".*?"number":(\d+)')
AT_ONCE = 20  # connections that are opened at the same time


async def watch(url: str, gate: asyncio.Semaphore) -> dict[int, float]:
    """The time at which one spectator had each position, until the game is over."""
    seen: dict[int, float] = {}
    async with gate:
        wire = await connect(url, compression=None, open_timeout=60)
    async with wire:
        async for text in wire:
            if found := NUMBER.search(text[:200]):
                seen[int(found[1])] = monotonic()
            elif '"type":"over"' in text[:40]:
                break
    return seen


async def main(url: str, count: int) -> None:
    """All of them."""
    gate = asyncio.Semaphore(AT_ONCE)
    print(json.dumps(await asyncio.gather(*(watch(url, gate) for _ in range(count)))))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
