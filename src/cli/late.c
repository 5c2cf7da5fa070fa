/* Libraries that the program loads late: with the first call of one of their functions, not at its start.
 * HDF5 alone brings some thirty others (TLS, Kerberos, LDAP), where it is not linked into the program, and
 * mapping all of them takes longer than most commands compute.
 *
 * The program's objects call these functions by their own names. Their definitions are here, in place of the
 * linker's table: each jumps to what its row holds. At first that is late_first, which keeps all registers of
 * arguments, loads the libraries of the row's group, and fills the group's rows; from then on a call costs
 * one jump. `late.sh` writes the rows (late_rows.h) from the symbols that the program's objects lack and the
 * libraries have. libcostab.so, libcostab.a, the tests and sanitized programs are linked with the libraries
 * as usual: this file is the program's alone. */
#define _GNU_SOURCE /* RTLD_DEEPBIND */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cli/machine.h"

#define HIDDEN __attribute__((visibility("hidden"), used))

/* A function: where calls go (its stub reads the first member), its name, its group. */
typedef struct late_row {
    _Atomic(const void *) target;
    const void *begin; /* what it is at first */
    const char *name;
    const char *group;
} late_row;

/* A variable of a library: the program has a copy, which is filled once the library has set its own. */
typedef struct late_copy {
    void *copy;
    const char *name;
    size_t size;
    const char *group;
} late_copy;

typedef struct late_library {
    const char *group;
    const char *file;
} late_library;

/* The stubs. r11 is free between functions (System V ABI for x86-64, 3.2.3). */
#define LATE_LIBRARY(group, file)
#define LATE_COPY(group, name, size) HIDDEN _Alignas(16) char name[size];
#define LATE_FUNCTION(group_name, function)                                                                  \
    __asm__(".text\n.globl " #function "\n.hidden " #function "\n.type " #function                           \
            ", @function\n.p2align 4\n" #function ":\n.cfi_startproc\nendbr64\njmp *late_row_" #function     \
            "(%rip)\nlate_begin_" #function ":\nendbr64\nleaq late_row_" #function                           \
            "(%rip), %r11\njmp late_first\n.cfi_endproc\n.size " #function ", .-" #function                  \
            "\n.globl late_begin_" #function "\n.hidden late_begin_" #function "\n");                        \
    extern __attribute__((visibility("hidden"))) char late_begin_##function[];                               \
    HIDDEN late_row late_row_##function = {late_begin_##function, late_begin_##function, #function,          \
                                           #group_name};
#include "late_rows.h"
#undef LATE_LIBRARY
#undef LATE_COPY
#undef LATE_FUNCTION

#define LATE_LIBRARY(group, file)
#define LATE_COPY(group, name, size)
#define LATE_FUNCTION(group, function) &late_row_##function,
static late_row *const rows[] = {
#include "late_rows.h"
    NULL};
#undef LATE_COPY
#undef LATE_FUNCTION

#define LATE_COPY(group, name, size) {name, #name, size, #group},
#define LATE_FUNCTION(group, function)
static const late_copy copies[] = {
#include "late_rows.h"
    {NULL, NULL, 0, NULL}};
#undef LATE_LIBRARY
#undef LATE_COPY

#define LATE_LIBRARY(group, file) {#group, file},
#define LATE_COPY(group, name, size)
static const late_library libraries[] = {
#include "late_rows.h"
    {NULL, NULL}};

/* The first call: r11 is the row. Kept are all registers that may hold arguments. */
__asm__(
    ".text\n.hidden late_first\n.type late_first, @function\nlate_first:\n.cfi_startproc\n"
    "pushq %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset %rbp, -16\nmovq %rsp, %rbp\n.cfi_def_cfa_register %rbp\n"
    "pushq %rax\npushq %rdi\npushq %rsi\npushq %rdx\npushq %rcx\npushq %r8\npushq %r9\npushq %r10\n"
    "subq $128, %rsp\n"
    "movups %xmm0, (%rsp)\nmovups %xmm1, 16(%rsp)\nmovups %xmm2, 32(%rsp)\nmovups %xmm3, 48(%rsp)\n"
    "movups %xmm4, 64(%rsp)\nmovups %xmm5, 80(%rsp)\nmovups %xmm6, 96(%rsp)\nmovups %xmm7, 112(%rsp)\n"
    "movq %r11, %rdi\ncall late_resolve\nmovq %rax, %r11\n"
    "movups (%rsp), %xmm0\nmovups 16(%rsp), %xmm1\nmovups 32(%rsp), %xmm2\nmovups 48(%rsp), %xmm3\n"
    "movups 64(%rsp), %xmm4\nmovups 80(%rsp), %xmm5\nmovups 96(%rsp), %xmm6\nmovups 112(%rsp), %xmm7\n"
    "addq $128, %rsp\n"
    "popq %r10\npopq %r9\npopq %r8\npopq %rcx\npopq %rdx\npopq %rsi\npopq %rdi\npopq %rax\npopq %rbp\n"
    ".cfi_def_cfa %rsp, 8\njmp *%r11\n.cfi_endproc\n.size late_first, .-late_first\n");

/* A library that is not there ends the program, as the system's loader would at the start. */
static _Noreturn void give_up(void) {
    const char *message = dlerror();
    struct rlimit space;
    bool limited = getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY;
    fprintf(stderr, "costab: error: a library cannot be loaded: %s%s\n",
            message ? message : "no reason given",
            limited ? "; the address space is limited (ulimit -v)" : "");
    exit(EXIT_FAILURE);
}

static void *find(const char *name) {
    static void *program; /* and all that is loaded: the libraries' names are global */
    if (program == NULL) program = dlopen(NULL, RTLD_LAZY);
    void *found = program != NULL ? dlsym(program, name) : NULL;
    if (found == NULL) give_up();
    return found;
}

/* HDF5 sets its variables when it is opened; OpenBLAS must have no threads of its own. */
static void prepare(const char *group) {
    machine_calm();
    if (strcmp(group, "hdf5") != 0) return;
    int (*open_library)(void);
    *(void **)&open_library = find("H5open");
    if (open_library() < 0) {
        fprintf(stderr, "costab: error: HDF5 cannot be started: memory may be short\n");
        exit(EXIT_FAILURE);
    }
}

/* FLINT and what it needs are often built to bind all their names at once, some 9,000, almost all to each
 * other: these are searched there first, which saves a third of the time. (LAPACKE must not do so: it takes
 * OpenBLAS' functions, not those of its own LAPACK.) */
static int search_of(const char *group) {
#ifdef RTLD_DEEPBIND
    if (strcmp(group, "flint") == 0) return RTLD_DEEPBIND;
#endif
    (void)group;
    return 0;
}

static void load(const char *group) {
    const int flags = RTLD_LAZY | RTLD_GLOBAL | search_of(group);
    for (const late_library *library = libraries; library->file != NULL; library++)
        if (strcmp(library->group, group) == 0 && dlopen(library->file, flags) == NULL) give_up();
    prepare(group);
    for (const late_copy *copy = copies; copy->copy != NULL; copy++)
        if (strcmp(copy->group, group) == 0) memcpy(copy->copy, find(copy->name), copy->size);
    for (late_row *const *row = rows; *row != NULL; row++) /* last: other threads may call at once */
        if (strcmp((*row)->group, group) == 0)
            atomic_store_explicit(&(*row)->target, find((*row)->name), memory_order_release);
}

__attribute__((visibility("hidden"))) const void *late_resolve(const late_row *row);
HIDDEN const void *late_resolve(const late_row *row) {
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    (void)pthread_mutex_lock(&one);
    if (atomic_load(&row->target) == row->begin) load(row->group);
    (void)pthread_mutex_unlock(&one);
    return atomic_load(&row->target);
}
