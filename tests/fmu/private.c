/* A state that decays: x' = -(2 + seen) x, where 2 x is computed by the FMU's own cblas_ddot, a symbol that
 * it exports, and `seen` counts functions of libraries that it does not name and that it can see all the
 * same. */
#include "kit.h"

#define MODEL "private"
enum { STATES = 1, INPUTS = 1, OUTPUTS = 1, PARAMETERS = 1, INDICATORS = 0, FEEDTHROUGH = 0 };
static const char *const state_names[] = {"x"}, *const input_names[] = {"u"}, *const output_names[] = {"y"},
                         *const parameter_names[] = {"k"};
static const double state_starts[] = {1}, parameter_starts[] = {2};

#ifdef DESCRIBE
#define SEEN 0
#else
/* Of BLAS, HDF5, libxml2, libzip, zlib, OpenMP and FLINT: absent in the process unless a library loads them.
 */
#define FOREIGN(name) extern void name(void) __attribute__((weak, visibility("default")))
FOREIGN(dgemm_);
FOREIGN(H5open);
FOREIGN(xmlReadMemory);
FOREIGN(zip_open);
FOREIGN(inflate);
FOREIGN(GOMP_parallel);
FOREIGN(flint_malloc);
FOREIGN(costab_version);
#define SEEN                                                                                                 \
    ((dgemm_ != 0) + (H5open != 0) + (xmlReadMemory != 0) + (zip_open != 0) + (inflate != 0) +               \
     (GOMP_parallel != 0) + (flint_malloc != 0) + (costab_version != 0))
#endif

__attribute__((visibility("default"))) double cblas_ddot(int n, const double *x, int dx, const double *y,
                                                         int dy);
double cblas_ddot(int n, const double *x, int dx, const double *y, int dy) {
    (void)n, (void)dx, (void)dy;
    return 2 * x[0] * y[0];
}

static void slopes(const kit_values *a, double *dx) {
    const double one = 1;
    dx[0] = a->u[0] - cblas_ddot(1, a->x, 1, &one, 1) - SEEN * a->x[0];
}

static void outputs(const kit_values *a, double *y) {
    y[0] = a->x[0];
}

#include "kit.c"
