# NumPy : chaque action possible est un vecteur, et un produit de matrices les note toutes.
import numpy as np

#                  vie ôtée, tue, perd, force jouée, sort, pouvoir, sur le héros
POIDS = np.array([0.30, 1.20, -0.90, 0.50, 0.40, 0.10, 0.55])

attaques = set()  # les places de ceux qui ont déjà attaqué pendant ce tour
pouvoir = False


def start():
    oublier()


def play(state):
    global pouvoir
    actions, lignes = possibles(state)
    if not actions:
        oublier()
        return 4, None
    notes = np.array(lignes) @ POIDS
    choix = int(np.argmax(notes))
    if notes[choix] <= 0:
        oublier()
        return 4, None
    action = actions[choix]
    if action[0] == 0:
        pouvoir = True
    elif action[0] == 3:
        attaques.add(action[1][0])
    return action


def possibles(state):
    """Les actions, et pour chacune son vecteur."""
    moi, lui, mana = state["player_target"], state["opponent_target"], state["player_mana"]
    actions, lignes = [], []
    for i, carte in enumerate(state["player_hand"]):
        if carte["type"] == "minion" and carte["cost"] <= mana and len(moi) < 8:
            actions.append((1, i))
            lignes.append([0, 0, 0, carte["atk"] + 0.1 * carte["health"], 0, 0, 0])
        elif carte["type"] == "spell" and carte["cost"] <= mana and len(lui) > 1:
            # Le sort vise le plus fort ; ceux qui choisissent eux-mêmes n'en tiennent pas compte.
            cible = max(range(1, len(lui)), key=lambda c: lui[c]["atk"])
            actions.append((2, (i, cible)))
            lignes.append([2, 0, 0, 0, 1, 0, 0])
    for s in range(1, len(moi)):
        if s in attaques or moi[s]["turns_in_play"] == 0:
            continue
        for c in range(len(lui)):
            actions.append((3, (s, c)))
            lignes.append(echange(moi[s], lui[c], c == 0))
    if mana >= 2 and not pouvoir:
        actions.append((0, None))
        lignes.append([2, 0, 0, 0, 0, 1, 0])
    return actions, lignes


def echange(mien, autre, heros):
    if heros:
        return [mien["atk"], 0, 0, 0, 0, 0, 1]
    tue = mien["poisonous"] or mien["atk"] >= autre["health"]
    perd = autre["poisonous"] or autre["atk"] >= mien["health"]
    ote = min(mien["atk"], autre["health"])
    return [ote, tue * autre["atk"] / 2, perd * mien["atk"] / 2, 0, 0, 0, 0]


def oublier():
    global pouvoir
    pouvoir = False
    attaques.clear()


def end(victory):
    pass
