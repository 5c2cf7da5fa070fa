/* Table of the named Runge-Kutta methods, with entries as text, and of the method `exact`.
 * tests/unit/method.c verifies the order conditions of each. */
#include "method/table.h"

const method_entry method_table[] = {
    {.name = "euler",
     .title = "explicit Euler",
     /* L. Euler, Institutionum calculi integralis I, 1768 */
     .order = 1,
     .stages = 1,
     .A = {{"0"}},
     .b = {"1"},
     .c = {"0"}},
    {.name = "heun",
     .title = "Heun's method (explicit trapezoidal rule)",
     /* K. Heun, Zeitschrift fuer Mathematik und Physik 45, 1900 */
     .order = 2,
     .stages = 2,
     .A = {{"0"}, {"1"}},
     .b = {"1/2", "1/2"},
     .c = {"0", "1"}},
    {.name = "midpoint",
     .title = "explicit midpoint rule",
     /* C. Runge, Mathematische Annalen 46, 1895 */
     .order = 2,
     .stages = 2,
     .A = {{"0"}, {"1/2"}},
     .b = {"0", "1"},
     .c = {"0", "1/2"}},
    {.name = "ralston",
     .title = "Ralston's second-order method",
     /* A. Ralston, Mathematics of Computation 16, 1962 */
     .order = 2,
     .stages = 2,
     .A = {{"0"}, {"2/3"}},
     .b = {"1/4", "3/4"},
     .c = {"0", "2/3"}},
    {.name = "kutta3",
     .title = "Kutta's third-order method",
     /* W. Kutta, Zeitschrift fuer Mathematik und Physik 46, 1901 */
     .order = 3,
     .stages = 3,
     .A = {{"0"}, {"1/2"}, {"-1", "2"}},
     .b = {"1/6", "2/3", "1/6"},
     .c = {"0", "1/2", "1"}},
    {.name = "ssprk3",
     .title = "strong-stability-preserving third-order method",
     /* C.-W. Shu, S. Osher, Journal of Computational Physics 77, 1988 */
     .order = 3,
     .stages = 3,
     .A = {{"0"}, {"1"}, {"1/4", "1/4"}},
     .b = {"1/6", "1/6", "2/3"},
     .c = {"0", "1", "1/2"}},
    {.name = "rk4",
     .title = "classical fourth-order Runge-Kutta method",
     /* W. Kutta, Zeitschrift fuer Mathematik und Physik 46, 1901 */
     .order = 4,
     .stages = 4,
     .A = {{"0"}, {"1/2"}, {"0", "1/2"}, {"0", "0", "1"}},
     .b = {"1/6", "1/3", "1/3", "1/6"},
     .c = {"0", "1/2", "1/2", "1"}},
    {.name = "rk38",
     .title = "3/8 rule",
     /* W. Kutta, Zeitschrift fuer Mathematik und Physik 46, 1901 */
     .order = 4,
     .stages = 4,
     .A = {{"0"}, {"1/3"}, {"-1/3", "1"}, {"1", "-1", "1"}},
     .b = {"1/8", "3/8", "3/8", "1/8"},
     .c = {"0", "1/3", "2/3", "1"}},
    {.name = "bs3",
     .title = "Bogacki-Shampine, third-order solution",
     /* P. Bogacki, L. F. Shampine, Applied Mathematics Letters 2, 1989 */
     .order = 3,
     .stages = 3,
     .A = {{"0"}, {"1/2"}, {"0", "3/4"}},
     .b = {"2/9", "1/3", "4/9"},
     .c = {"0", "1/2", "3/4"}},
    {.name = "dopri5",
     .title = "Dormand-Prince, fifth-order solution",
     /* J. R. Dormand, P. J. Prince, Journal of Computational and Applied Mathematics 6, 1980 */
     .order = 5,
     .stages = 6,
     .A = {{"0"},
           {"1/5"},
           {"3/40", "9/40"},
           {"44/45", "-56/15", "32/9"},
           {"19372/6561", "-25360/2187", "64448/6561", "-212/729"},
           {"9017/3168", "-355/33", "46732/5247", "49/176", "-5103/18656"}},
     .b = {"35/384", "0", "500/1113", "125/192", "-2187/6784", "11/84"},
     .c = {"0", "1/5", "3/10", "4/5", "8/9", "1"}},
    {.name = "backward-euler",
     .title = "implicit Euler",
     /* E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, section IV.3 */
     .order = 1,
     .stages = 1,
     .A = {{"1"}},
     .b = {"1"},
     .c = {"1"}},
    {.name = "trapezoidal",
     .title = "implicit trapezoidal rule",
     /* G. Dahlquist, BIT 3, 1963 */
     .order = 2,
     .stages = 2,
     .A = {{"0"}, {"1/2", "1/2"}},
     .b = {"1/2", "1/2"},
     .c = {"0", "1"}},
    {.name = "gauss2",
     .title = "two-stage Gauss method",
     /* J. C. Butcher, Mathematics of Computation 18, 1964 */
     .order = 4,
     .stages = 2,
     .A = {{"1/4", "-1/48/(1/4 + sqrt(3)/6)"}, {"1/4 + sqrt(3)/6", "1/4"}}, /* 1/4 - sqrt(3)/6 */
     .b = {"1/2", "1/2"},
     .c = {"1/6/(1/2 + sqrt(3)/6)", "1/2 + sqrt(3)/6"}}, /* 1/2 - sqrt(3)/6 */
    {.name = "radau2",
     .title = "two-stage Radau IIA method",
     /* B. L. Ehle, On Pade approximations to the exponential function, 1969 */
     .order = 3,
     .stages = 2,
     .A = {{"5/12", "-1/12"}, {"3/4", "1/4"}},
     .b = {"3/4", "1/4"},
     .c = {"1/3", "1"}},
    {.name = "sdirk2",
     .title = "L-stable two-stage SDIRK method, gamma = 1 - 1/sqrt(2)",
     /* R. Alexander, SIAM Journal on Numerical Analysis 14, 1977 */
     .order = 2,
     .stages = 2,
     .A = {{"1/(2 + sqrt(2))"}, {"sqrt(2)/2", "1/(2 + sqrt(2))"}}, /* 1 - sqrt(2)/2 */
     .b = {"sqrt(2)/2", "1/(2 + sqrt(2))"},
     .c = {"1/(2 + sqrt(2))", "1"}},
    {.name = "exact",
     .title = "exact solution of the subsystem",
     /* M. Hochbruck, A. Ostermann, Acta Numerica 19, 2010: the phi functions */
     .exact = true},
};

const int method_table_count = (int)(sizeof method_table / sizeof method_table[0]);
