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
 * Every function may be called by several threads at once on different objects, and on one object that is
 * const to it, but for what rests on HDF5 (unless it was built thread-safe), one thread at a time: store.h,
 * plot.h, and reading models that name matrices in HDF5 files. costab_run sees to that itself for the file
 * that it writes. The library never prints, exits, handles signals or changes the locale. Compile and link
 * with pkg-config: cc program.c $(pkg-config --cflags --libs costab).
 *
 * OpenBLAS may start threads of its own; they only get in the way here: set OPENBLAS_NUM_THREADS=1, or call
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
#include "costab/plot.h"
#include "costab/spec.h"
#include "costab/store.h"
#include "costab/study.h"
#include "costab/style.h"
#include "costab/sweep.h"

#endif
