"""Virus, the game of the HX2 contest."""

from joute.core.card import Card

CARD = Card(
    name="virus",
    rules=".rules:make",
    usual=True,
    parameters={"size": (6, 8, 10, 12)},
    champion=".players.champion",
    levels=(
        "random",
        "greedy?stray=0.2",
        "greedy?stray=0.08",
        "greedy",
        "alphabeta?nodes=8&evaluation=learned",
        "alphabeta?nodes=100&evaluation=learned",
        "alphabeta?nodes=300&evaluation=learned",
        "alphabeta?nodes=1000&evaluation=learned",
        "alphabeta?nodes=4000&evaluation=learned",
        "alphabeta?nodes=40000&evaluation=learned&reduce=1",
        "champion?simulations=200",
        "champion?simulations=800",
        "champion?seconds=0.05",
        "champion?seconds=1",
    ),
    evaluations=".players.weights:evaluations",
    adapters={"hx2": ".hx2"},
    opponent="greedy",
    exports={"hx2": ".saves:SAVES"},
    telling=".telling:TELLING",
    terminal=".display:TERMINAL",
    learning=".learning:trainer",
    web=".display:WEB",
)
