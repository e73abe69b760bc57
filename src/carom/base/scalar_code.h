// Marks functions whose loops run over a handful of doubles. Packed into pairs, their loads would wait
// for the two separate stores that wrote the pair just before: longer than a small matrix takes to solve.
#pragma once

#if defined(__GNUC__) && !defined(__clang__)
#define CAROM_SCALAR_CODE [[gnu::optimize("no-tree-vectorize")]]
#else
#define CAROM_SCALAR_CODE
#endif
