"""Love Letter, for two to six players."""

from joute.core.card import Card

CARD = Card(
    name="love-letter",
    rules=".rules:make",
    parameters={"players": (2, 3, 4, 5, 6), "tokens": (1, 0)},
    bots={
        "peek": "joute.bots.peek:make",
        "rules": ".players.rules:make",
        "utbm": ".players.utbm:make",
        "utbm-peek": ".players.utbm_peek:make",
    },
    champion=".players.champion",
    levels=(
        "random",
        "flat?simulations=1",
        "flat?simulations=6",
        "rules",
        "ismcts?simulations=4000",
        "champion?seconds=0.1",
    ),
    horizon=".players.outlook:horizon",
    learning=".learning:trainer",
    responding=".responding:RESPONDER",
    opponent="rules",
    judge="rules",  # random players would play on too badly to tell
    telling=".telling:TELLING",
    terminal=".display:TERMINAL",
    web=".display:WEB",
)
