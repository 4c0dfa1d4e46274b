"""People who play at once, in a process of their own: how long each click waited, as JSON.

`python -m bench.web_players URL PEOPLE SECONDS`: each of them opens a table of Virus against a
built-in bot, from an address of its own as people of a class have, and plays a legal action every
few seconds. Printed are the milliseconds from each click until the next question, without those
that the bot took.
"""

import asyncio
import json
import random
import sys
from time import monotonic

import httpx
from websockets.asyncio.client import ClientConnection, connect

FORM = {"game": "virus", "opponent": "2"}
PAUSES = (1.0, 3.0)  # seconds that a person thinks
PATIENCE = 120.0


async def play(url: str, number: int, end: float) -> list[float]:
    """The waits of one person."""
    address = f"127.0.1.{number + 1}"
    async with httpx.AsyncClient(
        base_url=url, timeout=PATIENCE, transport=httpx.AsyncHTTPTransport(local_address=address)
    ) as client:
        page = (await client.get("/play/virus")).text
        token = page.partition('name="joute-token" content="')[2].partition('"')[0]
        headers = {"X-Joute-Token": token, "Origin": url}
        waits: list[float] = []
        while monotonic() < end:
            opened = await client.post("/tables", data=FORM, headers=headers)
            cookies = "; ".join(f"{key}={value}" for key, value in client.cookies.items())
            async with connect(
                f"{url.replace('http', 'ws')}{opened.headers['location']}/socket",
                origin=url,
                additional_headers={"Cookie": cookies},
                local_addr=(address, 0),
                open_timeout=PATIENCE,
            ) as socket:
                waits += await _game(socket, random.Random(number), end)
        return waits


async def _game(socket: ClientConnection, rng: random.Random, end: float) -> list[float]:
    """The waits of one game, or of as much of it as there is time for."""
    waits: list[float] = []
    clicked, bots = 0.0, 0.0
    own: list[int] = []
    async for text in socket:
        message = json.loads(text)
        if message["type"] == "table":
            own = message["you"]
        if message["type"] == "position":
            others = (event for event in message["events"] if event["player"] not in own)
            bots += sum(event.get("wall_ms", 0.0) for event in others)
        if message["type"] not in ("ask", "over"):
            continue
        if clicked:
            waits.append(1000 * (monotonic() - clicked) - bots)
        if message["type"] == "over" or monotonic() > end:
            break
        await asyncio.sleep(rng.uniform(*PAUSES))
        action = rng.choice(message["actions"])[0]
        answer = {"type": "answer", "number": message["number"], "action": action}
        clicked, bots = monotonic(), 0.0
        await socket.send(json.dumps(answer))
    return waits


async def main(url: str, people: int, seconds: float) -> None:
    """All of them."""
    end = monotonic() + seconds
    waits = await asyncio.gather(*(play(url, number, end) for number in range(people)))
    print(json.dumps([wait for each in waits for wait in each]))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
