"""Battles of Vampires vs Werewolves: their odds, their exact distributions, what they leave.

E1 attackers meet E2 defenders, fewer than are needed for a sure result. The attack wins with
probability P: 1/2 for E1 = E2, E1 / (2 E2) for fewer, E1 / E2 - 1/2 for more. If it wins, each
attacker survives with probability P (humans too, who are converted); if not, each defender survives
with probability 1 - P. All independently, so that the numbers of survivors are binomial.
"""

from joute.core.arrays import index
from joute.core.interface import implements, inline
from joute.core.random import below
from joute.games.vampires.state import (
    BATTLE,
    COUNTS,
    HUMANS,
    KIND,
    MOST,
    MOVER,
    TARGETS,
    VAMPIRES,
    WON,
    Vampires,
    first_cell,
    first_plan,
    put,
)


@inline
def battle_cell(state):
    """The cell of the battle being fought."""
    return int(state[index(TARGETS + int(state[BATTLE]))])


@inline
def halves(attackers, defenders):
    """P, the probability that the attack wins, as a multiple of 1 / (2 * defenders)."""
    return attackers if attackers <= defenders else 2 * attackers - defenders


@inline
def odds(game, state):
    """Attackers, defenders, their kind, and P as a multiple of 1 / (2 * defenders)."""
    cell = battle_cell(state)
    content = int(state[index(first_cell(game) + cell)])
    attackers = int(state[index(first_plan(game) + cell)])
    defenders = content % KIND
    return attackers, defenders, content // KIND, halves(attackers, defenders)


@inline
def fight(game, state, outcome):
    """Applies the outcome of the battle being fought; more than MOST survivors are MOST."""
    player = int(state[MOVER])
    attackers, defenders, kind, _ = odds(game, state)
    survivors = min(outcome % WON, MOST)
    state[index(COUNTS + player)] -= attackers
    if kind != HUMANS:
        state[index(COUNTS + 1 - player)] -= defenders
    if outcome >= WON:
        put(game, state, battle_cell(state), VAMPIRES + player, survivors)
        state[index(COUNTS + player)] += survivors
    else:
        put(game, state, battle_cell(state), kind, survivors)
        if kind != HUMANS:
            state[index(COUNTS + 1 - player)] += survivors


@implements(Vampires)
def chances(game, state, out, weights):
    attackers, defenders, kind, chance = odds(game, state)
    wins = chance / (2.0 * defenders)
    count = _binomial(defenders, 1.0 - wins, 0, out, weights, 0)
    units = attackers + defenders if kind == HUMANS else attackers
    return _binomial(units, wins, WON, out, weights, count)


@inline
def _binomial(units, survival, base, out, weights, count):
    """Lists how many of `units` survive, with the probability of that and of this side winning.

    A side wins with the probability with which its units survive. From the mode outwards, so that
    nothing underflows but what is below 1e-300 of it.
    """
    ratio = survival / (1.0 - survival)
    mode = min(units, int((units + 1) * survival))
    weights[count + mode] = 1.0
    total = weight = 1.0
    for survivors in range(mode, units):
        weight *= (units - survivors) / (survivors + 1) * ratio
        weights[count + survivors + 1] = weight
        total += weight
    weight = 1.0
    for survivors in range(mode, 0, -1):
        weight *= survivors / (units - survivors + 1) / ratio
        weights[count + survivors - 1] = weight
        total += weight
    for survivors in range(units + 1):
        out[count + survivors] = base + survivors
        weights[count + survivors] *= survival / total
    return count + units + 1


@implements(Vampires)
def draw(game, state, out, weights, rng):
    attackers, defenders, kind, chance = odds(game, state)
    whole = 2 * defenders
    survivors = 0
    if below(rng, whole) < chance:
        for _ in range(attackers + defenders if kind == HUMANS else attackers):
            survivors += below(rng, whole) < chance
        return WON + survivors
    for _ in range(defenders):
        survivors += below(rng, whole) >= chance
    return survivors
