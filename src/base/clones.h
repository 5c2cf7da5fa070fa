/* base/clones.h - functions compiled for several instruction sets, chosen when the program is loaded, so that
 * one portable binary uses AVX2 or AVX-512 where the machine has it. All versions give the same bits: nothing
 * is contracted or reassociated. They are static, as gcc would have the library export them, whatever its
 * visibility is, and no two of them may have the same name: clang makes the choice between the versions a
 * global symbol. */
#pragma once

#if defined(__SANITIZE_THREAD__)
#define BASE_NO_CLONES 1 /* its runtime is not loaded yet when the version is chosen */
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define BASE_NO_CLONES 1
#endif
#endif

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(BASE_NO_CLONES) &&            \
    (!defined(__clang__) || __clang_major__ >= 14)
#define BASE_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define BASE_CLONES
#endif
