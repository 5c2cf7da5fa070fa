/* fmu/run.h - an instance of an FMU, in a child process of its own. */
#pragma once

#include "fmu/child.h"

typedef struct fmu_run fmu_run;

/* Whether FMUs of models are run at all (costab_fmu_set_running). COSTAB_INVALID if the environment forbids
 * to run that FMU. */
bool fmu_run_is_on(void);
costab_status fmu_run_allowed(const char *name, costab_error *error);

/* Prepares an instance; its process starts with the first request. `part` is borrowed. [out] *run: end with
 * fmu_run_end, which leaves no process and no folder behind. */
costab_status fmu_run_make(const fmu_part *part, fmu_run **run, costab_error *error);
void fmu_run_end(fmu_run **run);

/* Makes a request with its numbers; `answered` has room for child_answer_size of them. COSTAB_INVALID where
 * the FMU cannot be unpacked or loaded; COSTAB_NUMERIC where it fails, crashes, hangs or ends: the message
 * says in which call, and what it has said. After a failure only FMU_START works again. */
costab_status fmu_run_ask(fmu_run *run, const fmu_request *request, const double *asked, double *answered,
                          costab_error *error);

/* Whether its process was ended because it did not answer the last request in time. */
bool fmu_run_timed_out(const fmu_run *run);

/* Whether one of its processes has made instances, and made no more. */
bool fmu_run_limits_instances(const fmu_run *run);

/* The first lines that the FMU has written to its standard output or error; "": nothing. Borrowed until the
 * next call. */
const char *fmu_run_output(fmu_run *run);
