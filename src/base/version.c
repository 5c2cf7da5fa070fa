/* version.c - what was built, from which source, how. "version.h" is written by the Makefile: BUILD_REVISION
 * and BUILD_FLAGS. This is the one file that is compiled again when only the revision changes. */
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
