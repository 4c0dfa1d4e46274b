# La boucle des exemples du concours, écrite à la main ; dedans, un joueur qui nettoie la table.


class Joueur:
    def __init__(self):
        self.attaquants = None

    def joue(self, state):
        moi, lui = state["player_target"], state["opponent_target"]
        if self.attaquants is None:
            self.attaquants = [i for i in range(1, len(moi)) if moi[i]["turns_in_play"] > 0]
        while self.attaquants:
            i = self.attaquants.pop()  # de droite à gauche : un mort ne décale que ceux de droite
            if i < len(moi):
                return 3, (i, max(range(len(lui)), key=lambda t: lui[t].get("atk", 0)))
        for i, carte in enumerate(state["player_hand"]):
            if carte["type"] == "minion" and carte["cost"] <= state["player_mana"] and len(moi) < 8:
                return 1, i
        self.attaquants = None
        return 4, None


def communicate(pipe):
    joueur = Joueur()
    while True:
        if not pipe.poll():
            continue
        paquet = pipe.recv()
        if paquet["action"] == "play":
            pipe.send(joueur.joue(paquet["args"]))
        else:
            pipe.send(None)
