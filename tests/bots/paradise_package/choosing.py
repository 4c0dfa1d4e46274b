def dearest(state):
    cards = [
        (card["cost"], place)
        for place, card in enumerate(state["player_hand"])
        if card["type"] == "minion" and card["cost"] <= state["player_mana"]
    ]
    return (1, max(cards)[1]) if cards and len(state["player_target"]) < 8 else None
