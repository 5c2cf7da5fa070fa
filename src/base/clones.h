/* base/clones.h - functions compiled for several instruction sets and chosen when the program is loaded, so
 * that one portable binary uses AVX2 or AVX-512 if the machine has it. All versions give the same bits:
 * contraction and reassociation are off. The functions are static, because gcc exports them from the library
 * otherwise, whatever its visibility. With clang only the portable version exists: clang makes the choice
 * between versions a global symbol. Kernels on vectors of a given width use base/lane.h instead. */
#pragma once

/* The thread sanitizer's runtime is not loaded yet when the version is chosen. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) &&                 \
    !defined(__SANITIZE_THREAD__)
#define BASE_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define BASE_CLONES
#endif
