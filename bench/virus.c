/* Virus playouts and alpha-beta in C: what the kernels of joute are measured against.

   The algorithms, the layout of states and of the table, the random stream and the order of
   actions are those of src/joute (games/virus.py, search/playouts.py, search/alphabeta.py),
   and size and voluntary_pass are known at run time only, so that both sides do the same work and
   their results must agree exactly. Within that, this is C as fast as we can write it: tables are
   static, pointers do not alias, alpha-beta is recursive and keeps its window in registers, and
   what Virus guarantees (players take turns, nothing is pending) is used. */

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef int64_t i64;
typedef uint64_t u64;

enum { CHANCE = -1, OVER = -2, MOVER = 4, PASSES = 5, WORDS = 6 };
enum { STRIDE = 11, ROWS = 5, LARGEST = 10, MAX_ACTIONS = 101 };
#define ROW ((1LL << STRIDE) - 1)
#define LAST_ROW (STRIDE * (ROWS - 1))
#define INLINE static inline __attribute__((always_inline))

static i64 FULL[LARGEST + 1][2];
static i64 STONE[LARGEST + 1][LARGEST * LARGEST][2];
static i64 AROUND[LARGEST + 1][LARGEST * LARGEST][2];
static i64 CELL_OF[LARGEST + 1][128];

typedef struct { i64 low, high; } board;
typedef struct { i64 size, voluntary_pass; } rules;

INLINE board touching(i64 low, i64 high) {
    low |= low << 1 | low >> 1;
    high |= high << 1 | high >> 1;
    return (board){low | low << STRIDE | low >> STRIDE | (high & ROW) << LAST_ROW,
                   high | high << STRIDE | high >> STRIDE | low >> LAST_ROW};
}

__attribute__((constructor)) static void fill_tables(void) {
    for (int size = 3; size <= LARGEST; size++) {
        for (int cell = 0; cell < size * size; cell++) {
            int word = cell / size / ROWS, place = STRIDE * (cell / size % ROWS) + cell % size;
            STONE[size][cell][word] = 1LL << place;
            FULL[size][word] |= 1LL << place;
            CELL_OF[size][64 * word + place] = cell;
        }
        for (int cell = 0; cell < size * size; cell++) {
            board near = touching(STONE[size][cell][0], STONE[size][cell][1]);
            AROUND[size][cell][0] = near.low & FULL[size][0];
            AROUND[size][cell][1] = near.high & FULL[size][1];
        }
    }
}

/* The game. */

INLINE i64 popcount(i64 word) { return __builtin_popcountll(word); }
INLINE i64 lowest(i64 word) { return __builtin_ctzll(word); }

INLINE i64 kth(i64 word, i64 rank) {
    i64 place = 0;
    for (int width = 32; width; width /= 2) {
        i64 count = popcount((word >> place) & ((1LL << width) - 1));
        i64 above = rank >= count;
        place += width * above;
        rank -= count * above;
    }
    return place;
}

INLINE board targets(rules game, const i64 *restrict state) {
    i64 own = 2 * state[MOVER];
    board near = touching(state[own], state[own + 1]);
    return (board){near.low & FULL[game.size][0] & ~(state[0] | state[2]),
                   near.high & FULL[game.size][1] & ~(state[1] | state[3])};
}

INLINE void play(rules game, i64 *restrict state, i64 action) {
    i64 player = state[MOVER];
    if (player == CHANCE) {
        state[MOVER] = action;
        return;
    }
    state[MOVER] = 1 - player;
    if (action == game.size * game.size) {
        if (++state[PASSES] == 2) state[MOVER] = OVER;
        return;
    }
    state[PASSES] = 0;
    i64 own = 2 * player, other = 2 - 2 * player;
    const i64 *stone = STONE[game.size][action], *around = AROUND[game.size][action];
    i64 low = around[0] & state[other], high = around[1] & state[other + 1];
    state[own] |= stone[0] | low;
    state[own + 1] |= stone[1] | high;
    state[other] ^= low;
    state[other + 1] ^= high;
    if ((state[0] | state[2]) == FULL[game.size][0] && (state[1] | state[3]) == FULL[game.size][1])
        state[MOVER] = OVER;
}

INLINE i64 points(const i64 *state, i64 player) {
    return popcount(state[2 * player]) + popcount(state[2 * player + 1]);
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

INLINE i64 pick(rules game, const i64 *restrict state, u64 *restrict rng) {
    board to = targets(game, state);
    i64 lower = popcount(to.low), cells = lower + popcount(to.high);
    i64 count = cells + (game.voluntary_pass || cells == 0);
    i64 rank = count > 1 ? below(rng, count) : 0;
    if (rank >= cells) return game.size * game.size;
    i64 in_low = (rank - lower) >> 63;
    i64 word = (to.low & in_low) | (to.high & ~in_low);
    return CELL_OF[game.size][(64 & ~in_low) + kth(word, rank - (lower & ~in_low))];
}

INLINE i64 draw(u64 *restrict rng) { return (bits(rng) >> 11) * 0x1p-53 - 0.5 >= 0.0; }

i64 playouts(i64 size, i64 voluntary_pass, const i64 *restrict root, i64 count,
             u64 *restrict generator, double *restrict total) {
    rules game = {size, voluntary_pass};
    u64 rng[2] = {generator[0], generator[1]};
    i64 plies = 0, won = 0;
    for (i64 one = 0; one < count; one++) {
        i64 state[WORDS];
        memcpy(state, root, sizeof state);
        while (state[MOVER] != OVER) {
            play(game, state, state[MOVER] == CHANCE ? draw(rng) : pick(game, state, rng));
            plies++;
        }
        i64 lead = points(state, 0) - points(state, 1);
        won += (lead > 0) - (lead < 0);
    }
    generator[0] = rng[0];
    generator[1] = rng[1];
    total[0] = won;
    total[1] = -won;
    return plies;
}

/* Alpha-beta. */

enum { MAX_DEPTH = 96, PROMISE = 40, PHASE = 9, EXACT = 1, AT_LEAST = 2, AT_MOST = 3 };
#define SCOUT 0x1p-20

typedef struct {
    rules game;
    const double *weights; /* [12][8] of the fitted evaluation, or null: the lead in stones */
    u64 mask;
    i64 *keys, *facts; /* the table: an array a field, as in search/transpositions.py */
    double *values;
    int32_t *table_actions;
    i64 *history;      /* [2][history_stride] */
    i64 history_stride;
    int32_t *killers;  /* [MAX_DEPTH + 1][2] */
    i64 nodes;
    i64 best; /* the root's action */
} search;

INLINE double fitted(const search *restrict s, const i64 *restrict state, i64 player) {
    i64 me = 2 * player, he = 2 - 2 * player;
    board own = {state[me], state[me + 1]}, his = {state[he], state[he + 1]};
    board empty = {FULL[s->game.size][0] & ~(own.low | his.low),
                   FULL[s->game.size][1] & ~(own.high | his.high)};
    board near = touching(own.low, own.high);
    board mine = {near.low & empty.low, near.high & empty.high};
    near = touching(his.low, his.high);
    board reach = {near.low & empty.low, near.high & empty.high};
    near = touching(reach.low, reach.high);
    i64 own_turnable = popcount(own.low & near.low) + popcount(own.high & near.high);
    near = touching(mine.low, mine.high);
    i64 his_turnable = popcount(his.low & near.low) + popcount(his.high & near.high);
    near = touching(empty.low, empty.high);
    i64 own_safe = popcount(own.low & ~near.low) + popcount(own.high & ~near.high);
    i64 his_safe = popcount(his.low & ~near.low) + popcount(his.high & ~near.high);
    i64 stones = popcount(own.low) + popcount(own.high) - popcount(his.low) - popcount(his.high);
    i64 only_mine = popcount(mine.low & ~reach.low) + popcount(mine.high & ~reach.high);
    i64 only_his = popcount(reach.low & ~mine.low) + popcount(reach.high & ~mine.high);
    i64 both = popcount(mine.low & reach.low) + popcount(mine.high & reach.high);
    const double *w = s->weights + 8 * ((popcount(empty.low) + popcount(empty.high)) / PHASE);
    return w[0] * stones + w[1] * own_turnable + w[2] * his_turnable + w[3] * (own_safe - his_safe)
           + w[4] * only_mine + w[5] * only_his + w[6] * both + w[7];
}

/* For the mover; once the game is over, for `player`. */
INLINE double evaluate(const search *restrict s, const i64 *restrict state, i64 player) {
    if (state[MOVER] != OVER && s->weights) return fitted(s, state, player);
    i64 lead = points(state, player) - points(state, 1 - player);
    return s->weights ? lead + 1000.0 * ((lead > 0) - (lead < 0)) : lead;
}

INLINE i64 hashed(const i64 *restrict state) {
    u64 found = WORDS;
    for (int place = 0; place < WORDS; place++) {
        found = (found ^ (u64)state[place]) * 0x9E3779B97F4A7C15u;
        found ^= found >> 32;
    }
    return (i64)(found >> 2) | (i64)1 << 62;
}

INLINE i64 promise(const i64 *restrict around, board other) {
    return 1 + popcount(around[0] & other.low) + popcount(around[1] & other.high);
}

/* The actions and their order: the highest score is played first. */
INLINE i64 order(const search *restrict s, const i64 *restrict state, i64 player, i64 level,
                 i64 hinted, int32_t *restrict actions, i64 *restrict scores) {
    board to = targets(s->game, state);
    board other = {state[2 - 2 * player], state[3 - 2 * player]};
    i64 size = s->game.size, count = 0, pass = size * size;
    const i64 *history = s->history + s->history_stride * player;
    const int32_t *killers = s->killers + 2 * level;
    for (; to.low; to.low &= to.low - 1, count++) {
        i64 action = CELL_OF[size][lowest(to.low)];
        actions[count] = action;
        scores[count] = history[action] + (promise(AROUND[size][action], other) << PROMISE);
    }
    for (; to.high; to.high &= to.high - 1, count++) {
        i64 action = CELL_OF[size][64 + lowest(to.high)];
        actions[count] = action;
        scores[count] = history[action] + (promise(AROUND[size][action], other) << PROMISE);
    }
    if (s->game.voluntary_pass || count == 0) {
        actions[count] = pass;
        scores[count++] = history[pass];
    }
    for (i64 index = 0; index < count; index++) {
        i64 action = actions[index];
        if (action == hinted) scores[index] = 1LL << 60;
        else if (action == killers[0]) scores[index] = 1LL << 59;
        else if (action == killers[1]) scores[index] = 1LL << 58;
    }
    return count;
}

/* The value for `player`, the mover, and through `whole` whether no line was cut off. */
static double look(search *restrict s, const i64 *restrict state, i64 player, i64 level, i64 depth,
                   double alpha, double beta, i64 *restrict whole) {
    i64 key = hashed(state), hinted = -1;
    u64 place = key & s->mask;
    if (s->keys[place] == key) {
        i64 facts = s->facts[place], bound = facts & 3;
        double value = s->values[place];
        hinted = s->table_actions[place];
        if (level > 0 && ((facts & 4) || facts >> 3 >= depth)
            && (bound == EXACT || (bound == AT_LEAST && value >= beta)
                || (bound == AT_MOST && value <= alpha))) {
            *whole = facts >> 2 & 1;
            return value;
        }
    }
    int32_t actions[MAX_ACTIONS];
    i64 scores[MAX_ACTIONS];
    i64 count = order(s, state, player, level, hinted, actions, scores);
    i64 all = 1, best = -1, tries = 0;
    double value = -INFINITY, floor = alpha;
    while (count && value < beta) {
        i64 chosen = 0;
        for (i64 index = 1; index < count; index++)
            if (scores[index] > scores[chosen]) chosen = index;
        i64 action = actions[chosen];
        count--;
        actions[chosen] = actions[count];
        scores[chosen] = scores[count];

        i64 next[WORDS], part = 0;
        memcpy(next, state, sizeof next);
        play(s->game, next, action);
        double found;
        s->nodes++;
        if (next[MOVER] == OVER) {
            found = evaluate(s, next, player);
            part = 1;
        } else if (depth <= 1 || level + 1 == MAX_DEPTH) {
            found = -evaluate(s, next, 1 - player);
        } else {
            i64 scouted = tries > 0 && beta > alpha + SCOUT;
            double most = scouted ? alpha + SCOUT : beta;
            found = -look(s, next, 1 - player, level + 1, depth - 1, -most, -alpha, &part);
            if (scouted && found > alpha && found < beta) {
                s->nodes++;
                found = -look(s, next, 1 - player, level + 1, depth - 1, -beta, -alpha, &part);
            }
        }
        tries++;
        all &= part;
        if (found > value) {
            value = found;
            best = action;
            if (value > alpha) alpha = value;
            if (value >= beta) {
                int32_t *killers = s->killers + 2 * level;
                if (killers[0] != action) {
                    killers[1] = killers[0];
                    killers[0] = action;
                }
                s->history[s->history_stride * player + action] += depth * depth;
            }
        }
    }
    s->keys[place] = key;
    s->values[place] = value;
    s->facts[place] = 8 * depth + 4 * all + (value >= beta ? AT_LEAST : value <= floor ? AT_MOST : EXACT);
    s->table_actions[place] = best;
    *whole = all;
    if (level == 0) s->best = best;
    return value;
}

/* Look deeper and deeper, to `depth`; return the root's value, and nodes and action through `s`. */
double deepen(search *s, const i64 *root, i64 depth) {
    double value = 0.0;
    i64 whole;
    s->nodes = 0;
    for (i64 reached = 1; reached <= depth; reached++) {
        s->nodes++;
        value = look(s, root, root[MOVER], 0, reached, -INFINITY, INFINITY, &whole);
    }
    return value;
}
