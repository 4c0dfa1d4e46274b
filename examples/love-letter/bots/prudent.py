"""Prudent : se protège quand il peut, et ne se bat au Baron qu'avec une carte haute."""

GARDE, PRETRE, BARON, SERVANTE, ROI, PRINCESSE = 1, 2, 3, 4, 7, 9
CHANCELIER = 640


def play(observation, clock):
    main, restantes = observation["hand"], observation["unseen"]

    def valeur(action):
        if action >= CHANCELIER:
            return action  # garder la plus haute
        carte, nom = action // 64, action % 64 % 10
        autre = main[1] if main[0] == carte else main[0]
        if carte == PRINCESSE:
            return -100
        if carte == SERVANTE:
            return 50
        if carte == BARON:
            return 40 if autre >= ROI else -10
        if carte == GARDE:
            return 20 + restantes[nom]
        return 30 if carte == PRETRE else -carte

    return max(observation["legal"], key=valeur)
