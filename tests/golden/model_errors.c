/* Bad models: each mistake has its own words and stands at its own line and column. */
#include <string.h>

#include "support/complaints.h"

#define AT           "m.yaml:"
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A good spec->model, line by line; a case replaces one of them. */
static const char *const good[] = {
    "title: T",
    "system: network",
    "parameters: {m: 2, k: 10, w: 2*k/m, H: 0.1}",
    "subsystems:",
    "  - name: plant",
    "    A: [[0, 1], [-k/m, -1/m]]",
    "    B: [[0], [1/m]]",
    "    C: [[0, 1], [1, 0]]",
    "    D: [[0], [0]]",
    "    x0: [5, 0]",
    "    inputs: [force]",
    "    outputs: [speed, place]",
    "    method: rk4",
    "    step: 0.01",
    "  - name: ball",
    "    states: [x, v]",
    "    inputs: [push]",
    "    outputs: [tip, lift]",
    "    f: [v, push - w*x^3]",
    "    g: [x*v, push]",
    "    operating_point: {x: w, push: 1}",
    "    substeps: 2",
    "connections:",
    "  - {from: plant.speed, to: ball.push}",
    "  - {from: ball.tip, to: plant.force, gain: 2*w, delay: 1}",
    "power_bonds: [[plant.force, plant.speed, ball.push, ball.tip]]",
    "sources: {plant.force: sin(t)*w}",
    "coupling: {scheme: gauss-seidel, macro_step: H, order: [ball, plant]}",
    "axes: {k: [1, 2]}",
    "fields: [class, spectral_radius]",
    "history: {until: 3, signals: [ball.tip, ball.x, plant.x2]}",
    "figure: {kind: curve, size: [9cm, 7cm], columns: 1}",
};

static const complaint_case cases[] = {
    /* Keys and what they hold. */
    {2, "", "1:1: error: model: the key 'system' is missing; write for instance 'system: network'"},
    {2, "system: planer", "2:9: error: system: unknown name 'planer'; did you mean 'planar'?"},
    {1, "titel: T", "1:1: error: model: unknown key 'titel'; did you mean 'title'?"},
    {32, "figure: {kind: curv}", "32:16: error: figure, kind: unknown name 'curv'; did you mean 'curve'?"},
    {32, "figure: {kind: classes}", "32:16: error: figure, kind: 'classes' needs two axes of several values"},
    {32, "figure: {kind: contour}", "32:16: error: figure, kind: 'contour' needs two axes of several values"},
    {32, "figure: {kind: time}",
     "32:16: error: figure, kind: 'time' draws the key 'history' of a spec without axes"},
    {31, "figure: {kind: time}\ntitle2: x",
     "32:1: error: model: unknown key 'title2'; did you mean 'title'?\n" AT
     "33:1: error: model: the key 'figure' is repeated; it stands in line 31 already"},
    {30, "fields: [class]", "32:16: error: figure, kind: 'curve' draws the field 'spectral_radius'"},
    {29, "axes: {k: {from: 1, to: 2, points: 8}, H: {from: 0.1, to: 0.9, points: 9}}", ""},
    {29, "axes: {k: {from: 1, to: 2, points: 9}, H: {from: 0.1, to: 0.9, points: 9}}", ""},
    {32, "figure: {kind: curve, of: error}", "32:16: error: figure, kind: 'curve' draws the field 'error'"},
    {32, "figure: {kind: curve, of: eror}",
     "32:27: error: figure, of: unknown name 'eror'; did you mean 'error'?"},
    {32, "figure: {kind: time, of: error}",
     "32:26: error: figure, of: only 'curve' and 'contour' draw a field of one's choice"},
    {30, "fields: [spectral_radius, error, energy_residual, error_bound]", ""},
    {31, "fields2: 1", "31:1: error: model: unknown key 'fields2'; did you mean 'fields'?"},
    {30, "fields: [clas]", "30:10: error: fields: unknown name 'clas'; did you mean 'class'?"},
    {32, "refine: false\nfigure: {kind: curve}", ""},
    {32, "refine: {cell: 8}", ""},
    {32, "refine: yes", "32:9: error: refine: unknown name 'yes'; expected false or true"},
    {32, "refine: {cell: 1}", "32:16: error: refine, cell: expected a whole number of at least 2, found '1'"},
    {32, "refine: {cell: 129}",
     "32:16: error: refine, cell: expected a whole number of at most 128, found '129'"},
    {32, "refine: {cells: 8}", "32:10: error: refine: unknown key 'cells'; did you mean 'cell'?"},
    {32, "refine: true\nfigure: {kind: curve}",
     "33:16: error: figure, kind: 'curve' needs the field at every point; leave 'refine' out"},
    {32, "refine: true\nfigure: {kind: contour}",
     "33:16: error: figure, kind: 'contour' needs the field at every point; leave 'refine' out"},
    {30, "fields: [spectral_radius]\nrefine: true",
     "31:9: error: refine: it fills the field 'class', which is not among 'fields'"},
    {30, "fields: [class, spectral_radius, error]\nrefine: true",
     "31:9: error: refine: 'fields' has one of a run, or of the best coupling, which is for every point; leave one of the two out"},
    {31, "history: {until: 0}", "31:18: error: history, until: expected a positive number"},
    {31, "history: {until: 1, signals: [ball.y]}",
     "31:31: error: history, signals: subsystem 'ball' has no output, state or input 'y'"},
    {31, "history: {until: 1, signals: [tip]}",
     "31:31: error: history, signals: expected subsystem.signal, such as plant.speed, found 'tip'"},

    /* Parameters. */
    {3, "parameters: [m, k]",
     "3:13: error: parameters: expected a mapping such as {m: 2, k: 10}, found a list\n~"},
    {3, "parameters: {m: 2, k: 10, w: 1, H: 0.1, m: 3}",
     "3:41: error: parameters: 'm' is repeated; it stands in line 3 already"},
    {3, "parameters: {m: 2, k: 10, w: 1, H: 0.1, t: 3}",
     "3:41: error: parameters: 't' cannot be a parameter's name: a name is a letter, then letters, digits "
     "and underscores, and none of pi, t, nan, inf and the functions' names"},
    {3, "parameters: {m: 2, k: 10, w: 1, H: 0.1, 2a: 3}",
     "3:41: error: parameters: '2a' cannot be a parameter's name: ~"},
    {3, "parameters: {m: 2, k: 10, w: 1, H: 0.1, sin: 3}",
     "3:41: error: parameters: 'sin' cannot be a parameter's name: ~"},
    {3, "parameters: {m: 0,5, k: 10, w: 1, H: 0.1}",
     "3:19: error: parameters: '5' cannot be a parameter's name; decimals are written with a point"},
    {3, "parameters: {m: 2, k: 10, w: 1e999, H: 0.1}",
     "3:30: error: parameter 'w': '1e999' is too large for a number in double precision"},
    {3, "parameters: {m: 2, k: 10, w: 1/0, H: 0.1}",
     "3:30: error: parameter 'w': its value is not finite: a denominator is 0"},
    {3, "parameters: {m: 2, k: 10, w: w+1, H: 0.1}", "3:30: error: parameter 'w': it depends on itself"},
    {3, "parameters: {m: 2, k: w, w: k, H: 0.1}",
     "3:29: error: parameter 'w': it depends on 'k', which depends on it in turn"},
    {3, "parameters: {m: 2, k: 10, w: q*m, H: 0.1}",
     "3:30: error: parameter 'w': expected a number or an expression, found 'q*m': unknown name 'q'; known "
     "are m, k, w, H"},

    /* Expressions. */
    {6, "    A: [[0, 1], [-kk/m, -1/m]]",
     "6:18: error: subsystem 'plant', A(2,1): expected a number or an expression, found '-kk/m': unknown "
     "name 'kk'; known are m, k, w, H"},
    {6, "    A: [[0, 1], [sine(k), -1/m]]",
     "6:18: error: subsystem 'plant', A(2,1): expected a number or an expression, found 'sine(k)': unknown "
     "function 'sine'; did you mean 'sin'?"},
    {6, "    A: [[0, 1], [k(2), -1/m]]",
     "6:18: error: subsystem 'plant', A(2,1): expected a number or an expression, found 'k(2)': unknown "
     "function 'k'; known are sin, ~"},
    {6, "    A: [[0, 1], [2*(k, -1/m]]",
     "6:18: error: subsystem 'plant', A(2,1): expected a number or an expression, found '2*(k': it ends "
     "where ')' is expected (in a list a comma ends the entry: quote an expression that has commas)"},
    {6, "    A: [[0, 1], ['k, 2', -1/m]]",
     "6:18: error: subsystem 'plant', A(2,1): expected a number or an expression, found the quoted text "
     "'k, 2': a comma makes it a list of 2 numbers; write decimals with a point"},
    {6, "    A: [[0, 1], [k=2, -1/m]]",
     "6:18: error: subsystem 'plant', A(2,1): expected a number or an expression, found 'k=2': expressions "
     "are made of numbers, names, blanks and + - * / ^ ( )"},
    {6, "    A: [[0, 1], [1e-9x, -1/m]]",
     "6:18: error: subsystem 'plant', A(2,1): expected a number, found '1e-9x'; 'x' follows the number"},
    {6, "    A: [[0, 1], ['2', -1/m]]",
     "6:18: error: subsystem 'plant', A(2,1): expected a number, found the quoted text '2'; write it "
     "without quotes"},
    {6, "    A: [[0, .nan], [2, -1/m]]",
     "6:13: error: subsystem 'plant', A(1,2): expected a finite number, found '.nan'"},
    {6, "    A: [[0, 1], ['max(k, 2)', -1/m]]", ""},
    {6, "    A: [[0, 1], [, -1/m]]", "6:18: error: not valid YAML: ~"},
    {6, "    A: [[0, 1], [k/0, -1/m]]",
     "6:18: error: subsystem 'plant', A(2,1): its value is not finite: a denominator is 0"},
    {6, "    A: [[0, 1], [ln(-m), -1/m]]", "6:18: error: subsystem 'plant', A(2,1): its value is not finite"},
    {6, "    A: [[0, 1], [1/(k - 1), -1/m]]", ""}, /* the axis begins at k = 1: a point that fails */

    /* Dimensions. */
    {6, "    A: [[0, 1], [-k/m]]", "6:17: error: subsystem 'plant', A, row 2: it has 1 entries, row 1 has 2"},
    {6, "    A: [[0, 1]]",
     "6:8: error: subsystem 'plant', A: expected 1 x 1 numbers (states x states), found 1 x 2\n~"},
    {6, "    A: [0, 1]",
     "6:8: error: subsystem 'plant', A: expected a matrix as a list of rows, each a list, such as [[0, 1], "
     "[-k, -b]], or {file: plant.mat, name: A}, found a list"},
    {6, "    A: 3",
     "6:8: error: subsystem 'plant', A: expected a matrix as a list of rows, each a list, such as [[0, 1], "
     "[-k, -b]], or {file: plant.mat, name: A}, found '3'"},
    {6, "", "5:5: error: subsystem 'plant': the key 'A' is missing: a matrix of 2 x 2"},
    {7, "    B: [[0, 1/m]]",
     "7:8: error: subsystem 'plant', B: expected 2 x 1 numbers (states x inputs), found 1 x 2"},
    {7, "", "5:5: error: subsystem 'plant': the key 'B' is missing: a matrix of 2 x 1"},
    {8, "    C: [[0, 1]]",
     "8:8: error: subsystem 'plant', C: expected 2 x 2 numbers (outputs x states), found 1 x 2"},
    {8, "    C: [[0, 1], 1]", "8:17: error: subsystem 'plant', C, row 2: expected a list, found '1'"},
    {9, "    D: [[0, 0]]",
     "9:8: error: subsystem 'plant', D: expected 2 x 1 numbers (outputs x inputs), found 1 x 2"},
    {9, "", ""},
    {10, "    x0: [5]", "10:9: error: subsystem 'plant', x0: expected 2 numbers, one per state, found 1"},
    {10, "", ""},
    {16, "    states: [x, v, z]",
     "19:8: error: subsystem 'ball', f: expected 3 expressions, one per state, found 2"},
    {20, "    g: [x]", "20:8: error: subsystem 'ball', g: expected 2 expressions, one per output, found 1"},
    {20, "", "15:5: error: subsystem 'ball': the key 'g' is missing; it needs 2 expressions"},

    /* Subsystems. */
    {5, "  - nam: plant",
     "5:5: error: subsystem: unknown key 'nam'; did you mean 'name'?\n" AT
     "5:5: error: subsystem: the key 'name' is missing; write for instance 'name: plant'"},
    {15, "  - name: plant", "15:11: error: subsystem, name: two subsystems have the name 'plant'\n~"},
    {15, "  - name: a.b",
     "15:11: error: subsystem, name: 'a.b' cannot be a name: leave out blanks and the signs . , :\n~"},
    {11, "    inputs: [force, force]",
     "11:21: error: subsystem 'plant', inputs: the name 'force' stands here twice"},
    {12, "    outputs: speed",
     "12:14: error: subsystem 'plant', outputs: expected a list of at least one, found 'speed'"},
    {13, "    method: rk5", "13:13: error: unknown method 'rk5' (did you mean 'rk4'?); ~"},
    {13, "    method: rk4\n    substeps: 3",
     "14:15: error: subsystem 'plant': step and substeps say the same thing; give one of them"},
    {22, "    method: exact",
     "22:13: error: subsystem 'ball': a nonlinear subsystem has no exact solver; take rk4 or another method"},
    {22, "    substeps: 2.5",
     "22:15: error: subsystem 'ball', substeps: expected a whole number from 1 to 1000000, found 2.5"},
    {22, "    substeps: m/3",
     "22:15: error: subsystem 'ball', substeps: expected a whole number from 1 to 1000000, found "
     "0.666666666666667"},
    {14, "    step: -m", "14:11: error: subsystem 'plant', step: expected a positive number, found -2"},
    {22, "    A: [[1]]",
     "22:8: error: subsystem 'ball': it has functions f and g; the matrix A cannot stand beside them"},
    {10, "    operating_point: {x: 1}",
     "10:22: error: subsystem 'plant': an operating point is for functions f and g; matrices have none"},
    {16, "    states: [x, push]",
     "16:13: error: subsystem 'ball': 'push' is a state and an input; names in f and g must differ\n~"},
    {16, "    states: [x, m]",
     "16:13: error: subsystem 'ball': 'm' is a state and a parameter; names in f and g must differ\n~"},
    {16, "    states: [x, t]",
     "16:17: error: subsystem 'ball', states: 't' cannot be a name in expressions: ~"},
    {19, "    f: [v, push - w*y^3]",
     "19:12: error: subsystem 'ball', f(2): expected a number or an expression, found 'push - w*y^3': "
     "unknown name 'y'; known are x, v, push, t, m, k, w, H"},
    {20, "    g: [sqrt(x - w), push]",
     "20:9: error: subsystem 'ball', g(1): it has no finite value and derivatives at the operating point; "
     "choose another one with the key operating_point"},
    {21, "    operating_point: {x: w, psh: 1}",
     "21:29: error: subsystem 'ball', operating_point: 'psh' is no state or input of this "
     "subsystem; did you mean 'push'?"},
    {21, "    operating_point: [1, 2]",
     "21:22: error: subsystem 'ball', operating_point: expected a mapping such as {x: 1, v: 0}, found a "
     "list"},
    {21, "    operating_point: {x: x}",
     "21:26: error: subsystem 'ball', operating_point, x: expected a number or an expression, found 'x': "
     "unknown name 'x'; ~"},

    /* Ports. */
    {24, "  - {from: \"plant\\0.speed\", to: ball.push}",
     "24:12: error: connection, from: expected a port, written subsystem.output, found the quoted text "
     "'plant?.speed'\n~"},
    {24, "  - {from: plant.sped, to: ball.push}",
     "24:12: error: connection, from: subsystem 'plant' has no output 'sped'; did you mean "
     "'plant.speed'?\n~"},
    {24, "  - {from: plan.speed, to: ball.push}",
     "24:12: error: connection, from: unknown subsystem 'plan'; did you mean 'plant'?\n~"},
    {24, "  - {from: engine.speed, to: ball.push}",
     "24:12: error: connection, from: unknown subsystem 'engine'; there are plant, ball\n~"},
    {24, "  - {from: plant.force, to: ball.push}",
     "24:12: error: connection, from: 'force' is an input of subsystem 'plant'; an output is needed here\n~"},
    {24, "  - {from: speed, to: ball.push}",
     "24:12: error: connection, from: expected a port, written subsystem.output, found 'speed'\n~"},
    {24, "  - {to: ball.push}",
     "24:5: error: connection: the key 'from' is missing; write for instance 'from: plant.speed'\n~"},
    {24, "  - {from: plant.speed, to: ball.push}\n  - {from: plant.speed, to: ball.push, gain: 2}",
     "25:5: error: connection: the same two ports are connected in line 24 already; add the gains in one "
     "connection"},
    {25, "  - {from: ball.tip, to: plant.force, delay: 0.5}",
     "25:46: error: connection, delay: expected a whole number from 0 to 10000, found 0.5"},
    {25, "  - {from: ball.tip, to: plant.force, delay: -1}",
     "25:46: error: connection, delay: expected a whole number from 0 to 10000, found -1"},
    {25, "  - {from: ball.tip, to: plant.force, gain: g}",
     "25:45: error: connection, gain: expected a number or an expression, found 'g': unknown name 'g'; ~"},
    {26, "power_bonds: [[plant.force, plant.place, ball.push, ball.tip]]",
     "26:15: error: power_bonds: the bond needs the connection {from: plant.place, to: ball.push}"},
    {26, "power_bonds: [[plant.force, plant.speed, ball.push, ball.lift]]",
     "26:15: error: power_bonds: the bond needs the connection {from: ball.lift, to: plant.force}"},
    {26, "power_bonds: [[plant.force, ball.tip, ball.push, plant.speed]]",
     "26:29: error: power_bonds: port 1 belongs to subsystem 'plant', port 2 to 'ball'; an input and an "
     "output of the same are needed"},
    {26, "power_bonds: [[plant.force, plant.speed]]",
     "26:15: error: power_bonds: expected the four ports [input 1, output 1, input 2, output 2], found a "
     "list"},
    {27, "sources: {plant.speed: 1}",
     "27:11: error: sources: 'speed' is an output of subsystem 'plant'; an input is needed here"},
    {27, "sources: {plant.force: 1, plant.force: t}",
     "27:27: error: source of plant.force: this input has a source in line 27 already; add the two"},
    {27, "sources: {plant.force: sin(s)}",
     "27:24: error: source of plant.force: expected a number or an expression, found 'sin(s)': unknown "
     "name 's'; known are t, m, k, w, H"},

    /* Coupling. */
    {28, "",
     "1:1: error: model: the key 'coupling' is missing; write for instance 'coupling: {scheme: jacobi, "
     "macro_step: 0.1}'"},
    {28, "coupling: {scheme: jacoby, macro_step: H}",
     "28:20: error: coupling, scheme: unknown name 'jacoby'; did you mean 'jacobi'?"},
    {28, "coupling: {scheme: jacobi}",
     "28:11: error: coupling: the key 'macro_step' is missing; write for instance 'macro_step: 0.1'"},
    {28, "coupling: {macro_step: 0}",
     "28:24: error: coupling, macro_step: expected a positive number, found 0"},
    {28, "coupling: {macro_step: H, interpolation: parabola}",
     "28:42: error: coupling, interpolation: unknown name 'parabola'; expected constant, linear, "
     "quadratic, cubic or hermite"},
    {28, "coupling: {macro_step: H, feedthrough: solve}",
     "28:40: error: coupling, feedthrough: unknown name 'solve'; did you mean 'solved'?"},
    {28, "coupling: {macro_step: H, micro_steps: half}",
     "28:40: error: coupling, micro_steps: unknown name 'half'; expected whole, clocks or real-power"},
    {28, "coupling: {macro_step: H, iterations: 0}",
     "28:39: error: coupling, iterations (a whole number, 'converged' or 'newton'): expected a whole "
     "number from 1 to 100000, found 0"},
    {28, "coupling: {macro_step: H, order: [ball]}",
     "28:34: error: coupling, order: it lacks 'plant'; every subsystem stands in it once"},
    {28, "coupling: {macro_step: H, order: [ball, bal]}",
     "28:41: error: coupling, order: unknown subsystem 'bal'; did you mean 'ball'?"},
    {28, "coupling: {macro_step: H, order: [ball, plant, ball]}",
     "28:48: error: coupling, order: 'ball' stands here twice"},
    {28, "coupling: [{macro_step: H, name: a}, {macro_step: H}]",
     "28:38: error: coupling: the key 'name' is missing; in a list every coupling has one"},
    {28, "coupling: [{macro_step: H, name: a}, {macro_step: H, name: a}]",
     "28:60: error: coupling, name: two couplings have the name 'a'"},
    {28, "coupling: {macro_step: H, name: all}",
     "28:33: error: coupling, name: 'all' stands for all couplings; take another name"},
    {28, "coupling: {name: gauss-seidel, scheme: gauss-seidel, interpolation: linear, macro_step: H}",
     "28:18: error: coupling, name: 'gauss-seidel' is {scheme: gauss-seidel} in every model, but {scheme: "
     "gauss-seidel, interpolation: linear} here; take another name, such as gauss-seidel-linear"},
    {28,
     "coupling: {name: zigzag, scheme: gauss-seidel, order: [ball, plant], interpolation: linear, macro_step: H}",
     "28:18: error: coupling, name: 'zigzag' is {scheme: gauss-seidel, interpolation: linear} in every model, "
     "but {scheme: gauss-seidel, interpolation: linear, order: [ball, plant]} here; take another name, such "
     "as mine"},
    {28, "coupling: {name: newton-solved, scheme: iterated, iterations: 2, macro_step: H}",
     "28:18: error: coupling, name: 'newton-solved' is {scheme: iterated, feedthrough: solved, iterations: "
     "newton} in every model, but {scheme: iterated, iterations: 2} here; take another name, such as mine"},
    {28, "coupling: {name: jacobi, smoothed: true, area_correction: 1/2, macro_step: H}",
     "28:18: error: coupling, name: 'jacobi' is {scheme: jacobi} in every model, but {scheme: jacobi, "
     "area_correction: 1/2, smoothed: true} here; take another name, such as mine\n~"},
    {28,
     "coupling: {name: zigzag, scheme: gauss-seidel, order: [plant, ball], interpolation: linear, macro_step: H}",
     ""},
    {28, "coupling: {name: cross, interpolation: linear, micro_steps: clocks, macro_step: H}", ""},
    {28, "coupling: {name: gauss-seidel-linear, scheme: zigzag, macro_step: H}", ""},
    {28, "coupling: {scheme: zigzag, interpolation: linear, macro_step: H}",
     "28:43: error: coupling, interpolation: the scheme 'zigzag' fixes it; write scheme: gauss-seidel"},
    {28, "coupling: {macro_step: 0.0251}",
     "14:11: error: coupling 'jacobi': the step 0.01 of subsystem 'plant' does not divide the macro step "
     "0.0251: a step of 0.01255 or 0.00836666666666667 would, so would a macro step of 0.02 or 0.03; or "
     "take micro_steps: clocks"},
    {28, "coupling: {macro_step: 0.0251, micro_steps: clocks}", ""},
    {28, "coupling: {macro_step: pi/100, micro_steps: clocks}",
     "14:11: error: coupling 'jacobi': macro step ~ have no ratio p/q with q <= 10000: ~"},

    /* Axes. */
    {29, "axes: {kk: [1, 2]}",
     "29:8: error: axes: 'kk' is no parameter of the model; its parameters are: m, k, w, H"},
    {29, "axes: {speed: [1, 2]}",
     "29:8: error: axes: 'speed' is no parameter of the model; its parameters are: m, k, w, H"},
    {29, "axes: {k: [2, 1]}", "29:15: error: axis 'k': '1' comes after '2'; values must ascend"},
    {29, "axes: {k: [1, 2], k: 3}", "29:19: error: axes: the axis 'k' is repeated"},
    {29, "axes: [k]",
     "29:7: error: axes: expected a mapping such as {H: {from: 0.1, to: 5, points: 50}}, found a list"},
    {29, "axes: {H: [-1, 1]}", ""}, /* a point that fails */
};

static void check_message(const char *text, const char *expected) {
    complaint_check("m.yaml", text, strlen(text), expected);
}

TEST(single_mistakes) {
    complaint_check_cases("m.yaml", good, COUNT(good), cases, COUNT(cases));
}

#define HEAD   "system: network\n"
#define GAIN   "{name: a, D: [[2]], inputs: [u], outputs: [y]}"
#define LAG    "{name: b, A: [[-1]], B: [[1]], C: [[1]], D: [[0.5]], inputs: [u], outputs: [y]}"
#define COUPLE "coupling: {macro_step: 1}\n"

TEST(mistakes_between_parts) {
    static const char *const texts[][2] = {
        {HEAD COUPLE "subsystems: [" GAIN ", " LAG "]\nconnections: [{from: a.y, to: b.u}]\n", ""},
        /* 1 - 2 * 0.5 = 0 around the loop. */
        {HEAD COUPLE "subsystems: [" GAIN ", " LAG
                     "]\nconnections: [{from: a.y, to: b.u}, {from: b.y, to: a.u}]\n",
         "4:14: error: connections: I - L D is singular: a loop of subsystems with feedthrough has no "
         "solution; change a gain or an entry of D in it"},
        {HEAD COUPLE "subsystems: [" GAIN ", " LAG
                     "]\nconnections: [{from: a.y, to: b.u}, {from: b.y, to: a.u, gain: 0.9}]\n",
         ""},
        {HEAD COUPLE "subsystems: [" GAIN "]\n", ""},
        {HEAD COUPLE "subsystems: []\n",
         "3:13: error: subsystems: expected a list of at least one, found an empty list"},
        {HEAD COUPLE,
         "1:1: error: model: the key 'subsystems' is missing; write for instance 'subsystems: ~"},
        {HEAD COUPLE "subsystems: [{name: a, outputs: [y]}]\n",
         "3:14: error: subsystem 'a': it has neither states nor D; give A, B and C, or D, or states, f and "
         "g"},
        {HEAD COUPLE "subsystems: [{name: a, A: {file: nowhere.mat, name: A}}]\n",
         "3:34: error: subsystem 'a', A: cannot read 'nowhere.mat'; it must be an HDF5 file, such as "
         "MATLAB's save with '-v7.3'"},
        {HEAD COUPLE "subsystems: [{name: a, A: {file: nowhere.mat}}]\n",
         "3:27: error: subsystem 'a', A: the key 'name' is missing; write for instance 'name: A'"},
        {HEAD "model: nowhere.yaml\n", "2:8: error: model: nowhere.yaml: cannot be opened: ~"},
        {HEAD "model: nowhere.yaml\nconnections: []\n",
         "2:8: error: model: ~\n" AT
         "3:14: error: connections: these come from the file of 'model'; change them there"},
    };
    for (size_t i = 0; i < COUNT(texts); i++) check_message(texts[i][0], texts[i][1]);
}

TEST(all_mistakes_at_once) {
    check_message("system: network\n"
                  "parameters: {a: 1, b: c}\n"
                  "subsystems:\n"
                  "  - {name: p, A: [[x]], B: [[1, 2]], C: [[1]], inputs: [u], outputs: [y]}\n"
                  "  - {name: q, A: [[a]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], step: 0}\n"
                  "connections: [{from: p.z, to: q.u}, {from: q.y, to: p.v}]\n"
                  "coupling: {scheme: chaos, macro_step: 0.1}\n"
                  "axes: {z: 1}\n",
                  "2:23: error: parameter 'b': expected a number or an expression, found 'c': unknown name "
                  "'c'; known are a, b\n" AT
                  "4:20: error: subsystem 'p', A(1,1): expected a number or an expression, found 'x': "
                  "unknown name 'x'; known are a, b\n" AT
                  "4:28: error: subsystem 'p', B: expected 1 x 1 numbers (states x inputs), found 1 x 2\n" AT
                  "5:78: error: subsystem 'q', step: expected a positive number, found 0\n" AT
                  "6:22: error: connection, from: subsystem 'p' has no output 'z'; the first is 'p.y'\n" AT
                  "6:53: error: connection, to: subsystem 'p' has no input 'v'; the first is 'p.u'\n" AT
                  "7:20: error: coupling, scheme: unknown name 'chaos'; expected jacobi, gauss-seidel, "
                  "iterated, cross, zigzag or strong\n" AT
                  "8:8: error: axes: 'z' is no parameter of the model; its parameters are: a, b");
}
