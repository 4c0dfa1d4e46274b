"""The Paradise contest's loop, with functions of other names and a count kept in the loop."""


def chosen(state, asked):
    if state["player_mana"] >= 2 and asked % 2:
        return 0, None
    return 4, None


def communicate(pipe, *args, **kwargs):
    asked, told = 0, None
    while True:
        packet = pipe.recv()
        if packet["action"] == "start":
            pipe.send(None)
        elif packet["action"] == "play":
            asked += 1
            print(asked)
            if asked == 3:
                raise ValueError("the third time")
            pipe.send(chosen(packet["args"], asked))
        else:
            told = packet["args"]
            pipe.send(told)
