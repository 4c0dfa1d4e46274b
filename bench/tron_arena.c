/* Tron's arena in C: what the kernels of joute are measured against.

   Playouts have the rules, the layout of states and the random stream of src/joute (games/tron.py,
   search/playouts.py), territory the algorithm and the layout of bots/tron_territory.py; what a
   game is, is known at run time only, so that both sides do the same work, and their results must
   agree exactly. Within that, this is C as fast as we can write it: pointers do not alias, and
   what is done once per playout stays in registers. */

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef int64_t i64;
typedef uint64_t u64;
typedef int16_t i16;
typedef int32_t i32;

enum { OVER = -2, MOVER = 0, ROUND = 1, ALIVE = 2, PENDING = 3 };
enum { HEAD = 8, CHOICE = 16, OPEN = 24, COURSE = 32, MADE = 40, PLACE = 48, GOAL = 56, CELLS = 64 };
enum { NONE = -1, CRASHED = 9, SLOTS = 8 };
#define INLINE static inline __attribute__((always_inline))

typedef struct {
    i64 players, directions, turns, vanish, cells, teams;
    const i16 *neighbour, *partner, *team;
} rules;

static int8_t NTH[512], COUNT[64];

__attribute__((constructor)) static void fill_tables(void) {
    for (int word = 0; word < 64; word++)
        for (int bit = 0; bit < 6; bit++)
            if (word >> bit & 1) NTH[8 * word + COUNT[word]++] = bit;
}

/* The rules. */

INLINE i64 open_directions(const rules *restrict game, const i16 *restrict state, i64 bike) {
    const i16 *row = game->neighbour + SLOTS * state[HEAD + bike];
    i64 open = 0;
    for (i64 direction = 0; direction < 4; direction++)
        open |= (i64)(state[CELLS + row[direction]] == 0) << direction;
    for (i64 direction = 4; direction < game->directions; direction++)
        open |= (i64)(state[CELLS + row[direction]] == 0) << direction;
    return open;
}

INLINE int decided(const rules *restrict game, const i16 *restrict state) {
    if (game->teams == game->players) return state[ALIVE] <= 1;
    i64 side = NONE;
    for (i64 bike = 0; bike < game->players; bike++) {
        if (state[PLACE + bike]) continue;
        if (side >= 0 && game->team[bike] != side) return 0;
        side = game->team[bike];
    }
    return 1;
}

INLINE i64 goal_of(const rules *restrict game, const i16 *restrict state, i64 bike) {
    i64 choice = state[CHOICE + bike];
    if (choice < 0) return 0;
    i64 cell = game->neighbour[SLOTS * state[HEAD + bike] + choice];
    return state[CELLS + cell] == 0 ? cell : 0;
}

INLINE int crashes(const rules *restrict game, const i16 *restrict state, i64 bike) {
    i64 goal = state[GOAL + bike];
    if (goal == 0) return 1;
    i64 other_end = game->partner[goal];
    for (i64 other = 0; other < game->players; other++) {
        i64 entered = state[GOAL + other];
        if (other != bike && entered != 0 && (entered == goal || entered == other_end)) return 1;
    }
    return 0;
}

INLINE void enter(const rules *restrict game, i16 *restrict state, i64 bike, int crashed) {
    i64 goal = state[GOAL + bike], other_end = game->partner[goal];
    i16 mark = crashed ? CRASHED : 1 + bike;
    state[CELLS + goal] = mark;
    if (other_end) state[CELLS + other_end] = mark;
    if (!crashed) {
        i64 choice = state[CHOICE + bike];
        state[HEAD + bike] = goal;
        state[MADE + bike]++;
        if (choice < 4) state[COURSE + bike] = choice;
    }
}

INLINE void take_out(const rules *restrict game, i16 *restrict state, i64 crashed) {
    state[ALIVE] -= COUNT[crashed & 15] + COUNT[crashed >> 4];
    for (i64 bike = 0; bike < game->players; bike++)
        if (crashed >> bike & 1) {
            state[PLACE + bike] = state[ALIVE] + 1;
            state[OPEN + bike] = 0;
        }
    if (game->vanish)
        for (i64 cell = 1; cell < game->cells; cell++) {
            i64 mark = state[CELLS + cell];
            if (mark == CRASHED || (mark > 0 && crashed >> (mark - 1) & 1)) state[CELLS + cell] = 0;
        }
}

INLINE void move_all(const rules *restrict game, i16 *restrict state) {
    i64 crashed = 0;
    for (i64 bike = 0; bike < game->players; bike++)
        state[GOAL + bike] = goal_of(game, state, bike);
    for (i64 bike = 0; bike < game->players; bike++)
        if (state[PLACE + bike] == 0) crashed |= (i64)crashes(game, state, bike) << bike;
    for (i64 bike = 0; bike < game->players; bike++) {
        if (state[GOAL + bike]) enter(game, state, bike, crashed >> bike & 1);
        state[CHOICE + bike] = NONE;
    }
    state[ROUND]++;
    state[PENDING] = 0;
    if (crashed) take_out(game, state, crashed);
}

INLINE void open_round(const rules *restrict game, i16 *restrict state) {
    for (;;) {
        if (decided(game, state)) {
            state[MOVER] = OVER;
            return;
        }
        i64 first = NONE;
        for (i64 bike = game->players - 1; bike >= 0; bike--) {
            i64 open = 0;
            if (state[PLACE + bike] == 0) {
                open = open_directions(game, state, bike);
                if (open) first = bike;
            }
            state[OPEN + bike] = open;
        }
        if (first >= 0) {
            state[MOVER] = first;
            return;
        }
        move_all(game, state);
    }
}

INLINE void pass_turn(const rules *restrict game, i16 *restrict state, i64 bike) {
    for (;; bike++) {
        if (decided(game, state)) {
            state[ROUND] += bike > 0;
            state[MOVER] = OVER;
            return;
        }
        if (bike == game->players) {
            bike = 0;
            state[ROUND]++;
        }
        if (state[PLACE + bike]) continue;
        i64 open = open_directions(game, state, bike);
        if (open) {
            state[OPEN + bike] = open;
            state[MOVER] = bike;
            return;
        }
        take_out(game, state, 1LL << bike);
    }
}

INLINE void play(const rules *restrict game, i16 *restrict state, i64 action) {
    i64 bike = state[MOVER];
    state[CHOICE + bike] = action;
    if (game->turns) {
        i64 goal = goal_of(game, state, bike);
        state[GOAL + bike] = goal;
        if (goal) enter(game, state, bike, 0);
        else take_out(game, state, 1LL << bike);
        state[CHOICE + bike] = NONE;
        pass_turn(game, state, bike + 1);
        return;
    }
    state[PENDING]++;
    while (++bike < game->players)
        if (state[OPEN + bike]) {
            state[MOVER] = bike;
            return;
        }
    move_all(game, state);
    open_round(game, state);
}

INLINE i64 last_place(const rules *restrict game, const i16 *restrict state, i64 player) {
    i64 best = state[PLACE + player];
    if (game->teams == game->players) return best;
    for (i64 other = 0; other < game->players; other++)
        if (game->team[other] == game->team[player] && state[PLACE + other] < best)
            best = state[PLACE + other];
    return best;
}

INLINE int first_of_side(const rules *restrict game, i64 player) {
    for (i64 other = 0; other < player; other++)
        if (game->team[other] == game->team[player]) return 0;
    return 1;
}

INLINE double result(const rules *restrict game, const i16 *restrict state, i64 player) {
    i64 lead = 0, mine = last_place(game, state, player);
    for (i64 other = 0; other < game->players; other++)
        if (first_of_side(game, other)) {
            i64 theirs = last_place(game, state, other);
            lead += (mine < theirs) - (mine > theirs);
        }
    return (double)lead / (game->teams - 1);
}

/* Playouts. */

INLINE u64 bits(u64 *restrict rng) {
    u64 first = rng[0], second = rng[1], result = first + second;
    second ^= first;
    rng[0] = (first << 24 | first >> 40) ^ second ^ second << 16;
    rng[1] = second << 37 | second >> 27;
    return result;
}

INLINE i64 below(u64 *restrict rng, i64 bound) { return (bits(rng) >> 32) * (u64)bound >> 32; }

i64 playouts(const rules *restrict game, const i16 *restrict root, i64 count,
             u64 *restrict generator, i16 *restrict state, double *restrict total) {
    u64 rng[2] = {generator[0], generator[1]};
    i64 plies = 0;
    for (i64 player = 0; player < game->players; player++) total[player] = 0.0;
    for (i64 one = 0; one < count; one++) {
        memcpy(state, root, sizeof *state * (CELLS + game->cells));
        while (state[MOVER] != OVER) {
            i64 open = state[OPEN + state[MOVER]];
            play(game, state, NTH[8 * open + below(rng, COUNT[open])]);
            plies++;
        }
        for (i64 player = 0; player < game->players; player++)
            total[player] += result(game, state, player);
    }
    generator[0] = rng[0];
    generator[1] = rng[1];
    return plies;
}

/* Territory. */

enum { CLOSED = -1, OWNER = 15, NOBODY = 15, STEP = 16 };
#define ZERO (1LL << 20)
#define ONE (1LL << 36)
#define ENDS (ZERO - 1)
#define COLOUR 0xffffLL
#define FRONT (1LL << 52)
#define MOVE (1LL << 20)
#define PER_CELL 0.055
#define PER_END 0.194
#define LEAD 3.3
#define LEAD_OF_MORE 0.25
#define SEPARATED 10.0
#define WON 1e6

typedef struct {
    i64 bipartite;
    const i16 *node;
    const i32 *begin;
    const i16 *near;
    const i64 *unit;
    i32 *label;
    i16 *queue, *order, *low, *parent;
    i32 *resume;
    i64 *size, *chain, *ahead;
    double *results;
} board;

INLINE i64 smaller(i64 one, i64 other) { return one < other ? one : other; }
INLINE i64 larger(i64 one, i64 other) { return one > other ? one : other; }

INLINE i64 reach(const board *restrict on, const rules *restrict game, i64 head, i64 owner,
                 i64 reached) {
    for (i64 direction = 0; direction < game->directions; direction++) {
        i64 cell = on->node[game->neighbour[SLOTS * head + direction]];
        i64 found = on->label[cell], mine = STEP + owner;
        if (found == 0) {
            on->label[cell] = mine;
            on->queue[reached++] = cell;
        } else if (found > 0 && found != mine) {
            on->label[cell] = STEP + NOBODY;
        }
    }
    return reached;
}

INLINE int divide(const board *restrict on, const rules *restrict game, const i16 *restrict state) {
    i32 *restrict label = on->label;
    i16 *restrict queue = on->queue;
    const i16 *restrict near = on->near;
    for (i64 cell = 0; cell < game->cells; cell++) {
        label[cell] = state[CELLS + cell] ? CLOSED : 0;
        on->order[cell] = 0;
    }
    i64 reached = 0;
    int met = 0;
    for (i64 bike = 0; bike < game->players; bike++)
        if (state[PLACE + bike] == 0)
            reached = reach(on, game, state[HEAD + bike], bike + 1, reached);
    for (i64 each = 0; each < reached; each++) met |= (label[queue[each]] & OWNER) == NOBODY;
    for (i64 done = 0; done < reached; done++) {
        i64 cell = queue[done];
        i32 next = label[cell] + STEP;
        const i16 *at = near + on->begin[cell];
        for (i64 to = *at; to; to = *++at) {
            i32 found = label[to];
            if (found == 0) {
                label[to] = next;
                queue[reached++] = to;
            } else if (found > 0 && (found ^ next) & OWNER) {
                met = 1;
                if ((found ^ next) < STEP) label[to] = next | NOBODY;
            }
        }
    }
    return met;
}

INLINE i64 most(const board *restrict on, i64 count, i64 entrance) {
    i64 zeros = count / ZERO & COLOUR, ones = count / ONE & COLOUR, ends = count & ENDS;
    if (!on->bipartite) return (zeros + ones) * MOVE + ends;
    int first = on->unit[entrance] == ONE;
    return smaller(2 * (first ? ones : zeros) + 1, 2 * (first ? zeros : ones)) * MOVE + ends;
}

INLINE void explore(const board *restrict on, i64 first, i64 owner, i64 *restrict known) {
    const i32 *restrict label = on->label;
    i16 *restrict order = on->order, *restrict low = on->low, *restrict parent = on->parent;
    i32 *restrict resume = on->resume;
    i64 *restrict sizes = on->size, *restrict chains = on->chain, *restrict aheads = on->ahead;
    i64 seen = *known, cell = first, above = 0;
    for (;;) {
        order[cell] = ++seen;
        parent[cell] = above;
        i64 lowest = label[cell] < 2 * STEP ? 1 : seen, count = on->unit[cell];
        i64 chain = 0, ahead = 0;
        const i16 *at = on->near + on->begin[cell];
        for (;;) {
            i64 to = *at++;
            if (to) {
                if ((label[to] & OWNER) != owner) {
                    if (label[to] > 0) count = (count + 1) | FRONT;
                    continue;
                }
                count++;
                i64 when = order[to];
                if (when == 0) {
                    low[cell] = lowest;
                    chains[cell] = chain;
                    aheads[cell] = ahead;
                    sizes[cell] = count;
                    resume[cell] = at - on->near;
                    above = cell;
                    cell = to;
                    break;
                }
                lowest = smaller(lowest, when);
                continue;
            }
            above = parent[cell];
            if (above == 0) {
                chains[cell] = chain;
                aheads[cell] = ahead;
                sizes[cell] = count;
                *known = seen;
                return;
            }
            if (lowest >= order[above]) {
                chain += most(on, count, above);
                i64 through = label[above] / STEP * MOVE + chain;
                int front = count >= FRONT || ahead > through;
                ahead = front ? larger(ahead, through) : 0;
                chain = front ? 0 : chain;
                count = 0;
            }
            cell = above;
            lowest = smaller(lowest, low[cell]);
            chain = larger(chain, chains[cell]);
            ahead = larger(ahead, aheads[cell]);
            count = (count + (sizes[cell] & (FRONT - 1))) | (sizes[cell] & FRONT);
            at = on->near + resume[cell];
        }
    }
}

INLINE i64 fill(const board *restrict on, const rules *restrict game, i64 head, i64 owner,
                i64 *restrict ends) {
    i64 seen = 1, best = 0;
    for (i64 direction = 0; direction < game->directions; direction++) {
        i64 first = on->node[game->neighbour[SLOTS * head + direction]];
        if ((on->label[first] & OWNER) != owner || on->order[first]) continue;
        explore(on, first, owner, &seen);
        best = larger(best, on->chain[first] + most(on, on->size[first], head));
        best = larger(best, on->ahead[first]);
    }
    *ends = best & ENDS;
    return best / MOVE;
}

INLINE int lives(const rules *restrict game, const i16 *restrict state, i64 side) {
    for (i64 bike = 0; bike < game->players; bike++)
        if (game->team[bike] == side && state[PLACE + bike] == 0) return 1;
    return 0;
}

INLINE double evaluate(const board *restrict on, const rules *restrict game,
                       const i16 *restrict state, i64 player) {
    i64 side = game->team[player];
    if (state[MOVER] == OVER || !lives(game, state, side)) {
        double value = result(game, state, player);
        if (game->players > 2 && !lives(game, state, side)) value -= 2.0;
        return (WON - state[ROUND]) * value;
    }
    int met = divide(on, game, state);
    double *restrict sums = on->results;
    for (i64 each = 0; each < game->players; each++) sums[each] = 0.0;
    for (i64 bike = 0; bike < game->players; bike++) {
        if (state[PLACE + bike]) continue;
        i64 ends, cells = fill(on, game, state[HEAD + bike], bike + 1, &ends);
        double value = SEPARATED * cells;
        if (met || game->players > 2) value = PER_CELL * cells + PER_END * ends;
        sums[game->team[bike]] += value;
    }
    double best = -WON;
    for (i64 other = 0; other < game->teams; other++)
        if (other != side && sums[other] > best) best = sums[other];
    double lead = sums[side] - best;
    if (game->players > 2) return LEAD_OF_MORE * lead;
    return met ? LEAD * lead / sqrt(sums[side] + best + 1.0) : lead;
}

double territories(const board *restrict on, const rules *restrict game, const i16 *restrict states,
                   i64 count, i64 player) {
    double total = 0.0;
    for (i64 each = 0; each < count; each++)
        total += evaluate(on, game, states + each * (CELLS + game->cells), player);
    return total;
}
