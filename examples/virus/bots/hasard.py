"""Plays at random among the legal moves; the same game gives the same draws."""

import random


def ia(game, side):
    grille = game["grid"]
    n = len(grille)
    moi = game["references"][side]
    # Drawn from the position, so that a game can be played again the same.
    random.seed(side + str(grille))
    cases = [(i, j) for i in range(n) for j in range(n) if grille[i][j] == 0]
    random.shuffle(cases)
    for i, j in cases:
        for k in range(i - 1, i + 2):
            for l in range(j - 1, j + 2):
                if 0 <= k < n and 0 <= l < n and grille[k][l] == moi:
                    return (i, j)
    return False
