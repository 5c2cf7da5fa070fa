/* base/flint.h - exact numbers (FLINT) and balls (Arb), and local variables of their types. Arb is a separate
 * library with FLINT 2 and a part of FLINT from 3 on. */
#pragma once

#include <flint/flint.h>
#include <flint/fmpq.h>
#include <flint/fmpq_mat.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpq_vec.h>
#include <flint/fmpz.h>
#include <flint/fmpz_mpoly_factor.h>
#include <flint/fmpz_poly.h>
#include <flint/nmod_poly.h>
#include <flint/nmod_poly_factor.h>
#include <flint/ulong_extras.h>

#if __FLINT_RELEASE >= 30000
#include <flint/acb.h>
#include <flint/acb_calc.h>
#include <flint/acb_hypgeom.h>
#include <flint/acb_poly.h>
#include <flint/arb.h>
#include <flint/arb_fmpz_poly.h>
#include <flint/arb_hypgeom.h>
#include <flint/arb_mat.h>
#include <flint/arb_poly.h>
#else
#include <acb.h>
#include <acb_calc.h>
#include <acb_hypgeom.h>
#include <acb_poly.h>
#include <arb.h>
#include <arb_fmpz_poly.h>
#include <arb_hypgeom.h>
#include <arb_mat.h>
#include <arb_poly.h>
#endif

#include "base/memory.h"

/* Applies acb_init, acb_clear, fmpq_clear or the like to several numbers of one type. */
#define flint_each(action, ...)                                                                              \
    for (flint_of(__VA_ARGS__) flint_list[] = {__VA_ARGS__, NULL}, *flint_x = flint_list; *flint_x != NULL;  \
         flint_x++)                                                                                          \
    action(*flint_x)
#define flint_of(...)           __typeof__(flint_first(__VA_ARGS__, 0))
#define flint_first(first, ...) &*(first)

/* Declare local numbers of one type, matrices of one size, and a vector, such as flint_local(arb, x, y). They
 * are cleared when their block is left, in any way. */
#define flint_local(type, ...)                                                                               \
    type##_t __VA_ARGS__;                                                                                    \
    flint_each(type##_init, __VA_ARGS__);                                                                    \
    flint_until_end(type, __VA_ARGS__)
#define flint_local_matrix(type, rows, columns, ...)                                                         \
    type##_t __VA_ARGS__;                                                                                    \
    for (flint_of(__VA_ARGS__) flint_list[] = {__VA_ARGS__, NULL}, *flint_x = flint_list; *flint_x != NULL;  \
         flint_x++)                                                                                          \
        type##_init(*flint_x, rows, columns);                                                                \
    flint_until_end(type, __VA_ARGS__)
#define flint_local_vector(type, name, length)                                                               \
    ends_by(type##_vector_end) const type##_vector name##_vector = {_##type##_vec_init(length), length};     \
    __auto_type name = name##_vector.first

#define flint_until_end(type, ...)                                                                           \
    flint_of(__VA_ARGS__) flint_line(flint_ends_, __LINE__)[]                                                \
        __attribute__((cleanup(type##_end), unused)) = {__VA_ARGS__, NULL}
#define flint_line(name, line)  flint_line_(name, line)
#define flint_line_(name, line) name##line

/* Functions of a type for flint_local. */
#define FLINT_LOCAL(type)                                                                                    \
    static inline void type##_end(void *list) {                                                              \
        for (__typeof__(&*(type##_t){0}) *x = list; *x != NULL; x++) type##_clear(*x);                       \
    }
#define FLINT_LOCAL_VECTOR(type)                                                                             \
    typedef struct type##_vector {                                                                           \
        __typeof__(_##type##_vec_init(0)) first;                                                             \
        slong length;                                                                                        \
    } type##_vector;                                                                                         \
    static inline void type##_vector_end(const type##_vector *v) {                                           \
        _##type##_vec_clear(v->first, v->length);                                                            \
    }
FLINT_LOCAL(acb)
FLINT_LOCAL(acb_poly)
FLINT_LOCAL(arb)
FLINT_LOCAL(arb_mat)
FLINT_LOCAL(arf)
FLINT_LOCAL(fmpq)
FLINT_LOCAL(fmpq_mat)
FLINT_LOCAL(fmpz)
FLINT_LOCAL(fmpz_poly)
FLINT_LOCAL(mag)
FLINT_LOCAL_VECTOR(acb)
FLINT_LOCAL_VECTOR(arb)
FLINT_LOCAL_VECTOR(fmpq)

/* Frees FLINT's memory of the calling thread, about 230 kB, when the thread ends. For threads that end before
 * the process. */
void flint_free_at_thread_end(void);
