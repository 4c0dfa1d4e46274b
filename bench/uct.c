/* UCT in C: what the kernel of joute is measured against. A game's file defines the game, and then
   includes this one.

   The algorithm, the layout of the tree and the random stream are those of src/joute
   (search/uct.py), so that both sides grow the same tree and their results must
   agree exactly. Within that, this is C as fast as we can write it: the game is known when this is
   compiled, players are two who see everything, the path is on the stack. */

#include <math.h>
#include <string.h>

typedef struct {
    int32_t action, visits, first, children;
} place;

INLINE i64 choose(i64 here, double exploration, u64 *restrict rng, place *restrict places,
                  const double *restrict sums) {
    i64 first = places[here].first, count = places[here].children, tried = places[here].visits - 1;
    if (tried < count) {
        i64 chosen = first + tried, other = chosen + below(rng, count - tried);
        int32_t action = places[chosen].action;
        places[chosen].action = places[other].action;
        places[other].action = action;
        return chosen;
    }
    double best = -INFINITY, spread = exploration * sqrt(log((double)places[here].visits));
    i64 chosen = first;
    for (i64 at = first; at < first + count; at++) {
        double visits = places[at].visits;
        double bound = sums[at] / visits + spread / sqrt(visits);
        if (bound > best) best = bound, chosen = at;
    }
    return chosen;
}

/* Add `count` simulations from `root` to a tree of `size` places, of which `used` are; return how
   many are used then. */
i64 simulate(const i64 *restrict root, double exploration, i64 count, u64 *restrict generator,
             place *restrict places, double *restrict sums, i64 size, i64 used) {
    u64 rng[2] = {generator[0], generator[1]};
    int32_t path[MAX_PLIES + 1];
    int8_t players[MAX_PLIES + 1];
    for (i64 one = 0; one < count; one++) {
        i64 state[WORDS], actions[MAX_LEGAL], here = 0, inside = 1, length = 0, player;
        memcpy(state, root, sizeof state);
        while ((player = mover(state)) != OVER) {
            i64 action;
            if (inside && places[here].children == 0) {
                i64 legals = legal(state, actions);
                inside = used + legals <= size;
                if (inside) {
                    places[here].first = used;
                    places[here].children = legals;
                    for (i64 each = 0; each < legals; each++, used++) {
                        places[used].action = actions[each];
                        places[used].visits = places[used].children = 0;
                        sums[used] = 0.0;
                    }
                }
            }
            if (!inside) {
                play(state, pick(state, rng));
                continue;
            }
            here = choose(here, exploration, rng, places, sums);
            action = places[here].action;
            play(state, action);
            path[length] = here;
            players[length++] = player;
            if (places[here].visits == 0 && mover(state) != OVER) inside = 0;
        }
        double won = outcome(state);
        places[0].visits++;
        for (i64 step = 0; step < length; step++) {
            places[path[step]].visits++;
            sums[path[step]] += players[step] ? -won : won;
        }
    }
    generator[0] = rng[0];
    generator[1] = rng[1];
    return used;
}
