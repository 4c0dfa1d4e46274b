"""Deux coups d'avance : mon coup, puis la meilleure réponse de l'adversaire."""

from copy import deepcopy

CASES = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]


def coups(grille, camp):
    n = len(grille)
    liste = []
    for i in range(n):
        for j in range(n):
            if grille[i][j] == 0 and any(
                0 <= i + a < n and 0 <= j + b < n and grille[i + a][j + b] == camp
                for a, b in CASES
            ):
                liste.append((i, j))
    return liste


def joue(grille, camp, coup):
    nouvelle = deepcopy(grille)
    n = len(grille)
    i, j = coup
    nouvelle[i][j] = camp
    gain = 0
    for a, b in CASES:
        if 0 <= i + a < n and 0 <= j + b < n and nouvelle[i + a][j + b] == 3 - camp:
            nouvelle[i + a][j + b] = camp
            gain += 1
    return nouvelle, gain


def retournes(grille, camp, coup):
    n = len(grille)
    i, j = coup
    return sum(
        0 <= i + a < n and 0 <= j + b < n and grille[i + a][j + b] == 3 - camp for a, b in CASES
    )


def ia(game, side):
    camp = game["references"][side]
    meilleur, choix = None, False
    for coup in coups(game["grid"], camp):
        apres, gain = joue(game["grid"], camp, coup)
        perte = max((retournes(apres, 3 - camp, c) for c in coups(apres, 3 - camp)), default=0)
        if meilleur is None or 2 * gain - 2 * perte > meilleur:
            meilleur, choix = 2 * gain - 2 * perte, list(coup)
    return choix
