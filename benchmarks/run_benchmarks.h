// The main function of a benchmark program. Its cases are named after entries of the registries, so they
// are registered at run time, not before main: the registries are filled by then.
#pragma once

#include <benchmark/benchmark.h>

#include "carom/base/large_blocks.h"

inline int run_benchmarks(int argc, char** argv, void (*register_all)()) {
  carom::give_large_blocks_back();  // as the program does
  benchmark::Initialize(&argc, argv);
  register_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
