# scikit-learn : un arbre de décision a appris ce que vaut un échange entre deux serviteurs.
import numpy as np
from sklearn.tree import DecisionTreeRegressor

attaques = set()  # les places de ceux qui ont déjà attaqué pendant ce tour
pouvoir = False


def apprendre():
    """L'arbre, appris de 3 000 échanges tirés au sort et de leur issue."""
    hasard = np.random.RandomState(1)
    # force et vie du mien, force et vie de l'autre
    X = hasard.randint([0, 1, 0, 1], [8, 15, 8, 15], size=(3000, 4))
    tue = X[:, 0] >= X[:, 3]
    perd = X[:, 2] >= X[:, 1]
    y = tue * (X[:, 2] + 1.0) - perd * (X[:, 0] + 1.0)
    return DecisionTreeRegressor(max_depth=8, random_state=1).fit(X, y)


ARBRE = apprendre()


def start():
    oublier()


def play(state):
    global pouvoir
    moi, lui, mana = state["player_target"], state["opponent_target"], state["player_mana"]
    jouables = [
        (carte["cost"], i)
        for i, carte in enumerate(state["player_hand"])
        if carte["type"] == "minion" and carte["cost"] <= mana and len(moi) < 8
    ]
    if jouables:
        return 1, max(jouables)[1]
    for s in range(1, len(moi)):
        if s not in attaques and moi[s]["turns_in_play"] > 0:
            attaques.add(s)
            return 3, (s, cible(moi[s], lui))
    if mana >= 2 and not pouvoir:
        pouvoir = True
        return 0, None
    oublier()
    return 4, None


def cible(mien, lui):
    """La place de l'échange qui vaut le plus, ou 0, le héros, si aucun ne vaut autant."""
    if len(lui) == 1:
        return 0
    X = [[mien["atk"], mien["health"], autre["atk"], autre["health"]] for autre in lui[1:]]
    valeurs = ARBRE.predict(np.array(X))
    meilleur = int(np.argmax(valeurs))
    return meilleur + 1 if valeurs[meilleur] > mien["atk"] / 2 else 0


def oublier():
    global pouvoir
    pouvoir = False
    attaques.clear()


def end(victory):
    pass
