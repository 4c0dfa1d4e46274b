# Tout au héros : ce qu'il y a de plus cher en main, puis le pouvoir, puis toutes les attaques.

SORTS = (3, 9, 12)  # ceux qui ont une cible

# L'état ne dit pas qui a déjà attaqué, ni si le pouvoir a servi : il faut le retenir.
attaquant = None  # le dernier qui a attaqué, de droite à gauche
pouvoir = False


def start():
    finir()


def play(state):
    global attaquant, pouvoir
    main, mana = state["player_hand"], state["player_mana"]
    place = len(state["player_target"]) < 8  # le héros compte
    jouables = []
    for i, carte in enumerate(main):
        if carte["cost"] <= mana and (carte["id"] in SORTS or carte["type"] == "minion" and place):
            jouables.append((carte["cost"], i))
    if jouables:
        i = max(jouables)[1]
        return (1, i) if main[i]["type"] == "minion" else (2, (i, 0))
    if mana >= 2 and not pouvoir:
        pouvoir = True
        return 0, None
    if attaquant is None:
        attaquant = len(state["player_target"])
    while attaquant > 1:
        attaquant -= 1
        if state["player_target"][attaquant]["turns_in_play"] > 0:
            return 3, (attaquant, 0)
    return finir()


def finir():
    global attaquant, pouvoir
    attaquant, pouvoir = None, False
    return 4, None


def end(victory):
    pass
