// The program without MPI: --mpi makes it the other one.
#include "ranks.h"
#include "sibling_program.h"

namespace carom::cli {

bool become_mpi_program() {
  become_sibling("carom-mpi");
  return false;
}

std::unique_ptr<Workers> make_rank_workers() { return nullptr; }
int mpi_rank() { return 0; }

}  // namespace carom::cli
