#pragma once

// Compiles a function once per vector width; the program selects a version when it starts. Without
// contraction (mandelbrot/rounded.h) all versions give the same bits.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(LOOM_ONE_VECTOR_WIDTH)
#define LOOM_EACH_VECTOR_WIDTH __attribute__((target_clones("default", "avx2", "avx512f")))
// With and without the instruction of std::fma, which is a slow function otherwise.
#define LOOM_WITH_FMA __attribute__((target_clones("default", "fma"), flatten))
#else
#define LOOM_EACH_VECTOR_WIDTH
#define LOOM_WITH_FMA
#endif
