"""Pousse la frontière : veut atteindre avant les autres le plus de cases possible.

Une course en largeur part de ma moto et des autres à la fois ; une case est à qui arrive le
premier. Je joue le coup qui m'en laisse le plus.
"""

from collections import deque

PAS = {0: (-1, 0), 1: (0, 1), 2: (1, 0), 3: (0, -1)}  # les escaliers, ce sera pour une autre fois


def play(observation, clock):
    lignes = [etage[::-1] for etage in observation["floors"]]  # y vers le haut
    largeur, hauteur = observation["width"], observation["height"]
    moi = observation["player"]
    tetes = observation["heads"]
    x, y, etage = tetes[moi]

    def voisines(x, y, etage):
        for dx, dy in PAS.values():
            a, b = x + dx, y + dy
            if "x" in observation["wrap"]:
                a %= largeur
            if "y" in observation["wrap"]:
                b %= hauteur
            if 0 <= a < largeur and 0 <= b < hauteur and lignes[etage][b][a] in " udb":
                yield a, b, etage

    def gagnees(depart):
        autres = [tuple(tetes[autre]) for autre in observation["alive"] if autre != moi]
        a_qui = {depart: True}
        file = deque([depart])
        for autre in autres:
            for case in voisines(*autre):
                if case not in a_qui:
                    a_qui[case] = False
                    file.append(case)
        while file:
            case = file.popleft()
            for voisine in voisines(*case):
                if voisine not in a_qui:
                    a_qui[voisine] = a_qui[case]
                    file.append(voisine)
        return sum(a_qui.values())

    coups = {}
    for coup in observation["legal"]:
        if coup in PAS:
            dx, dy = PAS[coup]
            case = (x + dx, y + dy, etage)
            if case in set(voisines(x, y, etage)):
                coups[coup] = gagnees(case)
    return max(coups, key=coups.get) if coups else observation["legal"][0]
