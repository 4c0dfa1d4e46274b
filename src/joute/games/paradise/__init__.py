"""Paradise, a duel of cards."""

from joute.core.card import Card

CARD = Card(
    name="paradise",
    rules=".rules:make",
    bots={
        "curve": ".players.simple:curve",
        "face": ".players.simple:face",
        "greedy": ".players.simple:greedy",
        "peek": ".players.peek:make",
        "turn": ".players.turn:turn",
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
    terminal=".display:TERMINAL",
    commands={"paradise": ".commands:add_to"},
    learning=".learning:trainer",
    web=".display:WEB",
)
