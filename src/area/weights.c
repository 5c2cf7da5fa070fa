/* R, phi, P0 and P1 of a macro step in balls.
 *
 * 1. One micro step at z / m: quotients of the values, in Z[sqrt D], of exact polynomials (stability.c). The
 *    method `exact` has phi = (e^z - 1) / z and P1 = (phi - 1) / z.
 * 2. m micro steps by doubling. The input at a joint is interpolated linearly between the ends
 *    (method/weights_template.h). Values are doubled instead of polynomials, because m may be large.
 *
 * Cost: the values, and log2 m joints. */
#include "area/weights.h"

enum { LEAST = 1000 };

void ball_weights_init(ball_weights *w) {
    flint_each(arb_init, w->R, w->phi, w->p0, w->p1);
}

void ball_weights_clear(ball_weights *w) {
    flint_each(arb_clear, w->R, w->phi, w->p0, w->p1);
}

static void set_weights(ball_weights *w, const ball_weights *of) {
    arb_set(w->R, of->R);
    arb_set(w->phi, of->phi);
    arb_set(w->p0, of->p0);
    arb_set(w->p1, of->p1);
}

/* ball := den^length f(z), z = num / den */
static void value_of(arb_t ball, const surd_poly *f, int root, const fmpq_t z, slong length,
                     slong precision) {
    flint_local(surd_number, value);
    flint_local(arb, irrational);
    surd_value(value, f, z, length);
    arb_set_fmpz(ball, value->u);
    arb_sqrt_ui(irrational, (ulong)root, precision);
    arb_addmul_fmpz(ball, irrational, value->v, precision);
}

/* The weights of one micro step of a Runge-Kutta method. */
static void micro_step(const method_exact *e, const fmpq_t z, slong precision, ball_weights *w) {
    const surd_poly *const f[] = {&e->den, &e->phi, &e->p0, &e->p1};
    arb_ptr to[] = {w->R, w->phi, w->p0, w->p1}; /* R first holds the denominator */
    slong length = 0;
    for (int k = 0; k < 4; k++)
        if (surd_degree(f[k]) > length) length = surd_degree(f[k]);
    for (int k = 0; k < 4; k++) value_of(to[k], f[k], e->root, z, length, precision);
    for (int k = 1; k < 4; k++) arb_div(to[k], to[k], w->R, precision);
    arb_mul_fmpz(w->R, w->phi, fmpq_numref(z), precision);
    arb_div_fmpz(w->R, w->R, fmpq_denref(z), precision);
    arb_add_ui(w->R, w->R, 1, precision);
}

/* The weights of one micro step of the method `exact`. */
static void exponential(const fmpq_t a, slong precision, ball_weights *w) {
    flint_local(arb, z);
    arb_set_fmpq(z, a, precision);
    arb_exp(w->R, z, precision);
    arb_one(w->phi);
    arb_set_d(w->p1, 0.5);
    if (!fmpq_is_zero(a)) {
        arb_expm1(w->phi, z, precision);
        arb_div(w->phi, w->phi, z, precision);
        arb_sub_ui(w->p1, w->phi, 1, precision);
        arb_div(w->p1, w->p1, z, precision);
    }
    arb_sub(w->p0, w->phi, w->p1, precision);
}

/* both := `first` over k micro steps, then `second` over l. */
static void join(ball_weights *both, const ball_weights *first, slong k, const ball_weights *second, slong l,
                 slong precision) {
    flint_local(arb, joint);
    arb_mul(joint, second->R, first->p1, precision);
    arb_add(joint, joint, second->p0, precision);
    arb_mul_si(joint, joint, k, precision);
    arb_div_si(joint, joint, k + l, precision);
    arb_add(both->p1, joint, second->p1, precision);
    arb_mul(both->phi, second->R, first->phi, precision);
    arb_add(both->phi, both->phi, second->phi, precision);
    arb_sub(both->p0, both->phi, both->p1, precision);
    arb_mul(both->R, second->R, first->R, precision);
}

/* w := the macro step of m micro steps, by the binary digits of m from the highest. */
static void repeat(ball_weights *w, slong m, slong precision) {
    if (m == 1) return;
    flint_local(ball_weights, one, other);
    set_weights(one, w);
    slong done = 1, bit = 1;
    while (2 * bit <= m) bit *= 2;
    for (bit /= 2; bit > 0; bit /= 2) {
        join(other, w, done, w, done, precision);
        done *= 2;
        set_weights(w, other);
        if ((m & bit) == 0) continue;
        join(other, w, done, one, 1, precision);
        done++;
        set_weights(w, other);
    }
    arb_ptr means[] = {w->phi, w->p0, w->p1};
    for (int k = 0; k < 3; k++) arb_div_si(means[k], means[k], m, precision);
}

bool weights_method(const costab_method *method, method_exact *exact) {
    return method->kind == COSTAB_EXACT || method_exact_make(method, 1, exact);
}

void weights_at(const costab_method *method, const method_exact *exact, int substeps, const fmpq_t z,
                slong precision, ball_weights *w) {
    if (method->kind == COSTAB_EXACT) {
        exponential(z, precision, w);
        return;
    }
    flint_local(fmpq, micro);
    fmpq_set_si(micro, 1, (ulong)substeps);
    fmpq_mul(micro, micro, z);
    micro_step(exact, micro, precision, w);
    repeat(w, substeps, precision);
}

bool ball_to_double(const arb_t ball, double *value) {
    flint_local(mag, most);
    arb_get_mag(most, ball);
    const bool known = arb_is_finite(ball) && arb_rel_accuracy_bits(ball) >= BALL_ENOUGH,
               none = !known && mag_cmp_2exp_si(most, -LEAST) < 0;
    *value = none ? 0 : arf_get_d(arb_midref(ball), ARF_RND_NEAR);
    return known || none;
}
