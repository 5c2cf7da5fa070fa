/* costab/costab.h - all of the library.
 *
 * area.h        areas of the stability regions of the planar system, critical values
 * base.h        status codes, messages, the version
 * checkpoint.h  finished tiles of a run, to go on from
 * claims.h      published numbers beside computed ones
 * method.h      one-step methods: named ones, or a tableau of one's own
 * model.h       networks from YAML files
 * network.h     networks from arrays: map, spectral radius, class, limits, time histories
 * planar.h      the planar test system: points, rows, boundaries
 * plot.h        figures from results files
 * spec.h        sweep specs of the planar system
 * store.h       results files, to write and to read
 * study.h       a spec or a model, ready to be run
 * style.h       how a sweep is to be drawn: kinds, size, fonts, colours
 * sweep.h       the run: threads, progress, cancelling
 *
 * Sources. Comments name them by a key and a place, such as [KNS] eq. 31:
 *   [KNS]  T. Kalmar-Nagy, I. Stanciulescu, Can complex systems really be simulated?, Applied Mathematics and
 *          Computation, 2014
 *   [SP]   S. Skjong, E. Pedersen, On the numerical stability in dynamical distributed simulations, Mathematics
 *          and Computers in Simulation 163, 2019, doi 10.1016/j.matcom.2019.02.018
 *   [GTL]  C. Gomes, C. Thule, K. Lausdahl, P. G. Larsen, H. Vangheluwe, Demo: Stabilization Technique in
 *          INTO-CPS, 2018
 *   [MS]   Y.-f. Ma, X. Song, A Simulation Perspective: Error Analysis in the Distributed Simulation of
 *          Continuous System, Mathematical Problems in Engineering, 2015
 *   [VPF]  ViProMa wiki, Stability
 *
 * Threads: several threads may call any function at once, each on objects of its own or on shared objects that
 * the function takes as const. HDF5 is an exception unless it was built thread-safe: one thread at a time may
 * use store.h, plot.h, or read a model that names matrices in HDF5 files. costab_run takes care of the file
 * that it writes.
 *
 * The library never prints, exits, handles signals or changes the locale. Compile and link with pkg-config:
 * cc program.c $(pkg-config --cflags --libs costab).
 *
 * OpenBLAS may start threads of its own, which slow down costab's: set OPENBLAS_NUM_THREADS=1, or call
 * openblas_set_num_threads(1). */
#ifndef COSTAB_COSTAB_H
#define COSTAB_COSTAB_H

#include "costab/area.h"
#include "costab/base.h"
#include "costab/checkpoint.h"
#include "costab/claims.h"
#include "costab/method.h"
#include "costab/model.h"
#include "costab/network.h"
#include "costab/planar.h"
#include "costab/figure.h"
#include "costab/spec.h"
#include "costab/store.h"
#include "costab/study.h"
#include "costab/style.h"
#include "costab/sweep.h"

#endif
