/* fmu/run.h - an instance of an FMU in a separate child process. */
#pragma once

#include "fmu/child.h"

typedef struct fmu_run fmu_run;

/* fmu_run_is_on returns true if FMUs of models are run (costab_fmu_set_running). fmu_run_allowed returns
 * COSTAB_INVALID if the environment forbids running that FMU. */
bool fmu_run_is_on(void);
costab_status fmu_run_allowed(const char *name, costab_error *error);

/* Prepares an instance; its process starts with the first request. `part` is borrowed. [out] *run: free with
 * fmu_run_end, which also removes its process and folder. */
costab_status fmu_run_make(const fmu_part *part, fmu_run **run, costab_error *error);
void fmu_run_end(fmu_run **run);

/* Makes a request with its numbers; `answered` holds child_answer_size numbers. Returns COSTAB_INVALID if the
 * FMU may not run, is damaged or cannot be loaded; COSTAB_IO if its folder cannot be written; COSTAB_NUMERIC
 * with the current call and the last message if it fails, crashes, hangs or exits. After a crash, a timeout,
 * an exit or a fatal error only FMU_START and FMU_RESPONSE work; they start a new process. */
costab_status fmu_run_ask(fmu_run *run, const fmu_request *request, const double *asked, double *answered,
                          costab_error *error);

/* Returns true if the process was ended for lack of an answer to the last request. */
bool fmu_run_timed_out(const fmu_run *run);

/* Returns true if a process created instances and refused further ones. */
bool fmu_run_limits_instances(const fmu_run *run);

/* Returns the first lines of the FMU's standard output and error, or "". Valid until the next call. */
const char *fmu_run_output(fmu_run *run);
