// Workers that are ranks of MPI. The program itself is not linked with MPI: `carom sweep --mpi` becomes the program
// carom-mpi beside it, made of the same objects, if that was built.
#pragma once

#include <memory>

#include "carom/study/workers.h"

namespace carom::cli {

// Before anything else of a command that was given --mpi: this program becomes the one with MPI. False if there is
// none; true in the program with MPI, which stays what it is.
bool become_mpi_program();

// Null without MPI. On rank 0 run() hands out the work and returns when all is done; on the others it works, and then
// returns.
std::unique_ptr<Workers> make_rank_workers();

// 0 is the one that prints and writes files.
int mpi_rank();

}  // namespace carom::cli
