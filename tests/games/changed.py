"""Games that differ from another in a few of their rules, in plain Python."""

from joute.core.interface import implements, rules_of


def alike(kind, **changed):
    """A game of another class with the rules of `kind`, but for those that are changed."""

    class Other(kind):
        """The same with a change."""

    for name, rule in {**rules_of(kind), **changed}.items():
        implements(Other, name)(rule)
    return Other()
