"""Cautious: counts stones, and what either side leaves exposed, after each of its moves."""


class Plateau:
    """A grid as a dictionary of cells, easier to copy than a list of lists."""

    def __init__(self, grille):
        self.n = len(grille)
        self.cases = {(i, j): grille[i][j] for i in range(self.n) for j in range(self.n)}

    def voisins(self, case):
        i, j = case
        return [
            (k, l)
            for k in (i - 1, i, i + 1)
            for l in (j - 1, j, j + 1)
            if (k, l) in self.cases and (k, l) != case
        ]

    def coups(self, joueur):
        return [
            case
            for case, valeur in self.cases.items()
            if valeur == 0 and any(self.cases[v] == joueur for v in self.voisins(case))
        ]

    def apres(self, joueur, coup):
        suivant = Plateau([])
        suivant.n = self.n
        suivant.cases = self.cases.copy()
        suivant.cases[coup] = joueur
        for voisin in self.voisins(coup):
            if suivant.cases[voisin] == 3 - joueur:
                suivant.cases[voisin] = joueur
        return suivant

    def exposes(self, joueur):
        """The number of a player's stones that touch a cell where the other may play."""
        menaces = set()
        for coup in self.coups(3 - joueur):
            for voisin in self.voisins(coup):
                if self.cases[voisin] == joueur:
                    menaces.add(voisin)
        return len(menaces)

    def valeur(self, joueur):
        pions = list(self.cases.values())
        difference = pions.count(joueur) - pions.count(3 - joueur)
        return 3 * difference - 2 * self.exposes(joueur) + self.exposes(3 - joueur)


def ia(game, side):
    plateau = Plateau(game["grid"])
    moi = game["references"][side]
    coups = plateau.coups(moi)
    if not coups:
        return False
    return max(coups, key=lambda coup: plateau.apres(moi, coup).valeur(moi))
