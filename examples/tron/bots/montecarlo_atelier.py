"""L'atelier Tron, parties 1 et 2 : jouer le coup dont les parties simulées sont les plus longues.

    joute tron solo --bot examples/tron/bots/montecarlo_atelier.py
"""

import random

NB_PARTIES = 20  # simulations par coup étudié


def directionsPossibles(G):
    x, y = G.PlayerX, G.PlayerY
    L = []
    if G.Grille[x - 1, y] == 0:
        L.append((-1, 0))
    if G.Grille[x, y + 1] == 0:
        L.append((0, 1))
    if G.Grille[x + 1, y] == 0:
        L.append((1, 0))
    if G.Grille[x, y - 1] == 0:
        L.append((0, -1))
    return L


def deplacer(G, direction):
    dx, dy = direction
    G.Grille[G.PlayerX, G.PlayerY] = 2  # le mur que la moto laisse derrière elle
    G.PlayerX += dx
    G.PlayerY += dy
    G.Score += 1


def SimulationPartie(G):
    while True:
        L = directionsPossibles(G)
        if len(L) == 0:
            return G.Score
        deplacer(G, L[random.randrange(len(L))])


def MonteCarlo(G, nombreParties):
    Total = 0
    for i in range(nombreParties):
        G2 = G.copy()
        Total += SimulationPartie(G2)
    return Total


def Play(G):
    meilleurTotal = -1
    meilleurCoup = (0, 1)  # tout droit dans le mur, quand il n'y a plus rien à faire
    for coup in directionsPossibles(G):
        G1 = G.copy()
        deplacer(G1, coup)
        total = MonteCarlo(G1, NB_PARTIES)
        if total > meilleurTotal:
            meilleurTotal = total
            meilleurCoup = coup
    return meilleurCoup
