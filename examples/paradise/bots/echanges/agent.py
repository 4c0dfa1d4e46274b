# De bons échanges : on attaque ce qu'on tue sans mourir, sinon le héros.
from .cartes import degats, jouable

attaquant = None
pouvoir = False


def start():
    finir()


def play(state):
    global attaquant, pouvoir
    moi, lui = state["player_target"], state["opponent_target"]
    for i, carte in sorted(enumerate(state["player_hand"]), key=lambda paire: -paire[1]["cost"]):
        if not jouable(carte, state):
            continue
        if carte["type"] == "minion":
            return 1, i
        # Un sort sans cible en veut une quand même : le héros fait l'affaire.
        return 2, (i, la_plus_forte(lui, lambda autre: autre["health"] <= degats(carte, moi)))
    if attaquant is None:
        attaquant = len(moi)
    while attaquant > 1:
        attaquant -= 1
        mien = moi[attaquant]
        if mien["turns_in_play"] > 0:
            return 3, (attaquant, la_plus_forte(lui, lambda autre: gagne(mien, autre)))
    if state["player_mana"] >= 2 and not pouvoir:
        pouvoir = True
        return 0, None
    return finir()


def gagne(mien, autre):
    tue = mien["poisonous"] or mien["atk"] >= autre["health"]
    return tue and not autre["poisonous"] and autre["atk"] < mien["health"]


def la_plus_forte(cibles, convient):
    """La cible qui convient et a la plus forte attaque, sinon 0, le héros."""
    bonnes = [i for i in range(1, len(cibles)) if convient(cibles[i])]
    return max(bonnes, key=lambda i: cibles[i]["atk"], default=0)


def finir():
    global attaquant, pouvoir
    attaquant, pouvoir = None, False
    return 4, None


def end(victory):
    pass
