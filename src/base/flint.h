/* flint.h - exact numbers (FLINT) and balls (Arb). Arb is a library of its own beside FLINT 2 and a part of
 * FLINT from 3 on. */
#pragma once

#include <flint/flint.h>
#include <flint/fmpq.h>
#include <flint/fmpq_mat.h>
#include <flint/fmpq_poly.h>
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
#include <flint/acb_mat.h>
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
#include <acb_mat.h>
#include <acb_poly.h>
#include <arb.h>
#include <arb_fmpz_poly.h>
#include <arb_hypgeom.h>
#include <arb_mat.h>
#include <arb_poly.h>
#endif

/* Applies acb_init, acb_clear, fmpq_clear or the like to several numbers of one type. */
#define flint_each(action, ...)                                                                              \
    do {                                                                                                     \
        __typeof__(flint_first(__VA_ARGS__, 0)) flint_list[] = {__VA_ARGS__};                                \
        for (size_t flint_i = 0; flint_i < sizeof flint_list / sizeof *flint_list; flint_i++)                \
            action(flint_list[flint_i]);                                                                     \
    } while (0)
#define flint_first(first, ...) &*(first)

/* FLINT keeps memory for each thread that uses it, some 230 kB. Once a thread has called this, that memory is
 * freed when the thread ends; for what uses FLINT on threads that end before the process. */
void flint_ends_with_thread(void);
