"""Enquêteur : retient ce que les autres montrent en jouant, et vise en conséquence.

Ce qu'un Garde a nommé en vain n'est pas dans la main visée ; qui joue la Comtesse a sans doute le
Roi ou un Prince ; qui survit au Baron a mieux que l'autre. Une main n'est sûre que jusqu'au tour
suivant de son joueur.
"""

GARDE, BARON, PRINCE, ROI, COMTESSE, PRINCESSE = 1, 3, 5, 7, 8, 9
CHANCELIER = 640


def soupcons(observation):
    """Pour chaque joueur, le poids de chaque personnage."""
    copies = observation["unseen"]
    poids = [list(copies) for _ in range(observation["players"])]
    for pas, suivant in zip(observation["log"], observation["log"][1:] + [None]):
        joueur, cible = pas["player"], pas["target"]
        poids[joueur] = list(copies)
        if pas["card"] == GARDE and cible is not None:
            poids[cible][pas["guess"]] = 0
        if pas["card"] == COMTESSE:
            for carte in (PRINCE, ROI):
                poids[joueur][carte] *= 5
        if pas["card"] == BARON and cible is not None and suivant and not suivant["played"]:
            vainqueur = joueur if suivant["player"] == cible else cible
            for carte in range(suivant["card"] + 1):
                poids[vainqueur][carte] = 0
    for joueur, carte in observation["known"]:
        poids[joueur] = [100 * (autre == carte) for autre in range(10)]
    return poids


class Bot:
    def start(self, start):
        self.moi = start["player"]

    def play(self, observation, clock):
        main, poids = observation["hand"], soupcons(observation)

        def valeur(action):
            if action >= CHANCELIER:
                return action  # garder la plus haute
            carte, cible, nom = action // 64, action % 64 // 10, action % 64 % 10
            autre = main[1] if main[0] == carte else main[0]
            if carte == PRINCESSE:
                return -100
            if cible >= 6:  # sans cible : la carte ne fait rien à personne
                return -carte
            total = sum(poids[cible]) or 1
            if carte == GARDE:
                return 20 * poids[cible][nom] / total
            if carte == BARON:
                return 10 * (2 * sum(poids[cible][:autre]) / total - 1)
            if carte == PRINCE:
                return -autre if cible == self.moi else 20 * poids[cible][PRINCESSE] / total - 3
            return -carte

        return max(observation["legal"], key=valeur)
