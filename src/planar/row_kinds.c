#include "planar/row_kinds.h"

#include <math.h>

#include "planar/projection_pairs.h"
#include "planar/projection_witness.h"

enum { N = APART_LENGTH, BOUNDS = APART_BOUNDS, LINES = 2 + 2 * BOUNDS, WORK = 2000 };

/* What ends an interval besides a bound. */
enum { AT_ZERO = -1, AT_INFINITY = -2 };

/* den, fold, and x0 and x1 of each bound, as in projection_apart.h. */
enum { DEN, FOLD, FIRST_BOUND };

static int x0_of(int bound) {
    return FIRST_BOUND + 2 * bound;
}

static int x1_of(int bound) {
    return FIRST_BOUND + 2 * bound + 1;
}

/* The number of the meeting of two bounds i < j, as in projection_pairs.h; -1: there is none. */
static int meeting_of(int i, int j) {
    static const int number[BOUNDS][BOUNDS] = {
        {-1, 0, 1, 2}, {-1, -1, 3, 4}, {-1, -1, -1, -1}, {-1, -1, -1, -1}};
    return number[i][j];
}

typedef struct row {
    const apart *plane;
    double a;
    int degree; /* the greatest of all lines */
    row_line line[LINES];
    row_roots roots;
    int count; /* stretches of places outside of which no row is stable, in order; what is in them is asked
                  for */
    planar_range live[ROW_ROOTS_MAX + 1];
} row;

/* ---- one e ---- */

/* The values of all lines at a place between two roots, and the interval that they leave. */
typedef struct sample {
    double place, value[LINES], error[LINES];
    int sign[LINES];
    bool sure, empty, positive; /* positive: the interval lies in Delta > 0, else in Delta < 0 */
    unsigned ends;              /* bounds that may end it */
    int lower, upper;
} sample;

/* The sign of a line; s->sure becomes false where it is not known. */
static int set_sign(const row *r, int line, sample *s) {
    s->value[line] = row_line_value(&r->line[line], r->degree, s->place, &s->error[line]);
    s->sign[line] = s->value[line] > s->error[line] ? 1 : s->value[line] < -s->error[line] ? -1 : 0;
    s->sure = s->sure && (s->sign[line] != 0 || r->line[line].zeros > r->line[line].degree);
    return s->sign[line];
}

/* Sets signs, and which bounds end within Delta > 0 or Delta < 0, as far as none leaves nothing of it. */
static void set_signs(const row *r, double place, sample *s) {
    s->place = place;
    s->sure = true;
    s->empty = false;
    s->ends = 0;
    const int den = set_sign(r, DEN, s), fold = set_sign(r, FOLD, s), inside = fold * den;
    s->sure = s->sure && inside != 0;
    s->positive = inside > 0;
    s->lower = s->positive ? AT_ZERO : AT_INFINITY;
    s->upper = s->positive ? AT_INFINITY : AT_ZERO;
    for (int k = 0; k < r->plane->bounds && !s->empty; k++) {
        const int x0 = set_sign(r, x0_of(k), s) * den, x1 = set_sign(r, x1_of(k), s) * den, end = -x0 * x1;
        s->empty = x1 == 0 ? x0 <= 0 : x1 * inside < 0 && end * inside <= 0;
        if (end * inside > 0) s->ends |= 1u << k;
    }
}

/* The sign of end i - end j; s->sure becomes false where it is not known. */
static int compare_ends(sample *s, int i, int j) {
    const int p0 = x0_of(i), p1 = x1_of(i), q0 = x0_of(j), q1 = x1_of(j);
    const double first = s->value[q0] * s->value[p1], second = s->value[p0] * s->value[q1];
    const double error =
        fabs(s->value[q0]) * s->error[p1] + s->error[q0] * (fabs(s->value[p1]) + s->error[p1]) +
        fabs(s->value[p0]) * s->error[q1] + s->error[p0] * (fabs(s->value[q1]) + s->error[q1]) +
        0x1p-50 * (fabs(first) + fabs(second)) + 0x1p-900;
    const double meeting = first - second;
    const int sign = meeting > 1.01 * error ? 1 : meeting < -1.01 * error ? -1 : 0;
    s->sure = s->sure && sign != 0;
    return sign * s->sign[p1] * s->sign[q1];
}

/* Finds the bounds that end the interval. */
static void set_ends(const row *r, sample *s) {
    const int den = s->sign[DEN];
    for (int k = 0; k < r->plane->bounds && !s->empty; k++) {
        if (!(s->ends >> k & 1)) continue;
        int *end = s->sign[x1_of(k)] * den > 0 ? &s->lower : &s->upper;
        const int closer = end == &s->lower ? 1 : -1;
        if (*end < 0 || compare_ends(s, k, *end) == closer) *end = k;
    }
    if (s->lower >= 0 && s->upper >= 0 && !s->empty) s->empty = compare_ends(s, s->lower, s->upper) >= 0;
}

/* The meetings, as flags, where the bounds that may end the interval change their order. */
static unsigned meetings_of(const sample *s) {
    unsigned meetings = 0;
    for (int i = 0; i < BOUNDS; i++)
        for (int j = i + 1; j < BOUNDS; j++)
            if (s->ends >> i & 1 && s->ends >> j & 1 && meeting_of(i, j) >= 0)
                meetings |= (unsigned)PROJECTION_MEETING << meeting_of(i, j);
    return meetings;
}

/* ---- lengths ---- */

/* What a length is a quotient of, without what the two have in common in any case: one polynomial above and
 * up to two below, by their flags and the numbers of their lines; -1: of a meeting. */
typedef struct quotient {
    unsigned top, bottom[2];
    int top_line, bottom_line[2], bottoms;
    int top_degree; /* in e, for most a */
} quotient;

static int usual_degree(const row *r, int line) {
    return r->plane->form[APART_CURVES + line].degree_e;
}

static void set_bottom(quotient *q, int bound) {
    q->bottom[q->bottoms] = (unsigned)PROJECTION_X1 << bound;
    q->bottom_line[q->bottoms++] = x1_of(bound);
}

static quotient length_of(const row *r, const sample *s) {
    quotient q = {.bottoms = 0};
    const int i = s->lower < s->upper ? s->lower : s->upper, j = s->lower < s->upper ? s->upper : s->lower;
    set_bottom(&q, j);
    if (i < 0) {
        q.top = (unsigned)PROJECTION_X0 << j;
        q.top_line = x0_of(j);
    } else if (meeting_of(i, j) < 0) { /* opposite x1; their x0 sum up to twice den */
        q.top = PROJECTION_DEN;
        q.top_line = DEN;
    } else {
        set_bottom(&q, i);
        q.top = (unsigned)PROJECTION_MEETING << meeting_of(i, j);
        q.top_line = -1;
        q.top_degree = r->plane->meeting_degree[meeting_of(i, j)];
    }
    if (q.top_line >= 0) q.top_degree = usual_degree(r, q.top_line);
    return q;
}

/* How often a part of the plane divides a polynomial: -1 where that is not known. Parts with all of its
 * degree in e divide it once. */
static int times_of(const apart *plane, int part, unsigned polynomial, int degree) {
    if (!(plane->from[part] & polynomial)) return 0;
    for (int k = 0; k < plane->curves; k++)
        if (plane->from[k] & polynomial) degree -= plane->form[k].degree_e;
    return degree == 0 ? 1 : -1;
}

typedef enum answer { NO, YES, UNKNOWN } answer;

/* Whether lengths next to a root have no bound: what is below vanishes there more often than what is above.
 */
static answer is_unbounded_at(const row *r, const quotient *q, int part) {
    const apart *plane = r->plane;
    int below = 0;
    for (int k = 0; k < q->bottoms; k++) {
        const int line = q->bottom_line[k];
        const int times =
            part < 0 ? r->line[line].zeros : times_of(plane, part, q->bottom[k], usual_degree(r, line));
        if (times < 0) return UNKNOWN;
        below += times;
    }
    if (below == 0) return NO;
    if (part < 0 && q->top_line < 0) return UNKNOWN;
    const int above = part < 0 ? r->line[q->top_line].zeros : times_of(plane, part, q->top, q->top_degree);
    if (above < 0) return UNKNOWN;
    return below > above ? YES : NO;
}

/* Whether lengths go to 0 no faster than 1 / e. */
static answer is_unbounded_far(const row *r, const quotient *q) {
    if (q->top_line < 0 && r->a == 0) return UNKNOWN; /* its degree there */
    int degree = q->top_line < 0 ? q->top_degree : r->line[q->top_line].degree;
    for (int k = 0; k < q->bottoms; k++) degree -= r->line[q->bottom_line[k]].degree;
    return degree >= -1 ? YES : NO;
}

/* Whether the area of the rows around a sample, up to the roots next to it, is infinite. */
static answer is_infinite(const row *r, const sample *s, int after) {
    if (s->lower == AT_INFINITY || s->upper == AT_INFINITY) return YES;
    const quotient q = length_of(r, s);
    answer is = NO;
    for (int k = after; k <= after + 1 && is == NO; k++)
        is = k >= 0 && k < r->roots.count ? is_unbounded_at(r, &q, r->roots.root[k].part)
                                          : is_unbounded_far(r, &q);
    return is;
}

/* ---- rows ---- */

/* A place between the roots i and i + 1. */
static double between(const row_roots *roots, int i) {
    const double low = i < 0 ? -ROW_FAR : roots->root[i].high;
    const double high = i + 1 < roots->count ? roots->root[i + 1].low : ROW_FAR;
    return low + (high - low) / 2;
}

static bool is_meeting_only(const apart *plane, int part) {
    return plane->from[part] % PROJECTION_MEETING == 0;
}

static void add_part(row *r, int part, double low, double high) {
    if (r->roots.doubt) return;
    row_line_set(&r->roots.line[part], &r->plane->form[part], r->a);
    row_roots_add(&r->roots, part, low, high);
}

/* Finds where rows may be stable, and adds the roots of meetings where these depend on them. */
static void add_meetings(row *r) {
    unsigned meetings = 0;
    double low = ROW_FAR, high = -ROW_FAR;
    for (int i = -1; i < r->roots.count && !r->roots.doubt; i++) {
        sample s;
        set_signs(r, between(&r->roots, i), &s);
        r->roots.doubt = !s.sure;
        if (s.empty) continue;
        const planar_range live = {i < 0 ? -ROW_FAR : r->roots.root[i].low,
                                   i + 1 < r->roots.count ? r->roots.root[i + 1].high : ROW_FAR};
        r->live[r->count++] = live;
        if (meetings_of(&s) == 0) continue;
        meetings |= meetings_of(&s);
        low = fmin(low, live.low);
        high = live.high;
    }
    if (meetings == 0) return;
    for (int k = 0; k < r->plane->curves; k++)
        if (r->plane->from[k] & meetings && is_meeting_only(r->plane, k)) add_part(r, k, low, high);
    row_roots_order(&r->roots);
}

static double end_of(const sample *s, int bound) {
    return bound == AT_ZERO ? 0 : -s->value[x0_of(bound)] / s->value[x1_of(bound)];
}

static row_witness witness_of(const sample *s, bool right) {
    const double far = ROW_FAR - fabs(s->place);
    row_witness point = {.e = far < 1 ? copysign(1 / far, s->place) : s->place, .right = right};
    if (s->upper == AT_INFINITY)
        point.delta = end_of(s, s->lower) + 1;
    else if (s->lower == AT_INFINITY)
        point.delta = end_of(s, s->upper) - 1;
    else
        point.delta = end_of(s, s->lower) / 2 + end_of(s, s->upper) / 2;
    return point;
}

/* The side of Gamma = 0 of a point; 0: not known. */
static int side_of(const apart *plane, double a, double e) {
    const double d = plane->unit * e, gamma = a + d, error = 0x1p-50 * (fabs(a) + fabs(d));
    return gamma > error ? 1 : gamma < -error ? -1 : 0;
}

/* The rows between the roots i and i + 1. */
static void add_rows(row *r, int i, row_kinds *to) {
    sample s;
    const double place = between(&r->roots, i);
    bool live = false;
    for (int k = 0; k < r->count && !live; k++) live = r->live[k].low <= place && place <= r->live[k].high;
    if (!live) return;
    set_signs(r, place, &s);
    if (s.sure) set_ends(r, &s);
    r->roots.doubt = r->roots.doubt || !s.sure;
    if (s.empty || r->roots.doubt) return;
    row_witness point = witness_of(&s, false);
    const int side = side_of(r->plane, r->a, point.e);
    const answer infinite = is_infinite(r, &s, i);
    if (side == 0 || infinite == UNKNOWN) r->roots.doubt = true;
    point.right = side > 0;
    critical_add_piece(&to->kinds, s.positive && !point.right, point.right, infinite == YES);
    if (to->count < ROW_WITNESSES) to->witness[to->count++] = point;
}

bool row_kinds_at(const apart *plane, double a, row_kinds *to) {
    row r; /* large: what is not used is not set */
    to->kinds = (critical_kinds){{KIND_NONE, KIND_NONE, KIND_NONE}};
    to->count = 0;
    if (plane->curves == 0 || plane->unit == 0 || !(fabs(a) <= ROW_A_MAX)) return false;
    r.plane = plane;
    r.a = a;
    r.degree = r.count = r.roots.count = 0;
    r.roots.work = WORK;
    r.roots.doubt = false;
    for (int k = 0; k < FIRST_BOUND + 2 * plane->bounds; k++) {
        row_line_set(&r.line[k], &plane->form[APART_CURVES + k], a);
        if (r.line[k].degree > r.degree) r.degree = r.line[k].degree;
    }
    for (int k = 0; k < plane->curves; k++)
        if (!is_meeting_only(plane, k)) add_part(&r, k, -ROW_FAR, ROW_FAR);
    row_roots_order(&r.roots);
    add_meetings(&r);
    for (int i = -1; i < r.roots.count && !r.roots.doubt; i++) add_rows(&r, i, to);
    return !r.roots.doubt;
}

/* ---- one point ---- */

bool row_holds(const apart *plane, const row_witness *point, double low, double high) {
    const double most = ROW_A_MAX, e = point->e;
    const int side = point->right ? 1 : -1;
    return fabs(e) <= most && fabs(low) <= most && fabs(high) <= most && side_of(plane, low, e) == side &&
           side_of(plane, high, e) == side &&
           witness_holds(plane, &(witness_point){e, point->delta}, low, high);
}
