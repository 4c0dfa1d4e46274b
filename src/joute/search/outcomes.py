"""Which outcomes of chance a search looks at, where there are many."""

from joute.games.interface import inline


@inline
def thin(outcomes, weights, count, keep):
    """Keep as many outcomes at most, and none of weight 0; return how many are left, in order.

    They are the quantiles (i + 1/2) / keep of the distribution in the order listed, each as likely
    as there are quantiles that fall on it. 0, or no fewer than there are: all are kept.
    """
    below = 0.0
    left = quantiles = 0
    for each in range(count):
        below += weights[each]
        weight = weights[each]
        if 0 < keep < count:
            before = quantiles
            while quantiles < keep and (quantiles + 0.5) / keep <= below:
                quantiles += 1
            weight = (quantiles - before) / keep
        if weight > 0.0:
            outcomes[left], weights[left] = outcomes[each], weight
            left += 1
    return left
