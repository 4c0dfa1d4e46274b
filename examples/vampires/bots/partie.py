"""Ce que chasseur.py et fixe.py ont en commun, et qui n'est pas un programme.

Plateau est l'environnement, `decider` l'algorithme, `jouer` le réseau.
"""

import socket

HUMAINS, VAMPIRES, LOUPS = 0, 1, 2


class Connexion:
    """La liaison avec le serveur : des trames entières dans les deux sens."""

    def __init__(self, adresse, port):
        self.socket = socket.create_connection((adresse, port))

    def lire(self, nombre):
        """Exactement ce nombre d'octets ; le serveur peut les envoyer en plusieurs fois."""
        recu = b""
        while len(recu) < nombre:
            morceau = self.socket.recv(nombre - len(recu))
            if not morceau:
                raise EOFError("le serveur a coupé")
            recu += morceau
        return recu

    def groupes(self, taille):
        """Un nombre, puis autant de groupes d'octets."""
        return [tuple(self.lire(taille)) for _ in range(self.lire(1)[0])]

    def nommer(self, nom):
        self.socket.sendall(b"NME" + bytes([len(nom)]) + nom.encode("ascii"))

    def deplacer(self, mouvements):
        trame = b"MOV" + bytes([len(mouvements)])
        self.socket.sendall(trame + b"".join(bytes(mouvement) for mouvement in mouvements))


class Plateau:
    """Ce que contient chaque case : (humains, vampires, loups-garous)."""

    def __init__(self, lignes, colonnes):
        self.lignes, self.colonnes = lignes, colonnes
        self.cases = {}

    def changer(self, groupes):
        for x, y, *contenu in groupes:
            self.cases[x, y] = tuple(contenu)

    def de(self, espece):
        """Les groupes d'une espèce : (x, y, effectif), les plus gros d'abord."""
        trouves = [(x, y, c[espece]) for (x, y), c in self.cases.items() if c[espece]]
        return sorted(trouves, key=lambda groupe: -groupe[2])

    def voisines(self, x, y):
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                ici = x + dx, y + dy
                if ici != (x, y) and 0 <= ici[0] < self.colonnes and 0 <= ici[1] < self.lignes:
                    yield ici


def distance(a, b):
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def decider(plateau, moi):
    """L'ordre : tout le plus gros groupe se déplace d'une case."""
    ennemi = VAMPIRES + LOUPS - moi
    x, y, effectif = plateau.de(moi)[0]
    proies = [(px, py) for px, py, nombre in plateau.de(HUMAINS) if nombre <= effectif]
    proies += [(px, py) for px, py, nombre in plateau.de(ennemi) if 3 * nombre <= 2 * effectif]
    dangers = [(px, py) for px, py, nombre in plateau.de(ennemi) if 3 * nombre > 2 * effectif]

    def valeur(case):
        proie = min((distance(case, autre) for autre in proies), default=0)
        danger = min((distance(case, autre) for autre in dangers), default=9)
        return -proie - (20 if danger <= 1 else 0) + (danger if not proies else 0) / 10

    def sure(case):
        humains, *autres = plateau.cases.get(case, (0, 0, 0))
        return humains <= effectif and 3 * autres[ennemi - 1] <= 2 * effectif

    choix = [case for case in plateau.voisines(x, y) if sure(case)]
    but = max(choix or list(plateau.voisines(x, y)), key=valeur)
    return [(x, y, effectif, *but)]


def jouer(adresse, port, nom):
    """Une partie, de NME à BYE."""
    liaison = Connexion(adresse, port)
    liaison.nommer(nom)
    while True:
        ordre = liaison.lire(3)
        if ordre == b"SET":
            plateau = Plateau(*liaison.lire(2))
        elif ordre == b"HUM":
            liaison.groupes(2)
        elif ordre == b"HME":
            depart = tuple(liaison.lire(2))
        elif ordre == b"MAP":
            plateau.changer(liaison.groupes(5))
            moi = VAMPIRES if plateau.cases[depart][VAMPIRES] else LOUPS
        elif ordre == b"UPD":
            plateau.changer(liaison.groupes(5))
            liaison.deplacer(decider(plateau, moi))
        elif ordre == b"BYE":
            return
