/* Modes of a network's matrix M (map, A_mono or iteration matrix (1 - w) I + w J): eigenvalues l with right
 * and left vectors v and w, and the participation of subsystems and connections.
 *
 * 1. Eigenvalues: the leading ones of the network's own matrix, without equilibria and preserved motions.
 * 2. Vectors of these eigenvalues and of all others within 1e-6: such a cluster counts as one mode. A pair
 *    with an imaginary part below its rounding error m n eps |w|* |M| |v| / |w* v| is m real eigenvalues.
 * 3. Split: the map's vectors are converted to the network split by connections (by_connection.h), in which
 *    each row belongs to one subsystem.
 * 4. Connections: sensitivity of the modes to gains (modes_links.c).
 * 5. Subsystems: participation factors |w_k v_k| / |w* v|, summed by subsystem (I. J. Perez-Arriaga, G. C.
 *    Verghese, F. C. Schweppe 1982).
 *
 * Cost: 25 n^3. Limitation: participations in defective eigenvalues depend on rounding. */
#include "costab/modes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/analyse.h"
#include "network/iterate.h"
#include "network/modes_links.h"
#include "network/network.h"
#include "network/spectrum.h"

/* Eigenvalues closer than this count as one mode. */
#define CLUSTER 1e-6
/* Larger imaginary parts, relative to the largest eigenvalue, cannot be rounding errors of a double
 * eigenvalue. */
#define SMALL_ANGLE 1e-3

/* The modes of one matrix M, n x n. Entries are entries of its vectors. */
typedef struct mode_search {
    const costab_network *network;
    const costab_coupling *coupling;
    costab_modes_of kind;            /* which matrix */
    costab_network_work *work;       /* workspace of the network, with the analysed point */
    by_connection *split;            /* the network with a separate output for each connection */
    costab_network_work *split_work; /* workspace of the split network */
    modes_vectors vectors;           /* of M; after the split, of the split network's map */
    int *owners;                     /* per entry: its subsystem */
    double *product_re, *product_im; /* per entry: conj(w_k) v_k / (w* v), summed over a cluster */
} mode_search;

/* ---- Matrices ---- */

/* Returns true if the coupling iterates to convergence and thus has an iteration matrix. */
static bool converges(const costab_coupling *coupling) {
    return coupling->scheme == COSTAB_ITERATED && coupling->iterations <= 0;
}

/* Finds the requested matrix; *n = 0 if there is none. The iteration matrix belongs to the split network, the
 * others have the network's rows. */
static costab_status find_matrix(mode_search *f, long exponent, const double **matrix, int *n,
                                 costab_error *error) {
    costab_network_work *work = f->work;
    *n = 0;
    if (f->kind == COSTAB_MODES_CONTINUOUS && work->mono.span == 0 && !network_has_dead_time(work->network)) {
        *matrix = work->mono.matrix;
        *n = work->states;
    } else if (work->halves == 1 && exponent == 0 && f->kind == COSTAB_MODES_MAP) {
        *matrix = work->map;
        *n = work->size;
    } else if (work->halves == 1 && exponent == 0 && converges(f->coupling) && work->period == 1) {
        work = f->split_work;
        TRY(iterate_map(work, error));
        *matrix = work->iteration.matrix;
        *n = work->guesses;
    }
    if (*n > 0 && !isfinite(matrix_norm((size_t)*n * (size_t)*n, *matrix))) *n = 0;
    return COSTAB_OK;
}

/* Assigns a subsystem to each entry. History values of an output belong to the target of its connection. */
static void find_owners(mode_search *f) {
    const costab_network_work *work = f->split_work;
    const costab_connection *connections = f->split->network.connections;
    if (f->kind == COSTAB_MODES_ITERATION) {
        for (int o = 0; o < work->signals; o++)
            if (work->guess_number[o] >= 0)
                f->owners[work->guess_number[o]] = connections[f->split->of_output[o % work->outputs]].to;
        return;
    }
    int count = f->kind == COSTAB_MODES_CONTINUOUS ? work->states : work->size;
    for (int i = 0; i < count; i++) {
        const map_row *row = &work->rows[i];
        int output = work->subs[row->subsystem].y + row->index;
        f->owners[i] = row_port_of(row->kind) == ROW_OF_OUTPUT ? connections[f->split->of_output[output]].to
                                                               : row->subsystem;
    }
}

/* ---- Vectors ---- */

/* Adds conj(w_k) v_k / (w* v) for all k of eigenvalue i. Returns |w* v|; vectors have length 1. */
static double add_products(const mode_search *f, int i, double *re, double *im) {
    const modes_vectors *v = &f->vectors;
    double sum_re = 0, sum_im = 0;
    for (int pass = 0; pass < 2; pass++) {
        double size = sum_re * sum_re + sum_im * sum_im;
        if (pass == 1 && !(size > 0)) return 0;
        for (int k = 0; k < v->n; k++) {
            double a, b, c, d;
            modes_entry(v, v->left, i, k, &a, &b);
            modes_entry(v, v->right, i, k, &c, &d);
            double x = a * c - b * d, y = b * c + a * d;
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

/* Returns true if eigenvalues i and j belong to one cluster. */
static bool is_close(const modes_vectors *v, int i, int j) {
    return hypot(v->re[j] - v->re[i], v->im[j] - v->im[i]) <= CLUSTER;
}

/* Participation of subsystems in the cluster of eigenvalue i: the sum of moduli, and the modulus of the sum,
 * each divided by its total. */
static void set_subsystem_shares(mode_search *f, int i, double *shares, double *sums) {
    const modes_vectors *v = &f->vectors;
    int subsystems = f->network->subsystem_count;
    double all = 0, all_sums = 0;
    memset(f->product_re, 0, (size_t)v->n * sizeof *f->product_re);
    memset(f->product_im, 0, (size_t)v->n * sizeof *f->product_im);
    for (int j = 0; j < v->count; j++)
        if (is_close(v, i, j)) (void)add_products(f, j, f->product_re, f->product_im);
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

static void set_frequency(const mode_search *f, costab_mode *mode) {
    double span = f->coupling->macro_step * (double)f->work->period;
    double turn = fabs(atan2(mode->im, mode->re)) / span;
    mode->growth = log(hypot(mode->re, mode->im)) / span;
    if (f->kind == COSTAB_MODES_CONTINUOUS) {
        mode->growth = mode->re;
        turn = mode->im;
    }
    double rate = hypot(turn, mode->growth);
    mode->frequency = turn / (2 * acos(-1));
    mode->damping = isinf(mode->growth) ? 1 : rate > 0 ? -mode->growth / rate : 0;
    if (f->kind == COSTAB_MODES_ITERATION) mode->frequency = mode->damping = mode->growth = (double)NAN;
}

/* ---- Selection of modes ---- */

/* An eigenvalue, one per pair. Rank: its modulus, for A_mono its real part; the largest rank comes first. */
typedef struct ranked {
    double re, im, rank;
} ranked;

static int compare_ranked(const void *left, const void *right) {
    const ranked *a = left, *b = right;
    if (a->rank != b->rank) return a->rank < b->rank ? 1 : -1;
    return a->im < b->im ? -1 : a->im > b->im;
}

/* Ranks the eigenvalues of the original network, because the split network has additional zeros, which
 * rounding moves far. Removed modes are omitted: the map's eigenvalues are those of the reduced map; of
 * A_mono the eigenvalues nearest to 0 are dropped, as many as modes. Eigenvalues 0 of the map are omitted,
 * too. */
static costab_status rank_eigenvalues(mode_search *f, const costab_network_point *point, ranked **all,
                                      int *count, costab_error *error) {
    double radius, abscissa;
    costab_network_work *work = f->work;
    int n = point->size, aside = point->neutral + point->kept;
    if (f->kind == COSTAB_MODES_MAP) n -= aside;
    if (f->kind == COSTAB_MODES_ITERATION) {
        n = converges(f->coupling) && work->halves == 1 && work->period == 1 ? work->guesses : 0;
        TRY(spectrum_radius(work, n, work->iteration.matrix, &radius, &abscissa, error));
    } else if (f->kind == COSTAB_MODES_CONTINUOUS) {
        n = work->mono.span == 0 && !network_has_dead_time(work->network) ? work->states : 0;
        TRY(spectrum_radius(work, n, work->mono.matrix, &radius, &abscissa, error));
    }
    *count = 0;
    TRY(memory_make(all, (size_t)n + 1, error));
    for (int i = 0; i < n; i++) {
        ranked one = {work->eigen.real[i], work->eigen.imaginary[i], 0};
        double modulus = hypot(one.re, one.im);
        one.rank = f->kind == COSTAB_MODES_CONTINUOUS ? one.re : modulus;
        if (isnan(modulus) || one.im < 0) continue;
        if (f->kind != COSTAB_MODES_CONTINUOUS && modulus <= n * DBL_EPSILON) continue;
        (*all)[(*count)++] = one;
    }
    for (int k = 0; k < aside && f->kind == COSTAB_MODES_CONTINUOUS && *count > 0; k++) {
        int least = 0;
        for (int i = 1; i < *count; i++)
            if (hypot((*all)[i].re, (*all)[i].im) < hypot((*all)[least].re, (*all)[least].im)) least = i;
        (*all)[least] = (*all)[--*count];
    }
    qsort(*all, (size_t)*count, sizeof **all, compare_ranked);
    return COSTAB_OK;
}

/* Returns the index of the nearest eigenvalue in f->vectors. */
static int find_eigenvalue(const modes_vectors *v, const ranked *one) {
    int best = 0;
    double least = (double)INFINITY;
    for (int i = 0; i < v->count; i++) {
        double distance = hypot(v->re[i] - one->re, v->im[i] - one->im);
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

/* ---- All modes ---- */

static void free_search(mode_search *f) {
    modes_vectors_free(&f->vectors);
    memory_free_all(f->product_re, f->product_im, f->owners);
    by_connection_destroy(&f->split);
    costab_network_work_destroy(&f->split_work);
}

/* Computes the vectors of the eigenvalues `chosen` and of their clusters. */
static costab_status find_vectors(mode_search *f, const int *chosen, int count, costab_error *error) {
    modes_vectors *v = &f->vectors;
    memory_local_array(bool, wanted, (size_t)v->count, error);
    for (int j = 0; j < v->count; j++)
        for (int m = 0; m < count && !wanted[j]; m++)
            if (is_close(v, chosen[m], j))
                wanted[j] = wanted[v->im[j] > 0 ? j + 1 : v->im[j] < 0 ? j - 1 : j] = true;
    modes_vectors_choose(v, wanted);
    return COSTAB_OK;
}

/* Converts vectors to the split network and assigns the entries to subsystems. */
static costab_status find_split_vectors(mode_search *f, costab_error *error) {
    if (f->kind == COSTAB_MODES_MAP)
        TRY(modes_vectors_split(&f->vectors, f->work, f->split, f->split_work, error));
    size_t rows = (size_t)f->vectors.n;
    TRY(memory_make(&f->owners, rows, error));
    TRY(memory_make(&f->product_re, rows, error));
    TRY(memory_make(&f->product_im, rows, error));
    find_owners(f);
    return COSTAB_OK;
}

static costab_status allocate_modes(costab_modes *modes, int count, int **chosen, costab_error *error) {
    size_t rows = (size_t)count + 1, subsystems = (size_t)modes->subsystems,
           links = (size_t)modes->connections;
    TRY(memory_make(chosen, rows, error));
    TRY(memory_make(&modes->modes, rows, error));
    TRY(memory_make(&modes->shares, rows * subsystems, error));
    TRY(memory_make(&modes->sums, rows * subsystems, error));
    TRY(memory_make(&modes->links, rows * links + 1, error));
    modes->count = count;
    return COSTAB_OK;
}

static void set_mode(mode_search *f, const ranked *one, int chosen, int m, costab_modes *modes) {
    size_t row = (size_t)m * (size_t)modes->subsystems,
           entries = (size_t)f->vectors.n * sizeof *f->product_re;
    costab_mode *mode = &modes->modes[m];
    mode->re = one->re;
    mode->im = one->im;
    set_frequency(f, mode);
    memset(f->product_re, 0, entries);
    memset(f->product_im, 0, entries);
    mode->condition = 1 / add_products(f, chosen, f->product_re, f->product_im);
    set_subsystem_shares(f, chosen, modes->shares + row, modes->sums + row);
}

/* Rounding error of an eigenvalue i with an imaginary part. scale, norm: of the balanced matrix
 * (loop_balance). If m eigenvalues meet at distance d, a change e of the matrix moves them by d = (c
 * e)^(1/m), and the error to first order at the moved ones is d/m: hence the factor m, the number of
 * eigenvalues around the pair. */
static double rounding_of(const modes_vectors *v, int i, const double *scale, double norm) {
    double sum_re = 0, sum_im = 0, left = 0, right = 0;
    int meet = 0;
    for (int j = 0; j < v->count; j++) meet += hypot(v->re[j] - v->re[i], v->im[j]) <= 3 * fabs(v->im[i]);
    for (int k = 0; k < v->n; k++) {
        double a, b, c, d;
        modes_entry(v, v->left, i, k, &a, &b);
        modes_entry(v, v->right, i, k, &c, &d);
        sum_re += a * c - b * d;
        sum_im += a * d + b * c;
        left = hypot(left, hypot(a, b) / scale[k]);
        right = hypot(right, hypot(c, d) * scale[k]);
    }
    return meet * v->n * DBL_EPSILON * norm * left * right / hypot(sum_re, sum_im);
}

/* Makes pairs real that are multiple real eigenvalues within rounding. */
static costab_status make_double_pairs_real(const mode_search *f, const double *matrix, const int *chosen,
                                            ranked *all, int count, costab_error *error) {
    int n = f->vectors.n;
    memory_local double *scale = NULL, *balanced = NULL;
    double norm = 0, largest = 0;
    for (int i = 0; i < f->vectors.count; i++)
        largest = fmax(largest, hypot(f->vectors.re[i], f->vectors.im[i]));
    for (int m = 0; m < count; m++) {
        if (all[m].im == 0 || all[m].im > SMALL_ANGLE * largest) continue;
        if (scale == NULL) {
            TRY(memory_make(&scale, (size_t)n, error));
            TRY(memory_make(&balanced, cells(n, n), error));
            memcpy(balanced, matrix, cells(n, n) * sizeof *balanced);
            loop_balance(n, balanced, scale);
            norm = matrix_norm(cells(n, n), balanced);
        }
        if (!(all[m].im > rounding_of(&f->vectors, chosen[m], scale, norm))) all[m].im = 0;
    }
    return COSTAB_OK;
}

/* Computes vectors and participations of the first modes in `all`. */
static costab_status find_shares(mode_search *f, const double *matrix, ranked *all, int count,
                                 costab_modes *modes, costab_error *error) {
    memory_local int *chosen = NULL;
    TRY(allocate_modes(modes, count, &chosen, error));
    for (int m = 0; m < count; m++) chosen[m] = find_eigenvalue(&f->vectors, &all[m]);
    TRY(find_vectors(f, chosen, count, error));
    TRY(make_double_pairs_real(f, matrix, chosen, all, count, error));
    TRY(find_split_vectors(f, error));
    const modes_matrix made = {f->split_work, f->split, f->coupling, f->kind, &f->vectors};
    TRY(modes_links(&made, chosen, count, modes->links, error));
    for (int m = 0; m < count; m++) set_mode(f, &all[m], chosen[m], m, modes);
    return COSTAB_OK;
}

/* Computes the modes of the point last analysed in `work`. */
static costab_status find_modes(const mode_search *of, const costab_network_point *point, long exponent,
                                int most, costab_modes *modes, costab_error *error) {
    ends_by(free_search) mode_search search = *of;
    mode_search *f = &search;
    const double *matrix = NULL;
    memory_local ranked *all = NULL;
    int n = 0, count = 0;
    if (most < 0) return error_invalid(error, "the number of modes must be 0 or more, not %d", most);
    TRY(costab_network_work_create(&f->split_work, error));
    TRY(rank_eigenvalues(f, point, &all, &count, error));
    TRY(by_connection_create(f->network, &f->split, error));
    TRY(work_prepare(f->split_work, &f->split->network, f->coupling, NULL, error));
    TRY(find_matrix(f, exponent, &matrix, &n, error));
    if (n == 0) return COSTAB_OK;
    TRY(modes_vectors_find(&f->vectors, n, matrix, error));
    return find_shares(f, matrix, all, count < most ? count : most, modes, error);
}

static costab_modes empty_modes(const costab_network *network) {
    return (costab_modes){.subsystems = network->subsystem_count, .connections = network->connection_count};
}

costab_status costab_network_modes(const costab_network *network, const costab_coupling *coupling,
                                   costab_modes_of of, int most, costab_modes *modes, costab_error *error) {
    ends_by(costab_network_work_destroy) costab_network_work *work = NULL;
    costab_network_point point;
    long exponent;
    *modes = empty_modes(network);
    TRY(costab_network_work_create(&work, error));
    const mode_search f = {.network = network, .coupling = coupling, .kind = of, .work = work};
    TRY(analyse_point(work, network, coupling, &point, &exponent, error));
    return find_modes(&f, &point, exponent, most, modes, error);
}

costab_status costab_network_analyse_modes(costab_network_work *work, const costab_network *network,
                                           const costab_coupling *coupling, int most,
                                           costab_network_point *point, costab_modes *modes,
                                           costab_error *error) {
    const mode_search f = {.network = network, .coupling = coupling, .kind = COSTAB_MODES_MAP, .work = work};
    long exponent;
    *modes = empty_modes(network);
    TRY(analyse_point(work, network, coupling, point, &exponent, error));
    return find_modes(&f, point, exponent, most, modes, error);
}

void costab_modes_free(costab_modes *modes) {
    memory_free_all(modes->modes, modes->shares, modes->sums, modes->links);
    *modes = (costab_modes){.count = 0};
}
