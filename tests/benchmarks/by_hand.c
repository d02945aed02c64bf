/* Random hands of Sergeant Major 8-5-3 (rulesets/pagat.yaml), by hand: the yardstick for compiled simulators.

   gcc -O3 -march=native by_hand.c -o by_hand                  one match at a time
   gcc -O3 -march=native -DINTERLEAVE=2 by_hand.c -o by_hand   two at a time, trick by trick
   gcc -O3 -march=native -DLANES by_hand.c -o by_hand          32 at a time, in the lanes of AVX-512 registers
   ./by_hand SEED HANDS

   All three give the same totals; each draws its random numbers eight at a time, if it can (not with -DNO_VECTORS).
   The order of the draws, and what each is for, is that of the rules; what is drawn ahead is used in its turn.  The
   draws of the last trick are left out: one card each, and nothing follows.

   A set of cards is a mask, card 16 * suit + rank.  Seats count from the dealer. */

#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;

#ifndef INTERLEAVE
#define INTERLEAVE 1
#endif
#if defined __AVX512IFMA__ && !defined NO_VECTORS
#define VECTORS 1
#else
#define VECTORS 0
#endif

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 64")
#define UNLIKELY(x) __builtin_expect(x, 0)

#define GOLDEN 0x9e3779b97f4a7c15u
#define MATCH 0xd1342543de82ef95u
#define CHOICES 0x94d049bb133111ebu
#define STEP 0xa0761d6478bd642fu
#define FLIP 0xe7037ed1a0b428dbu
#define DECK 0x1fff1fff1fff1fffu

enum { FIRST = 8 * 17 + 5 }; /* a result after which nothing is exchanged: so a match begins */

static const int TARGET[3] = {8, 5, 3};

INLINE u64 mix(u64 x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* ---------------------------------------------------------------- totals */

static struct {
    u64 results[17 * 17]; /* by tricks of dealer and left, 17 * dealer + left: nearly all else follows from it */
    u64 n, nn, x[8], xx[8], xn[8]; /* of batches: hands; tricks and met by seat, given */
    u64 matches, length, length2, lengths[1024], wins_by_player[3], wins_by_seat[3];
} total;

static u64 key, begun; /* matches begun */

/* What a result leads to: the exchange of the next hand, and what it adds to a batch.  An exchange is two steps,
   in each a gift and what returns; gifts are taken from the hands as they were dealt.  A lone giver takes the second
   gift from what the first left; of two givers the second begins anew.  Both draw from a mask of 32 places: in the
   upper 16 a second giver finds his own. */
static struct plan {
    u64 batch; /* 12 bits each: tricks of dealer, of left; 8 bits each: met by seat; given in the next hand */
    u64 skip;  /* how far the choices go on */
    u16 code;  /* see `exchange` of the lanes */
    uint8_t giver[2], taker[2], gift[2], over;
    uint8_t n[8], offset[8]; /* of the draws: below(n) + offset is the place */
} plans[17 * 17];

static void make_plans(void) {
    for (int a = 0; a <= 16; a++)
        for (int b = 0; a + b <= 16; b++) {
            struct plan *p = &plans[17 * a + b];
            int tricks[3] = {a, b, 16 - a - b}, over[3], ups = 0, end = 0, sum;
            for (int s = 0; s < 3; s++) {
                int more = tricks[s] - TARGET[s];
                over[(s + 2) % 3] = more; /* by seat of the next hand */
                ups += more > 0;
                end |= tricks[s] >= 12;
                p->batch |= (u64)(more >= 0) << (24 + 8 * s);
            }
            p->batch |= (u64)a | (u64)b << 12;
            if (ups == 1 && !end) {
                int giver = over[0] > 0 ? 0 : over[1] > 0 ? 1 : 2;
                for (int i = 0; i < 2; i++) {
                    p->giver[i] = giver;
                    p->taker[i] = (giver + 1 + i) % 3;
                    p->gift[i] = over[p->taker[i]] < 0 ? -over[p->taker[i]] : 0;
                }
            }
            if (ups == 2 && !end) {
                int taker = over[0] < 0 ? 0 : over[1] < 0 ? 1 : 2;
                p->giver[0] = taker == 0; /* seats are in the order of their targets */
                p->giver[1] = taker == 2 ? 1 : 2;
                for (int i = 0; i < 2; i++) {
                    p->taker[i] = taker;
                    p->gift[i] = over[p->giver[i]];
                }
            }
            p->over = end;
            sum = p->gift[0] + p->gift[1];
            for (int i = 0; i < 8; i++) {
                int own = ups == 2 && i >= p->gift[0]; /* of the second giver */
                p->n[i] = i < sum ? 16 - i + (own ? p->gift[0] : 0) : 0;
                p->offset[i] = i >= sum ? 63 : own ? 16 - p->gift[0] : 0;
            }
            for (int i = 0; i < 2; i++)
                if (p->gift[i])
                    p->code |= (1 << p->giver[i] | 1 << p->taker[i] | 8 << p->taker[i]) << 6 * i;
            p->skip = sum * STEP;
            p->batch |= (u64)sum << 48;
        }
}

struct match {
    u64 seed, batch; /* the seed is that of the next hand, before mixing */
    u32 hands, result;
};

static void close_batch(u64 batch, u64 n) {
    u64 a = batch & 4095, b = batch >> 12 & 4095;
    u64 x[8] = {a, b, 16 * n - a - b, batch >> 24 & 255, batch >> 32 & 255, batch >> 40 & 255, batch >> 48, 0};
    total.n += n;
    total.nn += n * n;
    for (int i = 0; i < 8; i++) {
        total.x[i] += x[i];
        total.xx[i] += x[i] * x[i];
        total.xn[i] += x[i] * n;
    }
}

/* The batch is full, or the match over: begins the next. */
static __attribute__((noinline)) int settle(struct match *m) {
    u64 length = m->hands, carried = plans[m->result].batch >> 48 << 48; /* given only in the next hand */
    u32 a = m->result / 17, b = m->result % 17, c = 16 - a - b;
    close_batch(m->batch - carried, (length - 1) % 128 + 1);
    m->batch = carried;
    if (a < 12 && b < 12 && c < 12)
        return 0;
    u32 seat = a >= 12 ? 0 : b >= 12 ? 1 : 2;
    total.matches++;
    total.length += length;
    total.length2 += length * length;
    total.lengths[length < 1023 ? length : 1023]++;
    total.wins_by_seat[seat]++;
    total.wins_by_player[(length - 1 + seat) % 3]++;
    return 1;
}

/* ---------------------------------------------------------------- random numbers, eight at a time */

#if VECTORS
typedef __m512i V;
#define ALL64(x) _mm512_set1_epi64((long long)(x))

/* Of eight states.  Bits 32.. of the product, in limbs of 52 bits: q has 0..52, h the rest. */
#define PRODUCT                                                                                            \
    V b = _mm512_xor_si512(a, ALL64(FLIP)), a1 = _mm512_srli_epi64(a, 52);                                 \
    V b0 = _mm512_slli_epi64(b, 20), b1 = _mm512_srli_epi64(b, 32), q, h;                                  \
    q = _mm512_madd52hi_epu64(_mm512_setzero_si512(), a, b0);                                              \
    q = _mm512_madd52lo_epu64(_mm512_madd52lo_epu64(q, a, b1), a1, b0);                                    \
    h = _mm512_madd52hi_epu64(_mm512_srli_epi64(q, 52), a, b1);                                            \
    h = _mm512_madd52lo_epu64(_mm512_madd52hi_epu64(h, a1, b0), a1, b1);

INLINE V random32(V a) {
    PRODUCT
    return _mm512_ternarylogic_epi64(_mm512_srli_epi64(h, 12), q, ALL64(0xffffffff), 0x28);
}

INLINE V dirty_random32(V a) { /* with anything in the upper half */
    PRODUCT
    return _mm512_xor_si512(_mm512_srli_epi64(h, 12), q);
}

/* below(n) + offset; n is shifted by 20 */
INLINE V place_of(V random, V n, V offset) {
    return _mm512_madd52hi_epu64(offset, random, n);
}

INLINE V bytes(const uint8_t *p) {
    return _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)p));
}
#endif

INLINE u64 one(u64 state) {
    unsigned __int128 p = (unsigned __int128)state * (state ^ FLIP);
    return ((u64)(p >> 64) ^ (u64)p) >> 32;
}

static struct {
    u64 steps[40], n[40];       /* of the draws that deal; n shifted by 20 */
    u64 third[16], cards[16];   /* every third step; cards that a hand has in a trick */
    u64 n_kitty[8];             /* of trump and what is discarded */
    uint8_t nibble[64];
} constant __attribute__((aligned(64)));

static void make_constants(void) {
    for (int i = 0; i < 40; i++) {
        int draw = i < 32 ? i : 32 + i % 4; /* the last four twice: for two lanes */
        constant.steps[i] = STEP * (u64)(draw + 1);
        constant.n[i] = (u64)(52 - draw) << 20;
    }
    for (int i = 0; i < 16; i++) {
        constant.third[i] = STEP * (u64)(3 * i);
        constant.cards[i] = (u64)(16 - i) << 20;
    }
    for (int i = 0; i < 5; i++)
        constant.n_kitty[i] = (u64)(i ? 17 - i : 4) << 20;
    for (int x = 0; x < 16; x++)
        for (int j = 0; j < 4; j++) {
            int left = x;
            for (int i = 0; i < j; i++)
                left &= left - 1;
            constant.nibble[x | j << 4] = left & -left;
        }
}

/* Of the states from `state` on by `steps`: the random numbers, or 1 << below(n), or all other bits. */
INLINE void eight_places(u64 state, const u64 *steps, const u64 *n, u64 *masks, u64 bit) {
#if VECTORS
    V s = _mm512_add_epi64(ALL64(state), _mm512_load_si512(steps));
    V place = place_of(random32(s), _mm512_load_si512(n), _mm512_setzero_si512());
    _mm512_storeu_si512(masks, _mm512_rolv_epi64(ALL64(bit), place));
#else
    UNROLL for (int i = 0; i < 8; i++)
        masks[i] = (1ull << (one(state + steps[i]) * (n[i] >> 20) >> 32)) ^ (bit == 1 ? 0 : ~0ull);
#endif
}

INLINE void eight_numbers(u64 state, const u64 *steps, u64 *numbers) {
#if VECTORS
    _mm512_storeu_si512(numbers, random32(_mm512_add_epi64(ALL64(state), _mm512_load_si512(steps))));
#else
    UNROLL for (int i = 0; i < 8; i++)
        numbers[i] = one(state + steps[i]);
#endif
}

/* The same of random numbers, for the places of what is given. */
INLINE void eight_gifts(const u64 *numbers, const struct plan *p, u64 *masks) {
#if VECTORS
    V n = _mm512_slli_epi64(bytes(p->n), 20), r = _mm512_loadu_si512(numbers);
    _mm512_storeu_si512(masks, _mm512_rolv_epi64(ALL64(~1ull), place_of(r, n, bytes(p->offset))));
#else
    UNROLL for (int i = 0; i < 8; i++)
        masks[i] = ~(1ull << ((numbers[i] * p->n[i] >> 32) + p->offset[i]));
#endif
}

/* ---------------------------------------------------------------- one match */

static u32 four_tricks[3][256]; /* by leader and winners: tricks in 8 bits for each seat, then the next leader */

static void make_four_tricks(void) {
    for (int leader = 0; leader < 3; leader++)
        for (int w = 0; w < 256; w++) {
            u32 seat = leader, tricks = 0;
            for (int i = 6; i >= 0; i -= 2) {
                seat = (seat + (w >> i & 3)) % 3;
                tricks += 1u << 8 * seat;
            }
            four_tricks[leader][w] = tricks | seat << 24;
        }
}

struct game {
    u64 lead[16], second[16], third[16]; /* a mask for the card led, and random numbers */
    u64 gifts[8], place[40], left[3];    /* the next deal, made while playing: what each hand leaves of its source */
    u64 choices;
    u64 hand[3], trump;                  /* who leads first */
    u64 winners;                         /* of four tricks, two bits each: places from the leader */
    u32 tricks;                          /* as in `four_tricks` */
} __attribute__((aligned(64)));

INLINE void start_deal(struct game *g, u64 seed) {
    u64 deals = mix(seed);
    g->choices = mix(deals ^ CHOICES);
    eight_numbers(g->choices, constant.steps, g->gifts);
    UNROLL for (int i = 0; i < 40; i += 8)
        eight_places(deals, constant.steps + i, constant.n + i, g->place + i, ~1ull);
    g->left[0] = DECK;
    g->left[1] = (1ull << 36) - 1;
    g->left[2] = (1ull << 20) - 1;
}

INLINE void deal_on(struct game *g, int i) {
    g->left[0] = _pdep_u64(g->place[i], g->left[0]);
    g->left[1] = _pdep_u64(g->place[16 + i], g->left[1]);
    if (i < 4)
        g->left[2] = _pdep_u64(g->place[32 + i], g->left[2]);
}

static void deal(struct game *g, u64 seed) {
    start_deal(g, seed);
    for (int i = 0; i < 16; i++)
        deal_on(g, i);
}

INLINE void begin(struct match *m, struct game *g) {
    *m = (struct match){mix(key ^ begun++ * MATCH), 0, 0, FIRST};
    deal(g, m->seed);
}

/* The highest cards of a hand, suit by suit as many as a gift has. */
INLINE u64 highest(u64 hand, u64 gift) {
    u64 found = 0;
    UNROLL for (int s = 0; s < 64; s += 16) {
        u64 suit = 0x1fffull << s, cards = hand & suit;
        int lower = __builtin_popcountll(cards) - __builtin_popcountll(gift & suit);
        found |= _pdep_u64(~0ull << lower, cards);
    }
    return found;
}

INLINE void set_up(struct match *m, struct game *g) {
    const struct plan *p = &plans[m->result];
    u64 choices = g->choices, place[8], gift[8], left[9] = {0xffffffffu};
    eight_gifts(g->gifts, p, gift);
    choices += p->skip;
    UNROLL for (int i = 0; i < 8; i++)
        left[i + 1] = _pdep_u64(gift[i], left[i]);
    u64 first = g->left[0], second = _pdep_u64(g->left[1], first), third = _pdep_u64(g->left[2], second);
    u64 kitty = second ^ third, hand[3] = {third, DECK ^ first, first ^ second};
    u64 given[2] = {left[0] ^ left[p->gift[0]], left[p->gift[0]] ^ left[8]};
    given[0] = _pdep_u64(given[0], hand[p->giver[0]]);
    given[1] = _pdep_u64(given[1] | given[1] >> 16, hand[p->giver[1]]);
    if (p->skip)
        UNROLL for (int i = 0; i < 2; i++) {
            u64 back = highest(hand[p->taker[i]] | given[i], given[i]);
            hand[p->taker[i]] ^= given[i] ^ back;
            hand[p->giver[i]] ^= given[i] ^ back;
        }
    eight_places(choices, constant.steps, constant.n_kitty, place, ~1ull);
    choices += 6 * STEP;
    UNROLL for (int i = 0; i < 16; i += 8) {
        eight_places(choices, constant.third + i, constant.cards + i, g->lead + i, 1);
        eight_numbers(choices + STEP, constant.third + i, g->second + i);
        eight_numbers(choices + 2 * STEP, constant.third + i, g->third + i);
    }
    g->trump = _pdep_u64(~place[0], 0x1000100010001) * 0x1fff;
    u64 kept = 0xffff;
    UNROLL for (int i = 0; i < 4; i++)
        kept = _pdep_u64(place[i + 1], kept);
    g->hand[0] = hand[1];
    g->hand[1] = hand[2];
    g->hand[2] = _pdep_u64(kept, hand[0]) | kitty;
    g->winners = 0;
    g->tricks = 1 << 24;
    m->seed += GOLDEN;
    start_deal(g, m->seed);
}

INLINE u64 suit_of(u64 card) {
    u64 end = (card + DECK) & 0x2000200020002000u;
    return end - (end >> 13);
}

INLINE u64 pick(u64 cards, u64 random) {
    return _pdep_u64(1ull << (random * (u64)__builtin_popcountll(cards) >> 32), cards);
}

/* The compiler would branch here. */
#define INSTEAD_IF_ZERO(x, y) __asm__("test %0, %0\n\tcmovz %1, %0" : "+r"(x) : "r"(y) : "cc")

INLINE void trick(struct game *g, int t) {
    u64 h0 = g->hand[0], h1 = g->hand[1], h2 = g->hand[2];
    u64 c0 = _pdep_u64(g->lead[t], h0), led = suit_of(c0), l1 = h1 & led, l2 = h2 & led;
    INSTEAD_IF_ZERO(l1, h1);
    INSTEAD_IF_ZERO(l2, h2);
    u64 c1 = pick(l1, g->second[t]), c2 = pick(l2, g->third[t]), others = c1 | c2;
    u64 n0 = h0 ^ c0, n1 = h1 ^ c1, n2 = h2 ^ c2, w = 0;
    __asm__("test %1, %2\n\tcmovnz %1, %0" : "+r"(led) : "r"(g->trump), "r"(others) : "cc");
    u64 v0 = c0 & led, v1 = c1 & led, v2 = c2 & led;
    h0 = n0;
    h1 = n1;
    h2 = n2;
    __asm__("cmp %[v1], %[v0]\n\tcmovb %[v1], %[v0]\n\tcmovb %[h1], %[n0]\n\tcmovb %[h2], %[n1]\n\t"
            "cmovb %[h0], %[n2]\n\tcmovb %[one], %[w]\n\t"
            "cmp %[v2], %[v0]\n\tcmovb %[h2], %[n0]\n\tcmovb %[h0], %[n1]\n\tcmovb %[h1], %[n2]\n\tcmovb %[two], %[w]"
            : [v0] "+&r"(v0), [n0] "+&r"(n0), [n1] "+&r"(n1), [n2] "+&r"(n2), [w] "+&r"(w)
            : [v1] "r"(v1), [v2] "r"(v2), [h0] "r"(h0), [h1] "r"(h1), [h2] "r"(h2), [one] "r"(1ull), [two] "r"(2ull)
            : "cc");
    g->hand[0] = n0;
    g->hand[1] = n1;
    g->hand[2] = n2;
    g->winners = 4 * g->winners + w;
    deal_on(g, t);
}

INLINE void count_four(struct game *g) {
    u32 four = four_tricks[g->tricks >> 24][g->winners & 255];
    g->tricks = (g->tricks & 0xffffff) + four;
}

INLINE void last_trick(struct game *g) {
    deal_on(g, 15);
    u64 led = suit_of(g->hand[0]), all = g->hand[0] | g->hand[1] | g->hand[2];
    u64 suit = all & g->trump ? g->trump : led;
    u64 v0 = g->hand[0] & suit, v1 = g->hand[1] & suit, v2 = g->hand[2] & suit;
    u32 w = v1 > v0;
    v0 = w ? v1 : v0;
    g->winners = 4 * g->winners + (v2 > v0 ? 2 : w);
    count_four(g);
}

/* Counts the hand; whether the match is over. */
INLINE int finish(struct match *m, const struct game *g) {
    u32 a = g->tricks & 255, b = g->tricks >> 8 & 255, c = g->tricks >> 16 & 255;
    m->result = 17 * a + b;
    total.results[m->result]++;
    m->batch += plans[m->result].batch;
    m->hands++;
    return UNLIKELY(a >= 12 || b >= 12 || c >= 12 || m->hands % 128 == 0) ? settle(m) : 0;
}

INLINE int whole_hand(struct match *m, struct game *g) {
    set_up(m, g);
    for (int t = 0; t < 15; t++) {
        trick(g, t);
        if (t % 4 == 3)
            count_four(g);
    }
    last_trick(g);
    return finish(m, g);
}

static u64 cut_off[64]; /* given in the hand that would have come next */

/* Plays so many hands, the last match as far as they go. */
static void plain(u64 hands) {
    struct match m;
    struct game g;
    int over = 1;
    for (; hands; hands--) {
        if (over)
            begin(&m, &g);
        over = whole_hand(&m, &g);
    }
    if (!over) {
        u64 next = plans[m.result].batch >> 48;
        cut_off[next]++;
        if (m.hands % 128)
            close_batch(m.batch - (next << 48), m.hands % 128);
    }
}

#ifndef LANES
/* ---------------------------------------------------------------- several matches, trick by trick */

/* Begins no match after so many hands, and plays to the end of those begun.  How many were played. */
static u64 interleaved(u64 hands) {
    struct match m[INTERLEAVE];
    struct game g[INTERLEAVE];
    u64 played = 0;
    for (int i = 0; i < INTERLEAVE; i++)
        begin(&m[i], &g[i]);
    for (; played < hands; played += INTERLEAVE) {
        UNROLL for (int i = 0; i < INTERLEAVE; i++)
            set_up(&m[i], &g[i]);
        for (int t = 0; t < 15; t++)
            UNROLL for (int i = 0; i < INTERLEAVE; i++) {
                trick(&g[i], t);
                if (t % 4 == 3)
                    count_four(&g[i]);
            }
        UNROLL for (int i = 0; i < INTERLEAVE; i++) {
            last_trick(&g[i]);
            if (finish(&m[i], &g[i]))
                begin(&m[i], &g[i]);
        }
    }
    for (int i = 0; i < INTERLEAVE; i++)
        do
            played++;
        while (!whole_hand(&m[i], &g[i]));
    return played;
}
#endif

#ifdef LANES
#if !VECTORS
#error "lanes need AVX-512 with IFMA, VBMI and BITALG"
#endif
/* ---------------------------------------------------------------- 32 matches, in lanes

   A hand in play is four vectors, one for each suit, of 16 bits a lane.  What is 64 bits wide takes four vectors of
   eight lanes: lane 8 * v + q is word 4 * q + v of the narrow vectors.  Only dealing goes lane by lane. */

typedef __mmask32 K;
#define ALL16(x) _mm512_set1_epi16((short)(x))
#define MOVE(x, k, y) _mm512_mask_mov_epi16(x, k, y)
#define COUNT(x) _mm512_popcnt_epi16(x)
enum { WIDTH = 32 };

static struct group {
    u64 place[2][11][8];
    u64 seed[WIDTH], deals[WIDTH], choices[WIDTH], hand[3][WIDTH], gift[2][WIDTH]; /* by lane */
    u64 batch[WIDTH];                                                              /* these by word */
    u32 hands[WIDTH];
    u16 code[WIDTH], result[WIDTH];
} group __attribute__((aligned(64)));

INLINE int word(int lane) {
    return lane % 8 * 4 + lane / 8;
}

/* Bits of `yes` where the mask is set. */
INLINE V choose(V mask, V yes, V no) {
    return _mm512_ternarylogic_epi64(no, yes, mask, 0xd8);
}

INLINE V vector_mix(V x) {
    x = _mm512_xor_si512(x, _mm512_srli_epi64(x, 30));
    x = _mm512_mullo_epi64(x, ALL64(0xbf58476d1ce4e5b9u));
    x = _mm512_xor_si512(x, _mm512_srli_epi64(x, 27));
    x = _mm512_mullo_epi64(x, ALL64(0x94d049bb133111ebu));
    return _mm512_xor_si512(x, _mm512_srli_epi64(x, 31));
}

/* Dealing goes by two lanes: eleven vectors of places, then sixteen steps. */
INLINE void draw_places(struct group *g, int pair, int i) {
    int l = 2 * pair, at = i < 8 ? i % 4 * 8 : 32;
    V places;
    if (i < 9) {
        V one = ALL64(g->deals[l]), other = ALL64(g->deals[l + 1]);
        V s = i < 4 ? one : i < 8 ? other : _mm512_mask_mov_epi64(one, 0xf0, other);
        s = _mm512_add_epi64(s, _mm512_load_si512(constant.steps + at));
        places = place_of(random32(s), _mm512_load_si512(constant.n + at), _mm512_setzero_si512());
    } else {
        const struct plan *p = &plans[g->result[word(l + i - 9)]];
        V s = _mm512_add_epi64(ALL64(g->choices[l + i - 9]), _mm512_load_si512(constant.steps));
        places = place_of(random32(s), _mm512_slli_epi64(bytes(p->n), 20), bytes(p->offset));
    }
    _mm512_store_si512(g->place[pair & 1][i], _mm512_rolv_epi64(ALL64(~1ull), places));
}

struct pair {
    u64 first[2], second[2], third[2], given[2][9];
};

INLINE void begin_pair(struct pair *p) {
    UNROLL for (int l = 0; l < 2; l++) {
        p->first[l] = DECK;
        p->second[l] = (1ull << 36) - 1;
        p->third[l] = (1ull << 20) - 1;
        p->given[l][0] = 0xffffffffu;
    }
}

INLINE void deal_pair(struct pair *p, const struct group *g, int pair, int i) {
    const u64(*place)[8] = g->place[pair & 1];
    UNROLL for (int l = 0; l < 2; l++) {
        p->first[l] = _pdep_u64(place[4 * l + i / 8][i % 8], p->first[l]);
        p->second[l] = _pdep_u64(place[4 * l + 2 + i / 8][i % 8], p->second[l]);
        if (i < 4)
            p->third[l] = _pdep_u64(place[8][4 * l + i], p->third[l]);
        else if (i < 12)
            p->given[l][i - 3] = _pdep_u64(place[9 + l][i - 4], p->given[l][i - 4]);
    }
}

INLINE void end_pair(const struct pair *p, struct group *g, int pair) {
    UNROLL for (int i = 0; i < 2; i++) {
        int l = 2 * pair + i;
        const struct plan *plan = &plans[g->result[word(l)]];
        u64 first = p->first[i], second = _pdep_u64(p->second[i], first);
        g->hand[0][l] = _pdep_u64(p->third[i], second);
        g->hand[1][l] = DECK ^ first;
        g->hand[2][l] = first ^ second;
        u64 middle = p->given[i][plan->gift[0]], rest = middle ^ p->given[i][8];
        g->gift[0][l] = _pdep_u64(~middle, g->hand[plan->giver[0]][l]);
        g->gift[1][l] = _pdep_u64(rest | rest >> 16, g->hand[plan->giver[1]][l]);
        g->choices[l] += plan->skip;
        g->code[word(l)] = plan->code;
    }
}

static void deal_group(struct group *g) {
    for (int i = 0; i < WIDTH; i += 8) {
        V deals = vector_mix(_mm512_load_si512(g->seed + i));
        _mm512_store_si512(g->deals + i, deals);
        _mm512_store_si512(g->choices + i, vector_mix(_mm512_xor_si512(deals, ALL64(CHOICES))));
        _mm512_store_si512(g->seed + i, _mm512_add_epi64(_mm512_load_si512(g->seed + i), ALL64(GOLDEN)));
    }
    UNROLL for (int i = 0; i < 11; i++)
        draw_places(g, 0, i);
    for (int pair = 0; pair < WIDTH / 2; pair++) {
        struct pair p;
        begin_pair(&p);
        UNROLL for (int i = 0; i < 16; i++) {
            if (i < 11 && pair < WIDTH / 2 - 1)
                draw_places(g, pair + 1, i);
            deal_pair(&p, g, pair, i);
        }
        end_pair(&p, g, pair);
    }
}

/* Masks of 64 bits to suits. */
INLINE void load_suits(const u64 *masks, V *suits) {
    V a = _mm512_load_si512(masks), b = _mm512_load_si512(masks + 8);
    V c = _mm512_load_si512(masks + 16), d = _mm512_load_si512(masks + 24);
    V odd = ALL64(0xffff0000ffff0000u), upper = ALL64(0xffffffff00000000u);
    V ab0 = choose(odd, _mm512_slli_epi64(b, 16), a), ab1 = choose(odd, b, _mm512_srli_epi64(a, 16));
    V cd0 = choose(odd, _mm512_slli_epi64(d, 16), c), cd1 = choose(odd, d, _mm512_srli_epi64(c, 16));
    suits[0] = choose(upper, _mm512_slli_epi64(cd0, 32), ab0);
    suits[1] = choose(upper, _mm512_slli_epi64(cd1, 32), ab1);
    suits[2] = choose(upper, cd0, _mm512_srli_epi64(ab0, 32));
    suits[3] = choose(upper, cd1, _mm512_srli_epi64(ab1, 32));
}

/* below(n) from 32 random numbers; the products have it in word 2, if n was shifted by 16 in word 3. */
INLINE V below(const V *random, V n0, V n1, V n2, V n3) {
    V last = ALL64(0xffff000000000000u);
    V low = choose(last, _mm512_mul_epu32(random[1], n1), _mm512_mul_epu32(random[0], n0));
    V high = choose(last, _mm512_mul_epu32(random[3], n3), _mm512_mul_epu32(random[2], n2));
    return choose(ALL64(0xffffffff00000000u), high, _mm512_srli_epi64(low, 32));
}

INLINE V below_all(const V *random, u64 n) {
    return below(random, ALL64(n), ALL64(n << 16), ALL64(n), ALL64(n << 16));
}

INLINE V below_each(const V *random, V n) {
    V upper = _mm512_srli_epi64(n, 32), word0 = ALL64(0xffff), word1 = ALL64(0xffff0000u);
    return below(random, _mm512_and_si512(n, word0), _mm512_and_si512(n, word1), _mm512_and_si512(upper, word0),
                 _mm512_and_si512(upper, word1));
}

/* The j-th bit of 13. */
INLINE V bit_of(V x, V j) {
    V n = COUNT(_mm512_and_si512(x, ALL16(255)));
    K byte = _mm512_cmpge_epu16_mask(j, n);
    j = _mm512_mask_sub_epi16(j, byte, j, n);
    x = _mm512_mask_srli_epi16(x, byte, x, 8);
    n = COUNT(_mm512_and_si512(x, ALL16(15)));
    K nibble = _mm512_cmpge_epu16_mask(j, n);
    j = _mm512_mask_sub_epi16(j, nibble, j, n);
    x = _mm512_mask_srli_epi16(x, nibble, x, 4);
    x = choose(ALL16(15), x, _mm512_slli_epi16(j, 4));
    x = _mm512_permutexvar_epi8(x, _mm512_load_si512(constant.nibble));
    x = _mm512_mask_slli_epi16(x, nibble, x, 4);
    return _mm512_mask_slli_epi16(x, byte, x, 8);
}

/* Whether a place in a hand is beyond the first suits. */
struct beyond {
    K k1, k2, k3;
};

INLINE struct beyond beyond(V place, const V *before) {
    return (struct beyond){_mm512_cmpge_epu16_mask(place, before[1]), _mm512_cmpge_epu16_mask(place, before[2]),
                           _mm512_cmpge_epu16_mask(place, before[3])};
}

/* Of four, that of the suit. */
INLINE V of_suit(struct beyond b, const V *x) {
    return MOVE(MOVE(MOVE(x[0], b.k1, x[1]), b.k2, x[2]), b.k3, x[3]);
}

/* How many cards a hand of n has in each suit, and before it. */
INLINE void count_suits(const V *hand, V n, V *cards, V *before) {
    cards[0] = COUNT(hand[0]);
    cards[1] = COUNT(hand[1]);
    cards[2] = COUNT(hand[2]);
    before[1] = cards[0];
    before[2] = _mm512_add_epi16(cards[0], cards[1]);
    before[3] = _mm512_add_epi16(before[2], cards[2]);
    cards[3] = _mm512_sub_epi16(n, before[3]);
}

INLINE V place_in_suit(struct beyond b, V place, const V *before) {
    V j = _mm512_mask_sub_epi16(place, b.k1, place, before[1]);
    j = _mm512_mask_sub_epi16(j, b.k2, place, before[2]);
    return _mm512_mask_sub_epi16(j, b.k3, place, before[3]);
}

INLINE void remove_card(V *hand, struct beyond b, V card) {
    hand[0] = _mm512_mask_sub_epi16(hand[0], _knot_mask32(b.k1), hand[0], card);
    hand[1] = _mm512_mask_sub_epi16(hand[1], _kandn_mask32(b.k2, b.k1), hand[1], card);
    hand[2] = _mm512_mask_sub_epi16(hand[2], _kandn_mask32(b.k3, b.k2), hand[2], card);
    hand[3] = _mm512_mask_sub_epi16(hand[3], b.k3, hand[3], card);
}

/* A gift and what returns.  Six bits of the code: who takes part, who takes if not the dealer's seat. */
INLINE void exchange(V hand[3][4], const u64 *gifts, V code, int shift) {
    V gift[4];
    load_suits(gifts, gift);
    K part[3], takes1 = _mm512_test_epi16_mask(code, ALL16(16 << shift));
    K takes2 = _mm512_test_epi16_mask(code, ALL16(32 << shift));
    UNROLL for (int p = 0; p < 3; p++)
        part[p] = _mm512_test_epi16_mask(code, ALL16(1 << p << shift));
    UNROLL for (int s = 0; s < 4; s++) {
        V cards = _mm512_or_si512(gift[s], MOVE(MOVE(hand[0][s], takes1, hand[1][s]), takes2, hand[2][s]));
        V lowest = bit_of(cards, _mm512_sub_epi16(COUNT(cards), COUNT(gift[s])));
        V from = _mm512_maskz_sub_epi16(_mm512_test_epi16_mask(gift[s], gift[s]), _mm512_setzero_si512(), lowest);
        V moved = _mm512_ternarylogic_epi64(gift[s], cards, from, 0x78); /* gift ^ (cards & from) */
        UNROLL for (int p = 0; p < 3; p++)
            hand[p][s] = MOVE(hand[p][s], part[p], _mm512_xor_si512(hand[p][s], moved));
    }
}

/* Turns three so that the winner comes first: the second where k1, the third where k2. */
#define TURN(a, b, c)                                                                                      \
    do {                                                                                                   \
        V x = MOVE(MOVE(a, k1, b), k2, c), y = MOVE(MOVE(b, k1, c), k2, a), z = MOVE(MOVE(c, k1, a), k2, b); \
        a = x, b = y, c = z;                                                                               \
    } while (0)

/* Plays a group; the result of each hand. */
static void play_group(struct group *g) {
    V dealt[3][4], kitty[4], hand[3][4], state[4], random[12], cards[4], before[4], value[3];
    UNROLL for (int v = 0; v < 4; v++)
        state[v] = _mm512_load_si512(g->choices + 8 * v);
#define RANDOM(i) (random[i] = dirty_random32(state[(i) % 4] = _mm512_add_epi64(state[(i) % 4], ALL64(STEP))))
    UNROLL for (int i = 0; i < 4; i++)
        RANDOM(i);
    UNROLL for (int p = 0; p < 3; p++)
        load_suits(g->hand[p], dealt[p]);
    UNROLL for (int s = 0; s < 4; s++)
        kitty[s] = _mm512_xor_si512(ALL16(0x1fff),
                                    _mm512_ternarylogic_epi64(dealt[0][s], dealt[1][s], dealt[2][s], 0x96));
    V code = _mm512_load_si512(g->code);
    exchange(dealt, g->gift[0], code, 0);
    exchange(dealt, g->gift[1], code, 6);
    V trump = below_all(random, 4), rank[4];
    /* without the suit led: trump above all, others below, as signed numbers */
    UNROLL for (int s = 0; s < 4; s++)
        rank[s] = MOVE(ALL16(0x8000), _mm512_cmpeq_epi16_mask(trump, ALL16(s)), ALL16(0x4000));
    UNROLL for (int n = 16; n > 12; n--) {
        UNROLL for (int i = 0; i < 4; i++)
            RANDOM(i);
        V place = below_all(random, n);
        count_suits(dealt[0], ALL16(n), cards, before);
        struct beyond b = beyond(place, before);
        remove_card(dealt[0], b, bit_of(of_suit(b, dealt[0]), place_in_suit(b, place, before)));
    }
    UNROLL for (int s = 0; s < 4; s++) {
        hand[0][s] = dealt[1][s];
        hand[1][s] = dealt[2][s];
        hand[2][s] = _mm512_or_si512(dealt[0][s], kitty[s]);
    }
    /* tricks in five bits for each seat; what one counts for leader, second, third */
    V tricks = _mm512_setzero_si512(), one0 = ALL16(32), one1 = ALL16(1024), one2 = ALL16(1);
    UNROLL for (int i = 0; i < 12; i++)
        RANDOM(i);
    /* The random numbers drawn here are for the next trick: they fill gaps. */
    for (int n = 16; n > 1; n--) {
        V all = ALL16(n), place = below_all(random, n), follow_cards[2][4], follow_before[2][4], places[2];
        K none[2];
        count_suits(hand[0], all, cards, before);
        struct beyond led = beyond(place, before);
        RANDOM(0);
        UNROLL for (int f = 0; f < 2; f++)
            count_suits(hand[1 + f], all, follow_cards[f], follow_before[f]);
        V card = of_suit(led, hand[0]), j = place_in_suit(led, place, before);
        RANDOM(1);
        UNROLL for (int f = 0; f < 2; f++) {
            V n = of_suit(led, follow_cards[f]);
            none[f] = _mm512_testn_epi16_mask(n, n);
            places[f] = below_each(random + 4 + 4 * f, MOVE(n, none[f], all));
        }
        RANDOM(2);
        value[0] = card = bit_of(card, j);
        RANDOM(3);
        remove_card(hand[0], led, card);
        UNROLL for (int f = 0; f < 2; f++) {
            /* cards of the suit led stand together */
            V *b = follow_before[f], *h = hand[1 + f];
            V from = MOVE(MOVE(_mm512_maskz_mov_epi16(led.k1, b[1]), led.k2, b[2]), led.k3, b[3]);
            V place = _mm512_mask_add_epi16(places[f], _knot_mask32(none[f]), places[f], from);
            struct beyond suit = beyond(place, b);
            RANDOM(4 + 4 * f);
            V card = of_suit(suit, h), j = place_in_suit(suit, place, b);
            RANDOM(5 + 4 * f);
            card = bit_of(card, j);
            RANDOM(6 + 4 * f);
            value[1 + f] = _mm512_mask_add_epi16(card, none[f], card, of_suit(suit, rank));
            remove_card(h, suit, card);
            RANDOM(7 + 4 * f);
        }
        K k1 = _mm512_cmpgt_epi16_mask(value[1], value[0]);
        K k2 = _mm512_cmpgt_epi16_mask(value[2], _mm512_max_epi16(value[0], value[1]));
        UNROLL for (int s = 0; s < 4; s++)
            TURN(hand[0][s], hand[1][s], hand[2][s]);
        TURN(one0, one1, one2);
        tricks = _mm512_add_epi16(tricks, one0);
    }
    /* the last cards */
    struct beyond led;
    UNROLL for (int p = 0; p < 3; p++) {
        V *h = hand[p], card = _mm512_ternarylogic_epi64(h[0], h[1], _mm512_or_si512(h[2], h[3]), 0xfe);
        K k[4];
        UNROLL for (int s = 0; s < 4; s++)
            k[s] = _mm512_test_epi16_mask(h[s], h[s]);
        struct beyond suit = {k[1] | k[2] | k[3], k[2] | k[3], k[3]};
        if (!p)
            led = suit;
        V same = of_suit(led, h);
        value[p] = _mm512_mask_add_epi16(card, _mm512_testn_epi16_mask(same, same), card, of_suit(suit, rank));
    }
    K k1 = _mm512_cmpgt_epi16_mask(value[1], value[0]);
    K k2 = _mm512_cmpgt_epi16_mask(value[2], _mm512_max_epi16(value[0], value[1]));
    tricks = _mm512_add_epi16(tricks, MOVE(MOVE(one0, k1, one1), k2, one2));
    V dealer = _mm512_and_si512(tricks, ALL16(31)), left = _mm512_and_si512(_mm512_srli_epi16(tricks, 5), ALL16(31));
    _mm512_store_si512(g->result, _mm512_add_epi16(_mm512_mullo_epi16(dealer, ALL16(17)), left));
}

INLINE void begin_lane(struct group *g, int lane) {
    int w = word(lane);
    g->seed[lane] = mix(key ^ begun++ * MATCH);
    g->batch[w] = g->hands[w] = 0;
    g->result[w] = FIRST;
}

/* Counts the hands; a batch may be full or a match over. */
static void finish_group(struct group *g) {
    UNROLL for (int l = 0; l < WIDTH; l++) {
        int w = word(l), r = g->result[w];
        total.results[r]++;
        g->batch[w] += plans[r].batch;
        g->hands[w]++;
        if (UNLIKELY(plans[r].over || g->hands[w] % 128 == 0)) {
            struct match m = {0, g->batch[w], g->hands[w], r};
            int over = settle(&m);
            g->batch[w] = m.batch;
            if (over)
                begin_lane(g, l);
        }
    }
}

/* As `interleaved`. */
static u64 in_lanes(u64 hands) {
    struct group *g = &group;
    u64 played = 0;
    for (int l = 0; l < WIDTH; l++)
        begin_lane(g, l);
    for (; played < hands; played += WIDTH) {
        deal_group(g);
        play_group(g);
        finish_group(g);
    }
    for (int l = 0; l < WIDTH; l++) {
        int w = word(l);
        struct match m = {g->seed[l], g->batch[w], g->hands[w], g->result[w]};
        struct game last;
        deal(&last, m.seed);
        do
            played++;
        while (!whole_hand(&m, &last));
    }
    return played;
}
#endif

/* ---------------------------------------------------------------- report */

static u64 checksum;

static void add_up(const u64 *values, int n) {
    for (int i = 0; i < n; i++)
        checksum = mix((checksum + GOLDEN) ^ values[i]);
}

int main(int argc, char **argv) {
    if (argc != 3)
        return fprintf(stderr, "by_hand SEED HANDS\n"), 2;
    u64 hands = strtoull(argv[2], 0, 0), played = 0;
    key = mix(strtoull(argv[1], 0, 0) + GOLDEN);
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    make_plans();
    make_constants();
    make_four_tricks();
    /* The last hands are played one by one, since matches count in their order. */
#ifdef LANES
    enum { REST = 2500 };
    if (hands > REST)
        played = in_lanes(hands - REST);
#else
    enum { REST = 1000 };
    if (INTERLEAVE > 1 && hands > REST)
        played = interleaved(hands - REST);
#endif
    if (played > hands) { /* a very long match: all again */
        memset(&total, 0, sizeof total);
        begun = played = 0;
    }
    plain(hands - played);
    clock_gettime(CLOCK_MONOTONIC, &to);

    u64 tricks[3][17] = {0}, over[3][33] = {0}, given[64] = {begun}, met[3] = {0};
    for (int a = 0; a <= 16; a++)
        for (int b = 0; a + b <= 16; b++) {
            u64 n = total.results[17 * a + b];
            int t[3] = {a, b, 16 - a - b};
            for (int s = 0; s < 3; s++) {
                tricks[s][t[s]] += n;
                over[s][t[s] - TARGET[s] + 16] += n;
                met[s] += t[s] >= TARGET[s] ? n : 0;
            }
            if (t[0] < 12 && t[1] < 12 && t[2] < 12)
                given[plans[17 * a + b].batch >> 48] += n;
        }
    for (int i = 0; i < 64; i++)
        given[i] -= cut_off[i];
    /* the ten measures of a batch: tricks, over, met, given */
    u64 x[10], xx[10], xn[10], n = total.n, nn = total.nn;
    for (int i = 0; i < 10; i++) {
        int from = i < 3 ? i : i - 3;
        u64 t = i >= 3 && i < 6 ? TARGET[i - 3] : 0;
        x[i] = total.x[from] - t * n;
        xn[i] = total.xn[from] - t * nn;
        xx[i] = total.xx[from] - 2 * t * total.xn[from] + t * t * nn;
    }
    add_up(tricks[0], 3 * 17);
    add_up(over[0], 3 * 33);
    add_up(given, 64);
    add_up(met, 3);
    add_up(&n, 1);
    add_up(&nn, 1);
    add_up(x, 10);
    add_up(xx, 10);
    add_up(xn, 10);
    add_up(&total.matches, 3 + 1024 + 6);

    const u64 *p = total.wins_by_player, *s = total.wins_by_seat;
    double ns = (to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec);
    printf("{\"hands\": %lu, \"matches\": %lu, \"tricks\": [%lu, %lu, %lu], \"met\": [%lu, %lu, %lu], \"given\": %lu, "
           "\"over\": [%ld, %ld, %ld], \"length_sum\": %lu, \"wins\": [%lu, %lu, %lu], "
           "\"wins_from_dealer\": [%lu, %lu, %lu], \"checksum\": \"%016lx\", \"ns_per_hand\": %.2f}\n",
           total.n, total.matches, x[0], x[1], x[2], met[0], met[1], met[2], x[9], (long)x[3], (long)x[4], (long)x[5],
           total.length, p[0], p[1], p[2], s[0], s[1], s[2], checksum, hands ? ns / hands : 0);
    return 0;
}
