"""Games one page at a time, on both databases."""

from store.samples import GAME, numbered

from joute.store.store import Store


def _between(number, *bots):
    """A game of these bots, in this order of seats."""
    return numbered(number, bots=list(bots), members=sorted(bots))


def test_games_are_listed_newest_first_a_page_at_a_time(url):
    with Store(url) as store:
        store.add(numbered(number) for number in range(7))
        pages, before = [], None
        while page := store.listed(before=before, count=3):
            pages.append([game.number for game in page])
            before = page[-1].number
    assert pages == [[7, 6, 5], [4, 3, 2], [1]]


def test_a_listed_game_says_what_the_game_says(url):
    with Store(url) as store:
        store.add([GAME])
        (found,) = store.listed()
    for name in ("identity", "map", "plies", "ending", "faults", "played_at"):
        assert getattr(found, name) == getattr(GAME, name)
    for name in ("bots", "returns", "points"):
        assert list(getattr(found, name)) == getattr(GAME, name)


def test_games_can_be_listed_by_those_who_played_them(url):
    games = [_between(1, "ann", "bob"), _between(2, "cy", "ann"), _between(3, "bob", "ann")]
    with Store(url) as store:
        store.add(games)
        assert [game.number for game in store.listed(["ann", "bob"])] == [3, 1]
        assert [game.number for game in store.listed(["cy"])] == [2]
        assert store.listed(["cy", "bob"]) == store.listed(["dan"]) == []
        counts = [store.how_many(bots) for bots in ([], ["ann"], ["ann", "bob"], ["dan"])]
    assert counts == [3, 3, 2, 0]


def test_a_new_store_lists_nothing(url):
    with Store(url) as store:
        assert store.listed() == [] and store.how_many() == 0
