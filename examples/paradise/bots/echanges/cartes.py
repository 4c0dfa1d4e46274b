TIR_MORTEL, CHIENS = 2, 13


def jouable(carte, state):
    if carte["cost"] > state["player_mana"]:
        return False
    place = len(state["player_target"]) < 8
    ennemis = len(state["opponent_target"]) > 1
    if carte["type"] == "minion":
        return place
    if carte["id"] == TIR_MORTEL:
        return ennemis
    return carte["id"] != CHIENS or (ennemis and place)


def degats(carte, moi):
    if carte["id"] == 12:
        return 5 if len(moi) > 1 else 3
    return {3: 2, 9: 6}.get(carte["id"], 0)
