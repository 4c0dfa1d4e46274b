"""Longe les murs : va sur la case libre qui touche le plus de murs, sans s'y enfermer.

On gagne de la place à ne pas en gaspiller. Il ne regarde ni l'adversaire, ni plus loin que la
case d'après.
"""

PAS = [(-1, 0), (0, 1), (1, 0), (0, -1)]  # gauche, haut, droite, bas


def libre(etages, x, y, etage):
    lignes = etages[etage]
    if not (0 <= y < len(lignes) and 0 <= x < len(lignes[0])):
        return False
    case = lignes[len(lignes) - 1 - y][x]  # les lignes vont de haut en bas, y de bas en haut
    return case == " " or case.isalpha()


def sorties(etages, x, y, etage):
    return sum(libre(etages, x + dx, y + dy, etage) for dx, dy in PAS)


def play(observation, clock):
    etages = observation["floors"]
    x, y, etage = observation["heads"][observation["player"]]

    def note(direction):
        if direction >= 4:  # un escalier : quand il n'y a plus rien d'autre
            return 4
        dx, dy = PAS[direction]
        restantes = sorties(etages, x + dx, y + dy, etage)
        return 5 if restantes == 0 else restantes  # un cul-de-sac, en dernier

    return min(observation["legal"], key=note)
