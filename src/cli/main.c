/* costab: finds the command and runs it. Results go to stdout, messages to stderr. */
#include <H5public.h>
#include <cblas.h>
#include <fcntl.h>
#include <math.h>
#include <omp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "base/number.h"
#include "cli/command.h"
#include "cli/load.h"
#include "cli/network.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/fmu.h"
#include "costab/sweep.h"

enum { EXIT_WRONG_INPUT = 2 };

/* Prints an error; returns the exit status. A message about mistakes in a file begins with their places;
 * before any other message comes the command's name. */
static int report(const char *command, costab_status status, const costab_error *error) {
    bool placed = strstr(error->message, ": error: ") != NULL;
    if (placed)
        fprintf(stderr, "%s\n", error->message);
    else
        fprintf(stderr, "costab%s%s: error: %s\n", command[0] != '\0' ? " " : "", command,
                error->message[0] != '\0' ? error->message : costab_status_text(status));
    if (status == COSTAB_INVALID && !placed)
        fprintf(stderr, "See: costab%s%s --help\n", command[0] != '\0' ? " " : "", command);
    bool wrong = status == COSTAB_INVALID || status == COSTAB_UNREADABLE || status == COSTAB_UNSUPPORTED;
    return wrong ? EXIT_WRONG_INPUT : EXIT_FAILURE;
}

/* The end of the program: its exit status, and whether it dies of the signal that stopped it. */
typedef struct outcome {
    int status;
    bool stopped;
} outcome;

/* Sets whether FMUs may run, the limits of the command and of FMUs, and the accuracy required of FMUs. */
static costab_status set_limits(const cli_command *command, const cli_arguments *arguments,
                                costab_error *error) {
    const double unit = 1073741824, most = 1e6;
    double given = 0;
    const char *time = cli_value(arguments, &opt_time);
    if (cli_value(arguments, &opt_no_fmu) != NULL) (void)setenv("COSTAB_NO_FMU", "1", 1);
    costab_fmu_set_running(!command->reads && !cli_is_given(arguments, "dry-run"));
    /* At this time, advise and report end by themselves, with what they have found. */
    if (time != NULL && command != &cli_advise_command && command != &cli_report_command) {
        TRY(cli_number(arguments, &opt_time, &given, error));
        if (!(given > 0 && given <= most))
            return error_invalid(error, "--time: %s s is not above 0 and at most %g s", time, most);
        signals_deadline(given);
    }
    if (cli_value(arguments, &opt_fmu_timeout) != NULL) {
        TRY(cli_number(arguments, &opt_fmu_timeout, &given, error));
        TRY(costab_fmu_set_timeout(given, error));
    }
    if (cli_value(arguments, &opt_fmu_memory) != NULL) {
        TRY(cli_number(arguments, &opt_fmu_memory, &given, error));
        TRY(costab_fmu_set_memory((size_t)(unit * fmin(fmax(given, 0), most)), error));
    }
    if (cli_value(arguments, &opt_fmu_accuracy) != NULL) {
        TRY(cli_number(arguments, &opt_fmu_accuracy, &given, error));
        TRY(costab_fmu_set_accuracy(given, error));
    }
    return COSTAB_OK;
}

/* Returns true if the reader of the standard output, such as head, has ended. */
static bool reader_has_gone(void) {
    struct pollfd output = {.fd = STDOUT_FILENO};
    return ferror(stdout) && poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

/* Runs the command. If it fails, prints the rows so far. */
static costab_status run_command(const cli_command *command, const cli_arguments *arguments,
                                 costab_error *error) {
    costab_error other;
    double began = number_seconds();
    costab_status status = table_redirect(arguments, error);
    if (!status && command->run != NULL)
        status = command->run(arguments, error);
    else if (!status)
        status = cli_network_with(command->with_model, command->time_varying, arguments, error);
    if (status == COSTAB_CANCELLED) signals_print_complete();
    costab_status published = table_publish(arguments, status ? &other : error);
    if (status) (void)cli_flush(&other);
    bool prints_time = command == &cli_sweep_command || command == &cli_limit_command; /* by itself */
    if (!status && arguments->verbose && !prints_time) {
        char seconds[PROGRESS_SHOWN_MAX];
        fprintf(stderr, "costab %s: done in %s\n", command->name,
                progress_duration(number_seconds() - began, seconds));
    }
    return status ? status : published;
}

static void print_version(void) {
    unsigned major = 0, minor = 0, release = 0;
    (void)H5get_libversion(&major, &minor, &release);
    printf("%s\nHDF5 library version: %u.%u.%u\n", costab_build_info(), major, minor, release);
}

static outcome run(const cli_command *command, int argc, char **argv) {
    costab_error error = {.status = COSTAB_OK};
    cli_arguments arguments;
    costab_status status = cli_parse(command, argc, argv, &arguments, &error);
    bool version = cli_value(&arguments, &opt_version) != NULL;
    if (!status && (version || cli_value(&arguments, &opt_help) != NULL)) {
        if (version)
            print_version();
        else
            cli_command_help(command);
        status = cli_flush(&error);
    } else if (!status) {
        signals_watch(command->name);
        if (arguments.threads > 0) omp_set_num_threads(arguments.threads);
        progress_show_fmu_waits(&arguments, command->name);
        status = set_limits(command, &arguments, &error);
        if (!status) status = run_command(command, &arguments, &error);
    }
    bool stopped = status == COSTAB_CANCELLED && signals_caught() != 0;
    progress_clear();
    if (!status && signals_unfinished() && signals_caught() != 0)
        fprintf(stderr, "costab %s: %s; what is complete is written\n", command->name,
                signals_words(signals_caught()));
    if (stopped)
        fprintf(stderr, "costab %s: %s; %s\n", command->name, signals_words(signals_caught()), error.message);
    if (!status || stopped || reader_has_gone()) return (outcome){.status = EXIT_SUCCESS, .stopped = stopped};
    return (outcome){.status = report(command->name, status, &error)};
}

static outcome command_line(int argc, char **argv) {
    costab_error error = {.status = COSTAB_OK};
    if (argc < 2) {
        error_invalid(&error, "a command is missing");
        return (outcome){.status = report("", COSTAB_INVALID, &error)};
    }
    bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    if (help || strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        if (help)
            cli_overview(cli_commands);
        else
            print_version();
        bool fine = cli_flush(&error) == COSTAB_OK || reader_has_gone();
        return (outcome){.status = fine ? EXIT_SUCCESS : report("", COSTAB_IO, &error)};
    }
    const cli_command *command = cli_find_command(argv[1]);
    if (command != NULL) return run(command, argc - 1, argv + 1);
    return (outcome){.status = report("", cli_unknown_command(argv[1], &error), &error)};
}

/* Largest stack use of the deepest calls on the first thread; other threads have their own stacks. */
#define STACK_KB 1024

static void check_stack(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= (rlim_t)STACK_KB << 10) return;
    fprintf(
        stderr,
        "costab: error: out of memory: the stack is limited to %llu kB, and costab needs %d kB; raise the "
        "limit (ulimit -s)\n",
        (unsigned long long)limit.rlim_cur >> 10, STACK_KB);
    _Exit(EXIT_FAILURE); /* Any other exit would need more of this stack */
}

/* Opens closed standard streams such that their use still fails. Otherwise a file opened later would get the
 * stream's number. */
static void hold_streams(void) {
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0) (void)open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Runs the program. A pipe without a reader, or a file beyond its size limit, is an error of the call instead
 * of a signal. OpenBLAS computes on the calling thread, because every call to it is small. */
int main(int argc, char **argv) {
    load_end();
    check_stack();
    hold_streams();
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    openblas_set_num_threads(1);
    outcome end = command_line(argc, argv);
    cli_print_end();
    if (signals_unfinished()) return SIGNALS_UNFINISHED;
    if (end.stopped) signals_die();
    return end.status;
}
