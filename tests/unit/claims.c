/* The rows of sweeps/SOURCE/claims.csv: what is refused, with its place; what verdicts follow. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "claims/claims.h"
#include "support/support.h"

static const char head[] = "quantity,model,coupling,settings,printed,checked,rule,note\n";

typedef struct taken {
    int count;
    costab_verdict verdict;
    double computed;
    char reason[80];
} taken;

static costab_status take(void *context, const costab_claim *claim, costab_error *error) {
    taken *t = context;
    (void)error;
    t->count++;
    t->verdict = claim->verdict;
    t->computed = claim->computed;
    strncat(strcpy(t->reason, ""), claim->reason, sizeof t->reason - 1);
    return COSTAB_OK;
}

static costab_status run(const char *row, taken *t, costab_error *error) {
    char all[1000];
    *t = (taken){0};
    snprintf(all, sizeof all, "%s%s\n", head, row);
    const claims_text source = {"nobody", all};
    return claims_run(&source, take, t, error);
}

TEST(wrong_rows) {
    static const char *const rows[][2] = {
        {"q,,,,,,1", "expected 8 cells, found 7"},
        {"q,,,,,,1,,", "expected 8 cells, found more"},
        {"q,nowhere/at-all,,,,,radius,", "there is no model 'nowhere/at-all'"},
        {"q,lim/springs,none,,,,radius,", "there is no coupling 'none'"},
        {"q,lim/springs,jacobi,X=1,,,radius,", "has no parameter 'X'"},
        {"q,lim/springs,jacobi,c,,,radius,", "expected NAME=VALUE or NAME=LOW:HIGH, found 'c'"},
        {"q,lim/springs,jacobi,c=0:much,,,limit,", "expected LOW:HIGH, found '0:much'"},
        {"q,lim/springs,jacobi,c=0.01,,,limit,", "the rule needs a range among the settings"},
        {"q,lim/springs,jacobi,,,,wheels,", "'wheels': unknown name"},
        {"q,planar,none,,,,ss,", "'none'"},
        {"q,planar,cross,a=1:2,,,root of a^2 + 1,", "could not be computed: 'root of a^2 + 1'"},
        {"q,,,,,,radius,", "'radius': unknown name"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        taken t;
        costab_error error;
        check_true(run(rows[i][0], &t, &error) != COSTAB_OK && t.count == 0, "%s: refused", rows[i][0]);
        check_true(strstr(error.message, "sweeps/nobody/claims.csv:2: ") == error.message, "%s: %s",
                   rows[i][0], error.message);
        check_true(strstr(error.message, rows[i][1]) != NULL, "%s: %s", rows[i][0], error.message);
    }
    const claims_text source = {"nobody", "quantity,model,settings,coupling,printed,checked,rule,note\n"};
    costab_error error;
    assert_int_equal(claims_run(&source, take, NULL, &error), COSTAB_INVALID);
    assert_string_equal(error.message, "sweeps/nobody/claims.csv:1: no column of this name here: 'settings'");
}

TEST(verdicts) {
    static const struct {
        const char *row;
        costab_verdict verdict;
        double computed;
    } rows[] = {
        {"q,,,,0.33,,1/3,", COSTAB_AGREES, 1. / 3},
        {"q,,,,0.34,,1/3,", COSTAB_DIFFERS, 1. / 3},
        {"q,,,,,0.3333,1/3,", COSTAB_CHECKED, 1. / 3},
        {"q,,,,,0.3334,1/3,", COSTAB_DIFFERS, 1. / 3},
        {"q,,,,,,1/3,", COSTAB_NOT_PRINTED, 1. / 3},
        {"q,,,,below,,1/3 < 1/2,", COSTAB_AGREES, 1. / 3},
        {"q,,,,above,,1/3 > 1/2,", COSTAB_DIFFERS, 1. / 3},
        {"q,,,,1/3,,2/6 = 1/3,", COSTAB_AGREES, 1. / 3},
        {"q,planar,cross,a=2 gamma=a+1,,,gamma * a,", COSTAB_NOT_PRINTED, 6},
        {"q,planar,cross,a=1:2,,,root of a^2 - 2,", COSTAB_NOT_PRINTED, 1.4142135623730951},
        {"q,planar,cross,gamma=1 a=0:3,,,top of a * (2 - a),", COSTAB_NOT_PRINTED, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        taken t;
        costab_error error;
        check_true(run(rows[i].row, &t, &error) == COSTAB_OK && t.count == 1, "%s: taken", rows[i].row);
        check_true(t.verdict == rows[i].verdict, "%s: %s", rows[i].row, costab_verdict_name(t.verdict));
        check_true(fabs(t.computed - rows[i].computed) <= 1e-15 * rows[i].computed, "%s: %.17g", rows[i].row,
                   t.computed);
    }
}

TEST(notes) {
    taken t;
    check_ok(run(" q ,,,, , , 1 ,\"a, \"\"b\"\"\"", &t, &why));
    assert_string_equal(t.reason, "a, \"b\"");
}
