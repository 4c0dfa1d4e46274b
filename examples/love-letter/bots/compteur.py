"""Compteur : joue la carte la plus basse ; un Garde nomme le personnage le plus probable.

Il compte les cartes qu'il n'a pas vues, rien d'autre.
"""

GARDE, PRINCESSE, CHANCELIER = 1, 9, 640


def play(observation, clock):
    moi, connues = observation["player"], dict(observation["known"])
    restantes = observation["unseen"]

    def cout(action):
        if action >= CHANCELIER:  # ce qu'on garde d'un Chancelier : la plus haute
            return -action
        carte, cible, nom = action // 64, action % 64 // 10, action % 64 % 10
        if carte == PRINCESSE:
            return 100
        if carte == GARDE:
            return -1 if connues.get(cible) == nom else 1 - restantes[nom] / 10
        return carte + (cible == moi) / 2  # le Prince plutôt pour un autre

    return min(observation["legal"], key=cout)
