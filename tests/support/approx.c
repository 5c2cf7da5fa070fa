#include "approx.h"

#include <math.h>

approx approx_of(complex_real value) {
    return (approx){value, 0.0L};
}

approx approx_rounded(complex_real value, real magnitude, real operations) {
    return (approx){value, operations * APPROX_ROUNDING * magnitude};
}

approx approx_add(approx a, approx b) {
    complex_real value = a.value + b.value;
    return (approx){value, a.error + b.error + APPROX_ROUNDING * cabsl(value)};
}

approx approx_subtract(approx a, approx b) {
    complex_real value = a.value - b.value;
    return (approx){value, a.error + b.error + APPROX_ROUNDING * cabsl(value)};
}

approx approx_multiply(approx a, approx b) {
    complex_real value = a.value * b.value;
    real passed = cabsl(a.value) * b.error + cabsl(b.value) * a.error + a.error * b.error;
    return (approx){value, passed + APPROX_ROUNDING * cabsl(value)};
}

approx approx_divide(approx a, approx b) {
    real smallest = cabsl(b.value) - b.error;
    complex_real value = a.value / b.value;
    if (!(smallest > 0.0L)) return (approx){value, (real)INFINITY};
    real passed = (a.error + cabsl(value) * b.error) / smallest;
    return (approx){value, passed + APPROX_ROUNDING * cabsl(value)};
}

real approx_value(approx a) {
    return creall(a.value);
}
