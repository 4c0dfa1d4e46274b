"""Which outcomes of chance a search looks at, where there are many."""

from joute.core.interface import inline


@inline
def thin(outcomes, weights, count, keep):
    """Keep about as many outcomes, and none of weight 0; return how many are left, in order.

    They are quantiles of the distribution in the order listed, each as likely as what it stands
    for. A jump in the numbers parts what is not alike, as a battle won from one lost: each run of
    consecutive outcomes keeps its weight, and of the quantiles its part, but one at least.
    0, or no fewer than there are: all are kept.
    """
    left = begin = 0
    while begin < count:
        end, total = begin, 0.0
        while end < count and (end == begin or outcomes[end] == outcomes[end - 1] + 1):
            total += weights[end]
            end += 1
        wanted = max(int(keep * total + 0.5), 1)
        below = 0.0
        quantiles = 0
        for each in range(begin, end):
            below += weights[each]
            weight = weights[each]
            if 0 < keep < count:
                before = quantiles
                while quantiles < wanted and (quantiles + 0.5) / wanted * total <= below:
                    quantiles += 1
                weight = (quantiles - before) / wanted * total
            if weight > 0.0:
                outcomes[left], weights[left] = outcomes[each], weight
                left += 1
        begin = end
    return left
