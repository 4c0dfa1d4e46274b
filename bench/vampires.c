/* Vampires vs Werewolves playouts in C: what the kernels of joute are measured against.

   The layout of states, the random stream and the order of choices are those of
   src/joute/games/vampires*.py, and the rules are known at run time only, so that both sides do the
   same work and their results must agree exactly. Within that, this is C as fast as we can write it:
   pointers do not alias, rows are cleared by memset, and the state of a playout is local. */

#include <stdint.h>
#include <string.h>

typedef int64_t i64;
typedef uint64_t u64;
typedef int16_t cell_type;

#define INLINE static inline __attribute__((always_inline))

enum { MOVER, PHASE, TURNS, COUNTS, SOURCE_CELL = 5, NEXT_DIRECTION, MOVES, TARGET_COUNT, BATTLE,
       WINNER, TARGETS = 16 };
enum { CHOOSING, BATTLES, ENDED };
enum { EMPTY, HUMANS, VAMPIRES, WEREWOLVES, BORDER };
enum { KIND = 256, MOST = 255, SOURCE = -1, DONE = 0, WON = 512, BITS = 15, LARGEST = 8192 };

typedef struct {
    i64 plies, split, wrap_counts, stride, size, words, most_targets;
} rules;

typedef struct { /* a state, by its parts */
    cell_type *head, *targets, *cells, *plans, *groups;
} board;

/* Random numbers. */

INLINE u64 bits(u64 *restrict rng) {
    u64 first = rng[0], second = rng[1], result = first + second;
    second ^= first;
    rng[0] = (first << 24 | first >> 40) ^ second ^ second << 16;
    rng[1] = second << 37 | second >> 27;
    return result;
}

INLINE i64 below(u64 *restrict rng, i64 bound) { return (bits(rng) >> 32) * (u64)bound >> 32; }

/* The game. */

INLINE i64 step(const rules *restrict game, i64 direction) {
    i64 around = direction + (direction >= 4);
    return (around / 3 - 1) * game->stride + around % 3 - 1;
}

INLINE void flip(const rules *restrict game, board state, i64 player, i64 cell) {
    state.groups[player * game->words + (u64)cell / BITS] ^= 1 << (u64)cell % BITS;
}

INLINE void put(const rules *restrict game, board state, i64 cell, i64 kind, i64 units) {
    i64 before = state.cells[cell] >> 8;
    if (units == 0) kind = EMPTY;
    if (before != kind) {
        if (before >= VAMPIRES) flip(game, state, before - VAMPIRES, cell);
        if (kind >= VAMPIRES) flip(game, state, kind - VAMPIRES, cell);
    }
    state.cells[cell] = kind * KIND + units;
}

INLINE i64 pick(const rules *restrict game, board state, int32_t *restrict listed,
                u64 *restrict rng) {
    cell_type *head = state.head;
    i64 source = head[SOURCE_CELL], lowest_direction = head[NEXT_DIRECTION];
    i64 total = head[MOVES] > 0, count = 0;
    const cell_type *groups = state.groups + head[MOVER] * game->words;
    i64 word = head[MOVES] < MOST ? (u64)source / BITS : game->words;
    i64 set = word < game->words ? groups[word] & -1LL << (u64)source % BITS : 0;
    while (word < game->words) {
        if (set == 0) {
            if (++word < game->words) set = groups[word];
            continue;
        }
        i64 cell = word * BITS + __builtin_ctzll(set);
        set &= set - 1;
        if (state.plans[cell] > 0) continue;
        i64 units = state.cells[cell] & MOST;
        for (i64 direction = 0; direction < 8; direction++) {
            i64 target = cell + step(game, direction);
            i64 expected = state.plans[target], room = MOST - expected;
            i64 most = units < room ? units : room;
            most = (state.cells[target] >= BORDER * KIND) | (expected < 0) ? 0 : most;
            if (!game->split) most = most == units;
            i64 offered = (most > 0) & ((cell != source) | (direction >= lowest_direction));
            listed[count] = cell * 8 + direction;
            listed[count + 1] = total;
            count += 2 * offered;
            total += most * offered;
        }
    }
    i64 rank = below(rng, total);
    if (head[MOVES] > 0 && rank == 0) return DONE;
    count -= 2;
    while (listed[count + 1] > rank) count -= 2;
    i64 pair = listed[count];
    if (game->split) return pair * KIND + 1 + rank - listed[count + 1];
    return pair * KIND + (state.cells[pair >> 3] & MOST);
}

INLINE void move(const rules *restrict game, board state, i64 action) {
    cell_type *head = state.head;
    i64 units = action & MOST, direction = action >> 8 & 7, cell = action >> 11;
    i64 target = cell + step(game, direction), left = state.cells[cell] - units;
    if ((left & MOST) == 0) {
        left = EMPTY;
        flip(game, state, head[MOVER], cell);
    }
    state.cells[cell] = left;
    state.plans[cell] = SOURCE;
    i64 expected = state.plans[target];
    if (expected == 0) {
        i64 place = head[TARGET_COUNT]++;
        for (; place > 0 && state.targets[place - 1] > target; place--)
            state.targets[place] = state.targets[place - 1];
        state.targets[place] = target;
    }
    state.plans[target] = expected + units;
    head[SOURCE_CELL] = cell;
    head[NEXT_DIRECTION] = direction + 1;
    head[MOVES]++;
}

INLINE i64 sure(const rules *restrict game, board state, i64 target) {
    cell_type *counts = state.head + COUNTS;
    i64 player = state.head[MOVER], content = state.cells[target], coming = state.plans[target];
    i64 kind = content >> 8, there = content & MOST;
    if (kind == VAMPIRES + player || kind == HUMANS) {
        if (kind == HUMANS && coming < there) return 0;
        i64 units = coming + there;
        i64 joined = game->wrap_counts ? units & MOST : units < MOST ? units : MOST;
        counts[player] += joined - (kind == HUMANS ? coming : units);
        put(game, state, target, VAMPIRES + player, joined);
        return 1;
    }
    if (2 * coming < 3 * there) return 0;
    if (kind != EMPTY) counts[1 - player] -= there;
    put(game, state, target, VAMPIRES + player, coming);
    return 1;
}

INLINE void pass_turn(const rules *restrict game, board state) {
    cell_type *head = state.head;
    memset(state.plans, 0, game->size * sizeof *state.plans);
    for (i64 number = 0; number < head[TARGET_COUNT]; number++) state.targets[number] = 0;
    head[TARGET_COUNT] = head[BATTLE] = 0;
    head[PHASE] = CHOOSING;
    head[MOVER] = 1 - head[MOVER];
    head[TURNS]++;
    i64 vampires = head[COUNTS], werewolves = head[COUNTS + 1];
    if (vampires == 0 || werewolves == 0 || head[TURNS] >= game->plies) {
        head[PHASE] = ENDED;
        head[WINNER] = vampires == 0 || werewolves > vampires ? 2 : vampires > werewolves;
    }
}

INLINE void resolve(const rules *restrict game, board state) {
    cell_type *head = state.head;
    head[SOURCE_CELL] = head[NEXT_DIRECTION] = head[MOVES] = 0;
    i64 battles = 0, count = head[TARGET_COUNT];
    for (i64 number = 0; number < count; number++) {
        i64 target = state.targets[number];
        state.targets[number] = 0;
        if (!sure(game, state, target)) state.targets[battles++] = target;
    }
    head[TARGET_COUNT] = battles;
    head[PHASE] = BATTLES;
    if (battles == 0) pass_turn(game, state);
}

INLINE i64 draw(i64 attackers, i64 defenders, i64 kind, u64 *restrict rng) {
    i64 whole = 2 * defenders, survivors = 0;
    i64 chance = attackers <= defenders ? attackers : 2 * attackers - defenders;
    if (below(rng, whole) < chance) {
        i64 units = kind == HUMANS ? attackers + defenders : attackers;
        for (i64 one = 0; one < units; one++) survivors += below(rng, whole) < chance;
        return WON + survivors;
    }
    for (i64 one = 0; one < defenders; one++) survivors += below(rng, whole) >= chance;
    return survivors;
}

INLINE void battle(const rules *restrict game, board state, u64 *restrict rng) {
    cell_type *head = state.head, *counts = head + COUNTS;
    i64 player = head[MOVER], target = state.targets[head[BATTLE]];
    i64 attackers = state.plans[target], defenders = state.cells[target] & MOST;
    i64 kind = state.cells[target] >> 8;
    i64 outcome = draw(attackers, defenders, kind, rng);
    i64 survivors = outcome & (WON - 1);
    if (survivors > MOST) survivors = MOST;
    counts[player] -= attackers;
    if (kind != HUMANS) counts[1 - player] -= defenders;
    if (outcome >= WON) {
        put(game, state, target, VAMPIRES + player, survivors);
        counts[player] += survivors;
    } else {
        put(game, state, target, kind, survivors);
        if (kind != HUMANS) counts[1 - player] += survivors;
    }
    if (++head[BATTLE] == head[TARGET_COUNT]) pass_turn(game, state);
}

i64 playouts(const rules *restrict given, const cell_type *restrict root, i64 count,
             u64 *restrict generator, cell_type *restrict memory, int32_t *restrict listed,
             double *restrict total) {
    const rules local = *given, *game = &local;
    u64 rng[2] = {generator[0], generator[1]};
    i64 length = TARGETS + game->most_targets + 2 * game->size + 2 * game->words;
    board state = {memory, memory + TARGETS, memory + TARGETS + game->most_targets, 0, 0};
    state.plans = state.cells + game->size;
    state.groups = state.plans + game->size;
    i64 plies = 0, won = 0;
    for (i64 one = 0; one < count; one++) {
        memcpy(memory, root, length * sizeof *memory);
        while (state.head[PHASE] != ENDED) {
            if (state.head[PHASE] == BATTLES) {
                battle(game, state, rng);
            } else {
                i64 action = pick(game, state, listed, rng);
                if (action == DONE) resolve(game, state);
                else move(game, state, action);
            }
            plies++;
        }
        i64 winner = state.head[WINNER];
        won += (winner == 1) - (winner == 2);
    }
    generator[0] = rng[0];
    generator[1] = rng[1];
    total[0] = won;
    total[1] = -won;
    return plies;
}
