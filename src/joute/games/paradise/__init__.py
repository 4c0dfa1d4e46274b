"""Paradise, a duel of cards."""

from joute.core.card import Card

CARD = Card(
    name="paradise",
    rules=".rules:make",
    bots={
        "curve": ".players.curve:make",
        "face": ".players.face:make",
        "greedy": ".players.greedy:make",
        "turn": ".players.turn:make",
    },
    champion=".players.champion",
    levels=(
        "random",
        "face?stray=0.8",
        "face?stray=0.6",
        "face?stray=0.3",
        "face",
        "curve",
        "greedy",
        "turn",
        "champion?seconds=0.001",
        "champion?seconds=0.1",
    ),
    rankings={"paradise": ("opponents-beaten", "meeting", "games-won", "meeting")},
    adapters={"paradise": ".csgames"},
    opponent="greedy",
    telling=".telling:TELLING",
    terminal=".terminal:TERMINAL",
    commands={"paradise": ".commands:add_to"},
    learning=".learning:trainer",
    web=".telling:WEB",
)
