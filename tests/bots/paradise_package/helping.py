attacked = []


def attacks(state):
    """Each minion once a turn: the state does not say which have attacked."""
    if state["player_mana"] not in attacked:
        attacked[:] = [state["player_mana"]]
    awake = [
        place
        for place, each in enumerate(state["player_target"])
        if each["type"] == "minion" and each["turns_in_play"] and place not in attacked[1:]
    ]
    if not awake:
        attacked.clear()
        return None
    attacked.append(awake[0])
    return 3, (awake[0], 0)
