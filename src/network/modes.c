/* Modes: eigenvalues with their left and right vectors, and whom the entries of the state belong to. */
#include "costab/modes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/analyse.h"
#include "network/by_connection.h"
#include "network/modes_links.h"
#include "network/spectrum.h"

/* Eigenvalues that are this near to each other count as one. */
#define CLUSTER 1e-6

/* The eigenvalues and vectors of one matrix. Products: conj(w_k) v_k, entries k of an eigenvalue one after
 * the other. */
typedef struct vectors {
    int n;
    double *matrix, *re, *im, *left, *right;
} vectors;

typedef struct finder {
    const costab_coupling *coupling;
    costab_modes_of of;
    by_connection *split; /* the network, with an output of its own for each connection */
    costab_network_work *work;
    int *owners;                     /* subsystem of each entry */
    vectors v;                       /* of the matrix at hand */
    double *product_re, *product_im; /* of a mode, n each */
} finder;

/* ---- Matrices ---- */

/* The matrix whose modes are asked for, of the split network; *n = 0: there is none. */
static costab_status matrix_of(finder *f, const double **matrix, int *n, costab_error *error) {
    costab_network_work *work = f->work;
    double radius;
    long exponent;
    *matrix = NULL;
    *n = 0;
    costab_status status = work_prepare(work, &f->split->network, f->coupling, NULL, error);
    if (!status && f->of == COSTAB_MODES_CONTINUOUS) {
        status = monolithic_make(work, error);
        *matrix = work->mono;
        *n = status ? 0 : work->states;
        return status;
    }
    if (!status) status = analyse_make(work, &radius, &exponent, error);
    if (status || work->lanes > 1 || exponent != 0) return status;
    *matrix = f->of == COSTAB_MODES_MAP ? work->map : work->guess_kept;
    *n = work->size;
    if (f->of == COSTAB_MODES_ITERATION)
        *n = modes_converges(f->coupling) && work->period == 1 ? work->guesses : 0;
    if (!isfinite(matrix_norm((size_t)*n * (size_t)*n, *matrix))) *n = 0;
    return COSTAB_OK;
}

/* Whom the rows of a signal's memory serve. */
static void own_signal(finder *f, int signal, int target) {
    const costab_network_work *work = f->work;
    for (int j = 0; j < work->depth[signal] && work->history[signal] >= 0; j++)
        f->owners[work->history[signal] + j] = target;
    if (work->ahead[signal] >= 0) f->owners[work->ahead[signal]] = target;
}

static void find_owners(finder *f) {
    const costab_network_work *work = f->work;
    const costab_connection *connections = f->split->network.connections;
    if (f->of == COSTAB_MODES_ITERATION) {
        for (int o = 0; o < work->signals; o++)
            if (work->guess[o] >= 0)
                f->owners[work->guess[o]] = connections[f->split->of_output[o % work->outputs]].to;
        return;
    }
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        for (int i = 0; i < sub->n; i++) f->owners[sub->x + i] = s;
        if (f->of == COSTAB_MODES_CONTINUOUS) continue;
        for (int i = 0; i < sub->m; i++) {
            if (sub->held >= 0) f->owners[sub->held + i] = s;
            if (sub->bend >= 0) f->owners[sub->bend + i] = s;
            if (sub->sent >= 0) f->owners[sub->sent + i] = s;
        }
        for (int i = 0; i < sub->extra; i++)
            f->owners[sub->extra_row + i] = sub->means ? connections[f->split->of_output[sub->y + i]].to : s;
    }
    for (int o = 0; o < work->signals && f->of == COSTAB_MODES_MAP; o++)
        own_signal(f, o, connections[f->split->of_output[o % work->outputs]].to);
}

/* ---- Vectors ---- */

/* A row-major matrix is LAPACK's transposed: its left vectors u* A' = l u* are conj(v), its right ones
 * A' r = l r are conj(w). */
static costab_status find_vectors(vectors *v, const double *matrix, costab_error *error) {
    int n = v->n;
    memcpy(v->matrix, matrix, (size_t)n * (size_t)n * sizeof *matrix);
    if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'V', 'V', n, v->matrix, n, v->re, v->im, v->left, n, v->right, n) !=
        0)
        return error_set(error, COSTAB_NUMERIC, "the eigenvectors were not found");
    return COSTAB_OK;
}

/* Real and imaginary part of entry k of the i-th vector among packed columns. */
static void entry(const vectors *v, const double *columns, int i, int k, double *re, double *im) {
    size_t n = (size_t)v->n, at = (size_t)k;
    *re = columns[(size_t)i * n + at];
    *im = 0;
    if (v->im[i] > 0) *im = columns[((size_t)i + 1) * n + at];
    if (v->im[i] < 0) {
        *re = columns[((size_t)i - 1) * n + at];
        *im = -columns[(size_t)i * n + at];
    }
}

/* Adds the products of eigenvalue i over their sum. Returns |w* v|, whose vectors have the length 1. */
static double add_products(const finder *f, int i, double *re, double *im) {
    const vectors *v = &f->v;
    double sum_re = 0, sum_im = 0;
    for (int pass = 0; pass < 2; pass++) {
        double size = sum_re * sum_re + sum_im * sum_im;
        if (pass == 1 && !(size > 0)) return 0;
        for (int k = 0; k < v->n; k++) {
            double a, b, c, d;
            entry(v, v->right, i, k, &a, &b);
            entry(v, v->left, i, k, &c, &d);
            double x = a * c + b * d, y = b * c - a * d;
            if (pass == 0) {
                sum_re += x;
                sum_im += y;
                continue;
            }
            re[k] += (x * sum_re + y * sum_im) / size;
            im[k] += (y * sum_re - x * sum_im) / size;
        }
    }
    return hypot(sum_re, sum_im);
}

/* ---- One mode ---- */

static void set_shares(finder *f, int i, double *shares, double *sums) {
    const vectors *v = &f->v;
    int subsystems = f->split->network.subsystem_count;
    double all = 0, all_sums = 0;
    memset(f->product_re, 0, (size_t)v->n * sizeof *f->product_re);
    memset(f->product_im, 0, (size_t)v->n * sizeof *f->product_im);
    for (int j = 0; j < v->n; j++)
        if (hypot(v->re[j] - v->re[i], v->im[j] - v->im[i]) <= CLUSTER)
            (void)add_products(f, j, f->product_re, f->product_im);
    for (int s = 0; s < subsystems; s++) {
        double re = 0, im = 0;
        shares[s] = 0;
        for (int k = 0; k < v->n; k++) {
            if (f->owners[k] != s) continue;
            shares[s] += hypot(f->product_re[k], f->product_im[k]);
            re += f->product_re[k];
            im += f->product_im[k];
        }
        sums[s] = hypot(re, im);
        all += shares[s];
        all_sums += sums[s];
    }
    for (int s = 0; s < subsystems; s++) {
        shares[s] = all > 0 ? shares[s] / all : (double)NAN;
        sums[s] = all_sums > 0 ? sums[s] / all_sums : (double)NAN;
    }
}

/* What each gain does to the eigenvalues `chosen`, one row of `links` after the other. */
static costab_status find_links(finder *f, const int *chosen, costab_modes *modes, costab_error *error) {
    const vectors *v = &f->v;
    modes_columns columns = {.n = v->n, .count = modes->count};
    size_t count = (size_t)modes->count;
    columns.first = memory_alloc(count, sizeof *columns.first);
    columns.pair = memory_alloc(count, sizeof *columns.pair);
    bool room = columns.first != NULL && columns.pair != NULL;
    for (int m = 0; m < modes->count && room; m++) {
        int same = 0; /* two modes may be next to one eigenvalue: no more columns than rows */
        while (chosen[same] != chosen[m]) same++;
        columns.first[m] = same < m ? columns.first[same] : columns.width;
        columns.pair[m] = v->im[chosen[m]] != 0;
        if (same == m) columns.width += columns.pair[m] ? 2 : 1;
    }
    columns.right = memory_alloc((size_t)v->n * (size_t)columns.width, sizeof(double));
    columns.left = memory_alloc((size_t)v->n * (size_t)columns.width, sizeof(double));
    room = room && columns.right != NULL && columns.left != NULL;
    for (int m = 0; m < modes->count && room; m++)
        for (int k = 0; k < v->n; k++) {
            size_t at = (size_t)k * (size_t)columns.width + (size_t)columns.first[m];
            double im[2];
            entry(v, v->left, chosen[m], k, &columns.right[at], &im[0]); /* conj(v_k) */
            entry(v, v->right, chosen[m], k, &columns.left[at], &im[1]); /* conj(w_k) */
            if (!columns.pair[m]) continue;
            columns.right[at + 1] = -im[0];
            columns.left[at + 1] = im[1];
        }
    modes_asked asked = {f->work, &f->split->network, f->coupling, f->of};
    costab_status status = room ? modes_links(&asked, &columns, modes->links, error) : error_memory(error);
    memory_free_all(columns.first, columns.pair, columns.right, columns.left);
    return status;
}

static void set_rates(const finder *f, costab_mode *mode) {
    double span = f->coupling->macro_step * (double)f->work->period;
    double turn = fabs(atan2(mode->im, mode->re)) / span;
    mode->growth = log(hypot(mode->re, mode->im)) / span;
    if (f->of == COSTAB_MODES_CONTINUOUS) {
        mode->growth = mode->re;
        turn = mode->im;
    }
    double rate = hypot(turn, mode->growth);
    mode->frequency = turn / (2 * acos(-1));
    mode->damping = isinf(mode->growth) ? 1 : rate > 0 ? -mode->growth / rate : 0;
    if (f->of == COSTAB_MODES_ITERATION) mode->frequency = mode->damping = mode->growth = (double)NAN;
}

/* ---- Which modes ---- */

typedef struct candidate {
    double re, im, size;
} candidate;

static int by_size(const void *left, const void *right) {
    const candidate *a = left, *b = right;
    if (a->size != b->size) return a->size < b->size ? 1 : -1;
    return a->im < b->im ? -1 : a->im > b->im;
}

/* The eigenvalues of the network as it is: the split one has further zeros, which rounding may move far.
 * Those that are set aside come as ones (zeros) already, or are left out here: the next to them. */
static costab_status candidates_of(finder *f, const costab_network *network, candidate **all, int *count,
                                   costab_error *error) {
    costab_network_point point;
    double radius, abscissa;
    *count = 0;
    costab_status status = costab_network_analyse(f->work, network, f->coupling, &point, error);
    if (status) return status;
    costab_network_work *work = f->work;
    int n = point.size, aside = point.neutral + point.kept;
    if (f->of == COSTAB_MODES_MAP) n -= aside;
    if (f->of == COSTAB_MODES_ITERATION) {
        n = modes_converges(f->coupling) && work->lanes == 1 && work->period == 1 ? work->guesses : 0;
        status = spectrum_radius(work, n, work->guess_kept, &radius, &abscissa, error);
    } else if (f->of == COSTAB_MODES_CONTINUOUS) {
        n = work->states;
        status = spectrum_radius(work, n, work->mono, &radius, &abscissa, error);
    }
    *all = memory_alloc((size_t)n + 1, sizeof **all);
    if (*all == NULL) return error_memory(error);
    for (int i = 0; i < n && !status; i++) {
        candidate one = {work->eigen_real[i], work->eigen_imaginary[i], 0};
        double modulus = hypot(one.re, one.im);
        one.size = f->of == COSTAB_MODES_CONTINUOUS ? one.re : modulus;
        if (isnan(modulus) || one.im < 0) continue;
        if (f->of != COSTAB_MODES_CONTINUOUS && modulus <= n * DBL_EPSILON) continue;
        (*all)[(*count)++] = one;
    }
    for (int k = 0; k < aside && f->of == COSTAB_MODES_CONTINUOUS && *count > 0; k++) {
        int least = 0;
        for (int i = 1; i < *count; i++)
            if (hypot((*all)[i].re, (*all)[i].im) < hypot((*all)[least].re, (*all)[least].im)) least = i;
        (*all)[least] = (*all)[--*count];
    }
    qsort(*all, (size_t)*count, sizeof **all, by_size);
    return status;
}

/* The eigenvalue of the split network next to a candidate. */
static int nearest(const vectors *v, const candidate *one) {
    int best = 0;
    double least = (double)INFINITY;
    for (int i = 0; i < v->n; i++) {
        double distance = hypot(v->re[i] - one->re, v->im[i] - one->im);
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

/* ---- All of them ---- */

static costab_status make_room(finder *f, int n, costab_error *error) {
    size_t size = (size_t)n + 1, cells = size * size;
    double **blocks[] = {&f->v.matrix, &f->v.left, &f->v.right};
    double **rows[] = {&f->v.re, &f->v.im, &f->product_re, &f->product_im};
    bool all = true;
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        all = (*blocks[k] = memory_alloc(cells, sizeof(double))) != NULL && all;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        all = (*rows[k] = memory_alloc(size, sizeof(double))) != NULL && all;
    f->owners = memory_alloc(size, sizeof *f->owners);
    f->v.n = n;
    return all && f->owners != NULL ? COSTAB_OK : error_memory(error);
}

static void end(finder *f) {
    memory_free_all(f->v.matrix, f->v.left, f->v.right, f->v.re, f->v.im, f->product_re, f->product_im,
                    f->owners);
    by_connection_destroy(&f->split);
    costab_network_work_destroy(&f->work);
}

static costab_status fill(finder *f, const candidate *all, int count, costab_modes *modes,
                          costab_error *error) {
    size_t rows = (size_t)count + 1, subsystems = (size_t)modes->subsystems,
           links = (size_t)modes->connections;
    int *chosen = memory_alloc(rows, sizeof *chosen);
    modes->modes = memory_alloc(rows, sizeof *modes->modes);
    modes->shares = memory_alloc(rows * subsystems, sizeof *modes->shares);
    modes->sums = memory_alloc(rows * subsystems, sizeof *modes->sums);
    modes->links = memory_alloc(rows * links + 1, sizeof *modes->links);
    bool room = chosen && modes->modes && modes->shares && modes->sums && modes->links;
    modes->count = room ? count : 0;
    for (int m = 0; m < modes->count; m++) {
        costab_mode *mode = &modes->modes[m];
        mode->re = all[m].re;
        mode->im = all[m].im;
        set_rates(f, mode);
        chosen[m] = nearest(&f->v, &all[m]);
        memset(f->product_re, 0, (size_t)f->v.n * sizeof *f->product_re);
        memset(f->product_im, 0, (size_t)f->v.n * sizeof *f->product_im);
        mode->condition = 1 / add_products(f, chosen[m], f->product_re, f->product_im);
        set_shares(f, chosen[m], modes->shares + (size_t)m * subsystems,
                   modes->sums + (size_t)m * subsystems);
    }
    costab_status status = room ? find_links(f, chosen, modes, error) : error_memory(error);
    memory_free(chosen);
    return status;
}

costab_status costab_network_modes(const costab_network *network, const costab_coupling *coupling,
                                   costab_modes_of of, int most, costab_modes *modes, costab_error *error) {
    finder f = {.coupling = coupling, .of = of};
    const double *matrix = NULL;
    candidate *all = NULL;
    int n = 0, count = 0;
    *modes = (costab_modes){.subsystems = network->subsystem_count, .connections = network->connection_count};
    costab_status status = costab_network_work_create(&f.work, error);
    if (!status) status = candidates_of(&f, network, &all, &count, error);
    if (!status) status = by_connection_create(network, &f.split, error);
    if (!status) status = matrix_of(&f, &matrix, &n, error);
    if (!status && n > 0) status = make_room(&f, n, error);
    if (!status && n > 0) find_owners(&f);
    if (!status && n > 0) status = find_vectors(&f.v, matrix, error);
    if (!status && n > 0) status = fill(&f, all, count < most ? count : most, modes, error);
    memory_free(all);
    end(&f);
    return status;
}

void costab_modes_free(costab_modes *modes) {
    memory_free_all(modes->modes, modes->shares, modes->sums, modes->links);
    *modes = (costab_modes){.count = 0};
}
