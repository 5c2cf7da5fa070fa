/* Critical values of small tableaux at which something out of the ordinary happens: all events of a range, in
 * closed form where there is one. */
#include <math.h>
#include <string.h>

#include "costab/area.h"
#include "support/planar.h"

static costab_planar tableau(costab_scheme scheme, int stages, const char *const *text) {
    const costab_method method = method_of_texts(stages, text);
    return planar_of(scheme, &method, 1, 1);
}

/* What happens at one a: the events, as bits. */
typedef struct place {
    real a;
    unsigned events;
    costab_search search;
} place;

#define BIT(name) (1u << COSTAB_##name)

enum {
    SS_BOTH = BIT(SS_BEGINS) | BIT(SS_ENDS),
    US_BOTH = BIT(US_BEGINS) | BIT(US_ENDS),
    RIGHT_BEGINS = BIT(US_BEGINS) | BIT(US_RIGHT_BEGINS),
    RIGHT_ENDS = BIT(US_ENDS) | BIT(US_RIGHT_ENDS),
    RIGHT_BOTH = RIGHT_BEGINS | RIGHT_ENDS
};

static size_t find(const costab_planar *planar, double low, double high, costab_critical *critical) {
    const costab_critical_options options = {.low = low, .high = high};
    size_t count;
    check_ok(costab_planar_critical(planar, &options, critical, &count, &why));
    return count;
}

/* The event that stands k-th if all happen at one a: a region that begins and ends there is empty at this a
 * alone, so it ends first. */
static int in_order(unsigned events, int k) {
    const int pair = k & ~1;
    return (events >> pair & 3) == 3 ? pair + 1 - (k & 1) : k;
}

/* All events from low to high, each to a double's rounding of both. */
static void check_places(const costab_planar *planar, double low, double high, const place *all, int n) {
    costab_critical critical[COSTAB_CRITICAL_MAX];
    const size_t count = find(planar, low, high, critical);
    size_t next = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < COSTAB_EVENT_COUNT; k++) {
            const int event = in_order(all[i].events, k);
            if (!(all[i].events >> event & 1)) continue;
            const costab_critical none = {NAN, COSTAB_EVENT_COUNT, COSTAB_SEARCH_COMPLETE};
            const costab_critical *c = next < count ? &critical[next] : &none;
            check_true((int)c->event == event && fabsl(c->a - all[i].a) <= 0x1p-52L * fabsl(all[i].a) &&
                           c->search == all[i].search,
                       "event %zu from %g to %g: %s at %.17g, not %s at %.17Lg", next, low, high,
                       next < count ? costab_event_name(c->event) : "none", c->a,
                       costab_event_name((costab_event)event), all[i].a);
            next++;
        }
    check_true(next == count, "from %g to %g: %zu events, not %zu", low, high, count, next);
}

#define COUNT(list) (int)(sizeof list / sizeof list[0])

/* phi = 1 - 77/10 z - 84/5 z^2 has two irrational roots, with stable points of US on both sides: US ends and
 * begins there. So it does where the denominator 1 - 2 z - 2/3 z^2 vanishes. */
TEST(phi_vanishes) {
    static const char *const text[12] = {"-4/5", "0", "0",    "0",    "-3/5", "7/2",
                                         "0",    "0", "12/5", "-1/3", "-2",   "0"};
    static const char *const implicit[6] = {"2/5", "2", "2", "3/5", "1/3", "0"};
    const costab_planar planar = tableau(COSTAB_ZIGZAG, 3, text), other = tableau(COSTAB_ZIGZAG, 2, implicit);
    const real root = sqrtl(12649);
    const place places[] = {{(-77 - root) / 336, SS_BOTH | US_BOTH, COSTAB_SEARCH_COMPLETE},
                            {-0.51766200532571471L, BIT(US_RIGHT_BEGINS), COSTAB_SEARCH_COMPLETE},
                            {(-77 + root) / 336, BIT(SS_ENDS) | RIGHT_BOTH, COSTAB_SEARCH_COMPLETE}};
    const place others[] = {{0.39504365818616266L, BIT(SS_ENDS), COSTAB_SEARCH_COMPLETE},
                            {(sqrtl(15) - 3) / 2, RIGHT_BOTH, COSTAB_SEARCH_COMPLETE}};
    check_places(&planar, -8, 8, places, COUNT(places));
    check_places(&other, 0, 1, others, COUNT(others));
}

/* Next to -+1 / sqrt(8) and -+1 / sqrt(2) US is a strip next to Gamma = 0. There the strip's points are
 * stable, but on the other side of Gamma = 0: US is not shown to stay. */
TEST(strips_end_at_gamma) {
    static const char *const text[2][12] = {
        {"5", "0", "0", "0", "4", "1", "0", "0", "-8", "1", "-1", "0"},
        {"-3/2", "0", "0", "0", "1", "1", "0", "0", "3/2", "-2/3", "4/3", "0"}};
    const costab_planar one = tableau(COSTAB_STRONG, 3, text[0]), other = tableau(COSTAB_STRONG, 3, text[1]);
    const place places[] = {{-1.0559236973497499L, BIT(SS_BEGINS), COSTAB_SEARCH_COMPLETE},
                            {-0.54934205673390502L, RIGHT_BEGINS, COSTAB_SEARCH_COMPLETE},
                            {-sqrtl(0.125L), RIGHT_BOTH, COSTAB_SEARCH_UNDECIDED},
                            {sqrtl(0.125L), RIGHT_BOTH, COSTAB_SEARCH_UNDECIDED},
                            {0.54934205673390502L, BIT(SS_ENDS), COSTAB_SEARCH_COMPLETE},
                            {0.74574909288472435L, RIGHT_ENDS, COSTAB_SEARCH_COMPLETE}};
    const place others[] = {{-1.7098881594451649L, BIT(SS_BEGINS), COSTAB_SEARCH_COMPLETE},
                            {-0.93060485910209956L, RIGHT_BEGINS, COSTAB_SEARCH_COMPLETE},
                            {-sqrtl(0.5L), RIGHT_BOTH, COSTAB_SEARCH_UNDECIDED},
                            {sqrtl(0.5L), RIGHT_BOTH, COSTAB_SEARCH_UNDECIDED},
                            {0.9393445602395214L, RIGHT_ENDS, COSTAB_SEARCH_COMPLETE},
                            {1.09868411346781L, BIT(SS_ENDS), COSTAB_SEARCH_COMPLETE}};
    check_places(&one, -4, 6, places, COUNT(places));
    check_places(&other, -4, 6, others, COUNT(others));
}

/* Near 1.47 the only piece of US splits at d = 5/8, which is the middle of it on one side: it is not said to
 * be undecided whether US stays. */
TEST(a_piece_splits) {
    static const char *const text[12] = {"-2/5", "0", "0",   "0",  "0",    "-4/3",
                                         "0",    "0", "7/5", "-1", "-3/2", "0"};
    const costab_planar planar = tableau(COSTAB_STRONG, 3, text);
    const place places[] = {{0.29395832914464221L, BIT(SS_ENDS), COSTAB_SEARCH_COMPLETE},
                            {0.44201873632215005L, RIGHT_BOTH, COSTAB_SEARCH_COMPLETE},
                            {0.80798126367784995L, RIGHT_BOTH, COSTAB_SEARCH_COMPLETE},
                            {1.2149438261609011L, BIT(SS_BEGINS), COSTAB_SEARCH_COMPLETE},
                            {1.2807273569025048L, BIT(SS_ENDS), COSTAB_SEARCH_COMPLETE},
                            {1.4897357152002322L, RIGHT_ENDS, COSTAB_SEARCH_COMPLETE}};
    check_places(&planar, -0.5, 7, places, COUNT(places));
}

/* phi vanishes at -8/5, where US ends and begins, and with Gamma = 0 passes there at a = 8/5: at this number
 * exactly US has points, but none of its neighbours. */
TEST(rational_places) {
    static const char *const text[6] = {"1/2", "0", "0", "1/2", "1/4", "-1"};
    const costab_planar planar = tableau(COSTAB_STRONG, 2, text);
    const place places[] = {{-2.1166010488516727L, RIGHT_BEGINS, COSTAB_SEARCH_COMPLETE},
                            {-1.6L, BIT(SS_ENDS) | RIGHT_BOTH, COSTAB_SEARCH_COMPLETE},
                            {-1.0787197799411874L, RIGHT_ENDS, COSTAB_SEARCH_COMPLETE},
                            {-0.96322004913075165L, BIT(SS_BEGINS), COSTAB_SEARCH_COMPLETE},
                            {1.0787197799411874L, RIGHT_BEGINS, COSTAB_SEARCH_COMPLETE}};
    check_places(&planar, -8, 8, places, COUNT(places));

    /* The double next to -1.6 is below it: written, the range begins at the place, which is not in it. */
    static const char *const ends[][2] = {{NULL, "1"}, {"-1.6", "1"}, {"-8/5", NULL}};
    for (size_t k = 0; k < 3; k++) {
        const costab_critical_options options = {.low = -1.6, .high = 1, .written = {ends[k][0], ends[k][1]}};
        costab_critical critical[COSTAB_CRITICAL_MAX];
        size_t count;
        check_ok(costab_planar_critical(&planar, &options, critical, &count, &why));
        assert_true(count > 0 && (critical[0].a == -1.6) == (k == 0));
    }
    const costab_critical_options none = {.low = -1, .high = 1, .written = {"1/3", "0.3"}};
    costab_critical critical[COSTAB_CRITICAL_MAX];
    size_t count;
    assert_int_equal(costab_planar_critical(&planar, &none, critical, &count, &why), COSTAB_INVALID);
    static const costab_number range[] = {{-1, NULL}, {1, NULL}};
    const costab_critical_options strips[] = {{.low = -1, .high = 1, .gamma = range},
                                              {.low = -1, .high = 1, .delta = range}};
    for (int k = 0; k < 2; k++)
        assert_int_equal(costab_planar_critical(&planar, &strips[k], critical, &count, &why), COSTAB_INVALID);
}

/* R = 1 + z + z^2 / 16 is -3 at -8 and more next to it; R = 1 at d = -16. There rows of the cross scheme have
 * lengths of about (3 + R(a)) / (d + 16): SS is infinite next to a = -8, on both sides, and not there. */
TEST(infinite_but_at_one_number) {
    static const char *const text[6] = {"1/2", "0", "0", "1/2", "1/8", "0"};
    const costab_planar planar = tableau(COSTAB_CROSS, 2, text);
    const place places[] = {
        {-8,
         BIT(SS_INFINITE_BEGINS) | BIT(SS_INFINITE_ENDS) | BIT(US_INFINITE_BEGINS) | BIT(US_INFINITE_ENDS),
         COSTAB_SEARCH_COMPLETE}};
    check_places(&planar, -12, -5, places, COUNT(places));
}

/* Stages that take no part have a share in the denominator, whose roots are no places: 12 z + 5, at -5/12,
 * and 3 z + 2, at -2/3. */
TEST(stages_without_part) {
    static const char *const text[2][6] = {{"-1", "-4", "6/5", "2", "-8/5", "-6/5"},
                                           {"0", "-3/2", "-1", "1", "0", "1/4"}};
    const costab_planar cross = tableau(COSTAB_CROSS, 2, text[0]),
                        strong = tableau(COSTAB_STRONG, 2, text[1]);
    const place places[] = {
        {-5 / 14.0L, US_BOTH, COSTAB_SEARCH_COMPLETE},
        {-0.33008658008658009L,
         BIT(US_INFINITE_BEGINS) | BIT(US_RIGHT_BEGINS) | BIT(US_RIGHT_INFINITE_BEGINS),
         COSTAB_SEARCH_COMPLETE},
        {-0.32897584747988451L, BIT(SS_BEGINS), COSTAB_SEARCH_COMPLETE},
        {-5 / 28.0L, BIT(US_INFINITE_ENDS) | BIT(US_RIGHT_INFINITE_ENDS), COSTAB_SEARCH_COMPLETE},
        {0, RIGHT_BOTH, COSTAB_SEARCH_COMPLETE},
        {0.32897584747988451L, BIT(SS_ENDS), COSTAB_SEARCH_COMPLETE}};
    const place one = {2 * sqrtl(2), BIT(SS_ENDS), COSTAB_SEARCH_COMPLETE};
    check_places(&cross, -4, 2, places, COUNT(places));
    check_places(&strong, -4, 5, &one, 1);
}

/* Two such stages in addition to Heun's, with a denominator of 1 - z - z^2: all is as of Heun's method. */
TEST(as_without_them) {
    static const char *const heun[20] = {"1/2", "0", "0", "0", "0", "1/2", "1", "0", "0", "0",
                                         "0",   "0", "0", "1", "1", "0",   "0", "0", "1", "0"};
    for (int s = COSTAB_CROSS; s <= COSTAB_STRONG; s++) {
        const costab_planar planar[2] = {tableau((costab_scheme)s, 4, heun),
                                         planar_named((costab_scheme)s, "heun", 1, 1)};
        static costab_critical critical[2][COSTAB_CRITICAL_MAX];
        const size_t count = find(&planar[0], -8, 8, critical[0]);
        assert_int_equal(find(&planar[1], -8, 8, critical[1]), count);
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++)
            assert_true(critical[0][i].a == critical[1][i].a && critical[0][i].event == critical[1][i].event);
    }
}
