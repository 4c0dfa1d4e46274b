"""Vampires vs Werewolves."""

from joute.core.card import Card

CARD = Card(
    name="vampires",
    rules=".rules:make",
    bots={"nearest": ".players.nearest:make"},
    champion=".players.champion",
    levels=(
        "random",
        "nearest?stray=0.8",
        "nearest?stray=0.6",
        "nearest?stray=0.3",
        "nearest",
        "expectimax?depth=1",
        "expectimax?nodes=3000&evaluation=race",
        "champion?seconds=1",
    ),
    evaluations=".players.evaluations:evaluations",
    turns=".players.orders:orders",
    costs={
        "illegal": "game",
        "crash": "game",
        "memory": "game",
        "output-limit": "game",
        "protocol": "game",
    },
    most_illegal=3,
    seats={"tcp": ".adapters.program:ProgramSeat"},
    server="joute vampires serve",
    opponent="greedy",
    telling=".telling:TELLING",
    terminal=".display:TERMINAL",
    commands={"vampires": ".commands:add_to"},
    maps=".map",
    map_suffix=".xml",
    learning=".learning:trainer",
    web=".display:WEB",
)
