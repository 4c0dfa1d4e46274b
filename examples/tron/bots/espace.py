"""Va là où il reste le plus de place, et dans cette place longe les murs.

Compte les cases qu'on peut encore atteindre après chaque coup, par les escaliers aussi, et par les
bords quand ils se rejoignent. Les téléporteurs, il ne connaît pas : pour lui ce sont des murs.
"""

GAUCHE, HAUT, DROITE, BAS, MONTER, DESCENDRE = range(6)
PAS = {
    GAUCHE: (-1, 0, 0),
    HAUT: (0, 1, 0),
    DROITE: (1, 0, 0),
    BAS: (0, -1, 0),
    MONTER: (0, 0, 1),
    DESCENDRE: (0, 0, -1),
}
ESCALIERS = {"u": {MONTER}, "d": {DESCENDRE}, "b": {MONTER, DESCENDRE}}


class Bot:
    def play(self, observation, clock):
        self.largeur, self.hauteur = observation["width"], observation["height"]
        self.rejoints = observation["wrap"]
        self.etages = observation["floors"]
        depart = tuple(observation["heads"][observation["player"]])

        places = {coup: self.place(self.suivante(depart, coup)) for coup in observation["legal"]}
        coup = max(places, key=places.get)
        return {"action": coup, "message": f"il me reste {places[coup][0]} cases"}

    def case(self, position):
        x, y, etage = position
        if not (0 <= x < self.largeur and 0 <= y < self.hauteur):
            return "#"
        return self.etages[etage][self.hauteur - 1 - y][x]

    def libre(self, position):
        return self.case(position) in " udb"

    def suivante(self, position, direction):
        x, y, etage = (a + b for a, b in zip(position, PAS[direction]))
        if "x" in self.rejoints:
            x %= self.largeur
        if "y" in self.rejoints:
            y %= self.hauteur
        return x, y, etage

    def voisines(self, position):
        escaliers = ESCALIERS.get(self.case(position), set())
        for direction in (GAUCHE, HAUT, DROITE, BAS, *escaliers):
            voisine = self.suivante(position, direction)
            if self.libre(voisine):
                yield voisine

    def place(self, position):
        """Les cases qu'on atteint de là, puis les murs qui la touchent."""
        if not self.libre(position):
            return 0, 0
        vues, a_voir = {position}, [position]
        while a_voir:
            for voisine in self.voisines(a_voir.pop()):
                if voisine not in vues:
                    vues.add(voisine)
                    a_voir.append(voisine)
        return len(vues), -sum(1 for _ in self.voisines(position))
