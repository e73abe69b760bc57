// Marks functions whose loops run over a handful of doubles. Packed into pairs, their loads would wait
// for the two separate stores that wrote the pair just before: longer than a small matrix takes to solve.
//
// CAROM_INLINE, behind the parameters of a lambda or before a function: written into its caller whatever its size, so
// that loops of known length are written out.
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
#define CAROM_SCALAR_CODE [[gnu::optimize("no-tree-vectorize")]]
#else
#define CAROM_SCALAR_CODE
#endif

#if defined(__GNUC__)
#define CAROM_INLINE __attribute__((always_inline))
#else
#define CAROM_INLINE
#endif
