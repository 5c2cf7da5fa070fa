/* R, phi, P0 and P1 of a macro step (costab/method.h) at a real or complex z: weights_template.h, compiled
 * for real and for complex numbers. */
#include <complex.h>
#include <math.h>

#include "costab/method.h"

#define NUMBER         double
#define NAME(x)        real_##x
#define MAGNITUDE(z)   fabs(z)
#define EXPONENTIAL(z) exp(z)
#include "method/weights_template.h"
#undef NUMBER
#undef NAME
#undef MAGNITUDE
#undef EXPONENTIAL

#define NUMBER         double complex
#define NAME(x)        complex_##x
#define MAGNITUDE(z)   cabs(z)
#define EXPONENTIAL(z) cexp(z)
#include "method/weights_template.h"

costab_weights costab_method_weights(const costab_method *method, int substeps, double z) {
    real_block w = real_weights(method, substeps, z);
    return (costab_weights){.R = w.R, .phi = w.phi, .p0 = w.p0, .p1 = w.p1};
}

static costab_complex parts(double complex z) {
    return (costab_complex){creal(z), cimag(z)};
}

costab_weights_complex costab_method_weights_complex(const costab_method *method, int substeps,
                                                     costab_complex z) {
    complex_block w = complex_weights(method, substeps, z.re + z.im * (double complex)I);
    return (costab_weights_complex){
        .R = parts(w.R), .phi = parts(w.phi), .p0 = parts(w.p0), .p1 = parts(w.p1)};
}
