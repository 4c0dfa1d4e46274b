"""Shared parts of the tests of tables: games to open one with, people's acts and messages."""

import json

from helpers import wait_until

from joute.play.chance import derive
from joute.play.game import GameSpec, SeatSpec, usual_costs
from joute.web.tables.playing import Question
from joute.web.tables.receiver import Receiver
from joute.web.tables.table import Table

ANN, BOB = "ann's browser", "bob's browser"


def spec(game="virus", bots=("human", "builtin:greedy"), **parameters) -> GameSpec:
    if game == "virus":
        parameters = {"size": 4, **parameters}
    names = iter(("Ann", "Bob", "Cleo"))
    seats = [
        SeatSpec(name=next(names) if bot == "human" else f"bot {at}", bot=bot)
        for at, bot in enumerate(bots)
    ]
    return GameSpec(
        game=game,
        parameters=parameters,
        bots=tuple(seats),
        seed=derive("tables", 1),
        costs=usual_costs(game),
    )


def asked(table: Table) -> Question:
    """The question to a person, once there is one."""
    return wait_until(lambda: table.playing.question, what="a question")


def finished(table: Table) -> None:
    """Plays the first legal action until the game is over."""
    while not table.over:
        question = wait_until(lambda: table.playing.question or table.over, what="a question")
        if question is not True:
            table.playing.answer(question.number, question.actions[0])
            wait_until(lambda asked=question: table.playing.question is not asked)


def told(receiver: Receiver) -> list[dict]:
    return [json.loads(text) for text in receiver.news()]


def kinds(sent) -> list[str]:
    return [message["type"] for message in sent]
