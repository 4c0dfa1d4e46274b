# Glouton : on prend la case qui retourne le plus de pions adverses.


def voisins(i, j, n):
    res = []
    for di in (-1, 0, 1):
        for dj in (-1, 0, 1):
            if (di, dj) != (0, 0) and 0 <= i + di < n and 0 <= j + dj < n:
                res.append((i + di, j + dj))
    return res


def ia(game, side):
    grille = game["grid"]
    moi = game["references"][side]
    vide = game["references"]["neutral"]
    n = len(grille)
    meilleur = -1
    coup = False
    for i in range(n):
        for j in range(n):
            if grille[i][j] != vide:
                continue
            v = voisins(i, j, n)
            if not any(grille[a][b] == moi for a, b in v):
                continue
            gain = 0
            for a, b in v:
                if grille[a][b] != moi and grille[a][b] != vide:
                    gain += 1
            if gain > meilleur:
                meilleur = gain
                coup = [i, j]
    return coup
