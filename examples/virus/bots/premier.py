# Le premier coup légal, ligne par ligne : l'exemple de la page du concours, à ma façon.


def ia(game, side):
    grille = game["grid"]
    moi = game["references"][side]
    vide = game["references"]["neutral"]
    n = len(grille)
    for i in range(n):
        for j in range(n):
            if grille[i][j] != vide:
                continue
            for k in [-1, 0, 1]:
                for l in [-1, 0, 1]:
                    if 0 <= i + k < n and 0 <= j + l < n and grille[i + k][j + l] == moi:
                        return [i, j]
    return False
