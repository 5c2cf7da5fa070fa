/* The option --slice: K/N as given; auto, rank and size of the launcher that is nearest to the process;
 * auto/N, the index of its task in a job array. N never comes from an array, whose count is another one where
 * a part of its tasks is submitted again. */
#include "cli/slice.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define SLICES_MAX 9999999

/* Launchers, the nearest first: mpirun inside a Slurm job sets its own variables beside those of Slurm. A
 * Slurm job's own shell has SLURM_PROCID too, but is no step. */
static const struct {
    const char *sign; /* set where the launcher started this process */
    const char *rank, *size;
} launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                 {"PMI_RANK", "PMI_RANK", "PMI_SIZE"},
                 {"SLURM_STEP_ID", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};

static const char *const indices[] = {"SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX"};

/* Digits alone, up to SLICES_MAX. *rest: what follows them. */
static bool read_number(const char *digits, size_t *number, const char **rest) {
    const size_t length = strspn(digits, "0123456789");
    *number = length > 0 && length < 10 ? (size_t)strtoul(digits, NULL, 10) : SIZE_MAX;
    *rest = digits + length;
    return *number <= SLICES_MAX;
}

/* The number in a variable, which is noted in slice->from; `sign` is set. */
static costab_status read_variable(const char *sign, const char *name, cli_slice *slice, size_t *number,
                                   costab_error *error) {
    const char *value = getenv(name), *rest;
    if (value == NULL) return error_invalid(error, "--slice auto: %s is set, but %s is not", sign, name);
    if (!read_number(value, number, &rest) || *rest != '\0')
        return error_invalid(error, "--slice auto: %s is '%s', which is no whole number up to %d", name,
                             value, SLICES_MAX);
    text_printf(&slice->from, "%s%s=%s", slice->from.size > 0 ? ", " : "", name, value);
    return slice->from.failed ? error_memory(error) : COSTAB_OK;
}

/* Rank and size of the nearest launcher; n stays 0 where there is none. */
static costab_status ask_launcher(cli_slice *slice, costab_error *error) {
    size_t l = 0;
    while (l < sizeof launchers / sizeof *launchers && getenv(launchers[l].sign) == NULL) l++;
    if (l == sizeof launchers / sizeof *launchers) return COSTAB_OK;
    TRY(read_variable(launchers[l].sign, launchers[l].rank, slice, &slice->k, error));
    TRY(read_variable(launchers[l].sign, launchers[l].size, slice, &slice->n, error));
    if (slice->k++ < slice->n) return COSTAB_OK;
    return error_invalid(error, "--slice auto: %s: ranks count from 0 and are below the size",
                         slice->from.data);
}

static costab_status ask_array(cli_slice *slice, costab_error *error) {
    size_t i = 0;
    while (i < sizeof indices / sizeof *indices && getenv(indices[i]) == NULL) i++;
    if (i == sizeof indices / sizeof *indices)
        return error_invalid(error,
                             "--slice auto/%zu: neither %s nor %s is set: this is no task of a job array",
                             slice->n, indices[0], indices[1]);
    TRY(read_variable(indices[i], indices[i], slice, &slice->k, error));
    if (slice->k >= 1 && slice->k <= slice->n) return COSTAB_OK;
    return error_invalid(
        error, "--slice auto/%zu: %s: no such slice: submit the array with --array=1-%zu (PBS: -J 1-%zu)",
        slice->n, slice->from.data, slice->n, slice->n);
}

/* Without --slice each process of a launcher would do the whole sweep. */
static costab_status check_alone(cli_slice *slice, costab_error *error) {
    const costab_status status = ask_launcher(slice, NULL);
    const size_t processes = status ? 0 : slice->n;
    slice->k = slice->n = 0;
    if (processes < 2) return COSTAB_OK;
    return error_invalid(
        error, "each of %zu processes (%s) would do the whole sweep: --slice auto shares it among them",
        processes, slice->from.data);
}

costab_status cli_slice_read(const cli_arguments *arguments, cli_slice *slice, costab_error *error) {
    const char *value = cli_value(arguments, &opt_slice), *rest;
    if (value == NULL) return check_alone(slice, error);
    slice->automatic = strncmp(value, "auto", 4) == 0;
    if (strcmp(value, "auto") == 0) {
        TRY(ask_launcher(slice, error));
        if (slice->n > 0) return COSTAB_OK;
        return error_invalid(
            error,
            "--slice auto: no launcher started this process: none of %s (mpirun), %s and %s (srun) is set; "
            "in a job array use auto/N",
            launchers[0].sign, launchers[1].sign, launchers[2].sign);
    }
    if (slice->automatic)
        rest = value + 4;
    else
        (void)read_number(value, &slice->k, &rest);
    const bool whole =
        *rest == '/' && read_number(rest + 1, &slice->n, &rest) && *rest == '\0' && slice->n > 0;
    if (whole && slice->automatic) return ask_array(slice, error);
    if (whole && slice->k >= 1 && slice->k <= slice->n) return COSTAB_OK;
    return error_invalid(error, "--slice: '%s' is not auto, auto/N or K/N with 1 <= K <= N, such as 2/8",
                         value);
}
