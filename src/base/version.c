/* Returns the version of the program and of its build. The Makefile writes BUILD_REVISION and BUILD_FLAGS to
 * "version.h", so that a new revision compiles only this file again. */
#include "costab/base.h"

#include "version.h"

#if defined(__clang__)
#define BUILD_COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define BUILD_COMPILER "gcc " __VERSION__
#else
#define BUILD_COMPILER "unknown compiler"
#endif

const char *costab_version(void) {
    return COSTAB_VERSION;
}

const char *costab_build_info(void) {
    return "costab " COSTAB_VERSION " (" BUILD_REVISION ", " BUILD_COMPILER ", " BUILD_FLAGS ")";
}

const char *costab_revision(void) {
    return BUILD_REVISION;
}
