/* base/clones.h - functions compiled for several instruction sets, chosen when the program is loaded, so that
 * one portable binary uses AVX2 or AVX-512 where the machine has it. All versions give the same bits: nothing
 * is contracted or reassociated. They are static, as gcc would have the library export them, whatever its
 * visibility is. With clang there is one portable version: clang refuses versions of functions that have
 * `flatten`, and makes the choice between versions a global symbol. */
#pragma once

/* The thread sanitizer's runtime is not loaded yet when the version is chosen. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) &&                 \
    !defined(__SANITIZE_THREAD__)
#define BASE_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define BASE_CLONES
#endif
