"""Tron: bikes and their trails, on maps of several floors."""

from joute.core.card import Card

CARD = Card(
    name="tron",
    rules=".rules:make",
    parameters={"players": (1, 2, 3, 4, 5, 6, 7, 8)},
    bots={
        "fill": ".players.fill:make",
        "montecarlo": "joute.bots.montecarlo:flat",
        "montecarlo-cuda": ".players.montecarlo_cuda:make",
        "montecarlo-numpy": ".players.montecarlo_numpy:make",
        "montecarlo-python": ".players.montecarlo_python:make",
        "territory": ".players.territory:make",
        "wall": ".players.wall:make",
    },
    champion=".players.champion",
    levels=(
        "random",
        "flat?simulations=1",
        "wall",
        "flat?simulations=20",
        "flat?simulations=100",
        "territory",
        "champion?seconds=0.005",
        "champion?seconds=0.05",
    ),
    evaluations=".players.evaluation:evaluations",
    adapters={"workshop": ".adapters.workshop"},
    dialects={"tron2010": ".adapters.google2010:DIALECT"},
    opponent="greedy",
    telling=".telling:TELLING",
    terminal=".display:TERMINAL",
    realtime=".display:REALTIME",
    commands={"tron": ".commands:add_to"},
    maps=".map",
    web=".display:WEB",
)
