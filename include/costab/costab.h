/* costab/costab.h - all of the library.
 *
 * Read base.h first: status codes and messages, and the audience of a function. Common tasks, each with a
 * complete program in tests/examples:
 *
 *   a point      costab_method_find(name, &method, &error);                            classify.c
 *                costab_planar_init(&planar, scheme, &method, 1, 1, &error);
 *                costab_planar_points(&planar, n, a, gamma, delta, points);
 *   a chart,     costab_study_read("chart.yaml", &study, &error);                      sweep.c
 *   a sweep      costab_study_run(study, "chart.h5", &options, &kept, &error);
 *   a plot       costab_results_open("chart.h5", &results, &error);                    plot.c
 *                costab_plot(results, &options, &outcome, &error);
 *   a model      costab_spec_read("model.yaml", &spec, &error);                        simulate.c
 *                costab_model_instance_create(spec->model, &instance, &error);
 *                costab_model_instance_set(instance, parameter, value);
 *                costab_model_instance_update(instance, &error);
 *                network = costab_model_instance_network(instance);
 *                coupling = costab_model_instance_coupling(instance, 0);
 *   its map      costab_network_analyse(work, network, coupling, &point, &error);      network.c
 *                (the matrix itself: costab_network_matrix)
 *   its limit    costab_model_limit(&variant, 0, "H", &options, &limit, &error);       limit.c
 *   its margin   costab_margins_find(&variant, &options, &margins, &error);            margin.c
 *   simulate it  costab_network_simulate(network, coupling, &options, sink, context,   simulate.c
 *                                        &outcome, &error);
 *
 * A function that returns a costab_status has done its work where that is COSTAB_OK; else error.message says
 * why not. What it makes is freed by the function of the same module that ends in _free, _destroy or _close.
 *
 * For a sweep from a spec into a results file, and a figure of it:
 *   study.h       a spec or a model, ready to be run into a file, with checkpoint and progress
 *   spec.h        sweep specs, of the planar system and of networks
 *   store.h       results files, to write and to read
 *   record.h      rows of results, each type described once, and files of them
 *   figure.h      figures from results files
 *   page.h        pages for a browser: a report of a model, a chart to look around in
 *   style.h       kinds of figures, their size, fonts and colours
 *
 * For networks, point by point:
 *   model.h       networks from YAML files, with parameters
 *   fmu.h         FMUs, and what fills subsystems of a model with them
 *   network.h     networks from arrays: map, spectral radius, class, time histories
 *   limit.h       where along one parameter a coupling is stable, without hidden gaps
 *   analysis.h    a model at some values and couplings; where along a parameter it is stable
 *   advise.h      which coupling, and how large a macro step
 *   locus.h       the eigenvalues of a map along a parameter, as curves
 *   margin.h      how close a model is to another class, and what passes its limit
 *   pattern.h     sequences of macro steps: which are stable, and which grow
 *   tune.h        extrapolation tuned to a model
 *   modes.h       frequency, growth and participation of modes
 *
 * For the planar system, point by point:
 *   planar.h      points, rows, boundaries
 *   area.h        areas of its stability regions, critical values
 *   claims.h      published numbers compared with computed numbers
 *
 * Below all these:
 *   base.h        status codes, messages, the version
 *   method.h      one-step methods: named ones, or tableaux of your own
 *   sweep.h       grids, tiles and the run over them, for evaluators and sinks of your own
 *
 * Sources. Comments name them by a key and a place, such as [KNS] eq. 31:
 *
 *   [KNS]  T. Kalmar-Nagy, I. Stanciulescu, Can complex systems really be simulated?, Applied
 *          Mathematics and Computation, 2014
 *   [SP]   S. Skjong, E. Pedersen, On the numerical stability in dynamical distributed simulations,
 *          Mathematics and Computers in Simulation 163, 2019, doi 10.1016/j.matcom.2019.02.018
 *   [GTL]  C. Gomes, C. Thule, K. Lausdahl, P. G. Larsen, H. Vangheluwe, Demo: Stabilization Technique
 *          in INTO-CPS, 2018
 *   [MS]   Y.-f. Ma, X. Song, A Simulation Perspective: Error Analysis in the Distributed Simulation of
 *          Continuous System, Mathematical Problems in Engineering, 2015
 *   [VPF]  ViProMa wiki, Stability
 *   [LIM]  Laboratorio de Ingenieria Mecanica, Universidade da Coruna, cosim-benchmarks (commit e8ddded),
 *          doc/linearOscillator
 *   [PRE]  preCICE tutorials (commit 77f190d), oscillator; V. Schueller, B. Rodenberg, B. Uekermann,
 *          H.-J. Bungartz, WCCM-APCOM 2022
 *   [SKSP] S. Sadjina, L. T. Kyllingstad, S. Skjong, E. Pedersen, arXiv 1602.06434, 2017; demo cases of the
 *          Open Simulation Platform (commit 406ccab)
 *   [KYL]  L. T. Kyllingstad, arXiv 2512.13845
 *
 * Threads: several threads may call any function at once, each on objects of its own or on shared objects
 * that the function takes as const. HDF5 is an exception unless it was built thread-safe: one thread at a
 * time may use store.h and figure.h, or read a model that names matrices in HDF5 files. costab_run takes care
 * of the file that it writes.
 *
 * The library never prints, exits, handles signals or changes the locale. Compile and link with pkg-config:
 * cc program.c $(pkg-config --cflags --libs costab).
 *
 * OpenBLAS may start threads of its own, which slow down costab's: set OPENBLAS_NUM_THREADS=1, or call
 * openblas_set_num_threads(1). */
#ifndef COSTAB_COSTAB_H
#define COSTAB_COSTAB_H

#include "costab/advise.h"
#include "costab/analysis.h"
#include "costab/area.h"
#include "costab/base.h"
#include "costab/claims.h"
#include "costab/figure.h"
#include "costab/fmu.h"
#include "costab/limit.h"
#include "costab/locus.h"
#include "costab/margin.h"
#include "costab/method.h"
#include "costab/model.h"
#include "costab/modes.h"
#include "costab/network.h"
#include "costab/page.h"
#include "costab/pattern.h"
#include "costab/planar.h"
#include "costab/record.h"
#include "costab/spec.h"
#include "costab/store.h"
#include "costab/study.h"
#include "costab/style.h"
#include "costab/sweep.h"
#include "costab/tune.h"

#endif
