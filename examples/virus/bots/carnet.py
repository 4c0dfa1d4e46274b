# Tient un carnet dans misc : compte les attaques reçues par quart de grille et va y répondre.


def quart(i, j, n):
    return (i >= n // 2) * 2 + (j >= n // 2)


def ia(game, side):
    grille = game["grid"]
    moi = game["references"][side]
    n = len(grille)
    misc = game[side]["misc"]
    if "attaques" not in misc:
        misc["attaques"] = [0, 0, 0, 0]
        misc["lus"] = 0
    for joueur, coup in game["history"][misc["lus"] :]:
        if joueur != side and coup != "False":
            for a, b in coup[2]:
                misc["attaques"][quart(a, b, n)] += 1
    misc["lus"] = len(game["history"])

    choix, note = False, None
    for i in range(n):
        for j in range(n):
            if grille[i][j] != 0:
                continue
            amis = ennemis = libres = 0
            for a in range(max(0, i - 1), min(n, i + 2)):
                for b in range(max(0, j - 1), min(n, j + 2)):
                    if grille[a][b] == moi:
                        amis += 1
                    elif grille[a][b] == 0:
                        libres += 1
                    else:
                        ennemis += 1
            if amis == 0:
                continue
            points = 10 * ennemis - 2 * libres + misc["attaques"][quart(i, j, n)]
            if note is None or points > note:
                choix, note = [i, j], points
    return choix
