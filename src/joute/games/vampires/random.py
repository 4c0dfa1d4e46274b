"""Maps of Vampires vs Werewolves drawn at random, the same for both species."""

from joute.core.errors import GameError
from joute.core.random import below, generator
from joute.games.vampires.map import MOST, Group, VampiresMap
from joute.i18n.words import Sentence


def random_map(width: int, height: int, houses: int, seed: int) -> VampiresMap:
    """A map that looks the same upside down, species exchanged.

    A house has 1 to 19 humans, each species starts with 2 to 19. Raises GameError for a size out of
    range, or houses that have no room: an odd number needs a cell in the middle.
    """
    for name, value in (("width", width), ("height", height)):
        if not 1 <= value <= MOST:
            raise GameError(Sentence(f"error.vampires.{name}", most=MOST, value=value))
    area = width * height
    most = min(area, MOST) - 2
    odd_area = area % 2
    if not 0 <= houses <= most or (houses % 2 and not odd_area):
        key = "error.vampires.houses" if odd_area else "error.vampires.houses.even"
        grid = {"width": width, "height": height}
        raise GameError(Sentence(key, most=max(most, 0), houses=houses, **grid))
    rng = generator(seed)
    pairs = list(range(area // 2))
    middle = area // 2

    def drawn(cell: int, count: int) -> list[Group]:
        """A group in a cell and the same opposite."""
        cells = [cell, area - 1 - cell] if cell != middle or not odd_area else [cell]
        return [(each % width, each // width, count) for each in cells]

    starts = drawn(pairs.pop(below(rng, len(pairs))), 2 + below(rng, 18))
    if below(rng, 2):
        starts.reverse()
    humans = drawn(middle, 1 + below(rng, 19)) if houses % 2 else []
    while len(humans) < houses:
        humans += drawn(pairs.pop(below(rng, len(pairs))), 1 + below(rng, 19))
    return VampiresMap(height, width, tuple(humans), starts[0], starts[1])
