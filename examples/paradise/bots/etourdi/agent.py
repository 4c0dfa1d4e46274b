# Au hasard, et sans regarder son mana : une action refusée finit le tour, l'enregistrement dit
# laquelle.
import random


def start():
    random.seed(2019)


def play(state):
    choix = [(0, None)]
    for i in range(len(state["player_hand"])):
        choix.append((2, (i, random.randrange(len(state["opponent_target"])))))
    for i in range(1, len(state["player_target"])):
        choix.append((3, (i, random.randrange(len(state["opponent_target"])))))
    return random.choice(choix)


def end(victory):
    print("gagné" if victory[0] else "perdu")  # une liste d'un seul élément
