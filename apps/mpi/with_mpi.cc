// The program with MPI. Rank 0 hands out one task at a time to whoever is free and takes the answers; with one rank it
// does all itself.
#include <mpi.h>

#include <system_error>

#include "ranks.h"

namespace carom::cli {

namespace {

enum Tag { ready = 1, answer = 2, task = 3 };
constexpr long no_more = -1;

class Ranks final : public Workers {
 public:
  Ranks() {
    int there = 0;
    MPI_Initialized(&there);
    if (!there) MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~Ranks() override { MPI_Finalize(); }

  std::size_t count() const override { return static_cast<std::size_t>(size_ > 1 ? size_ - 1 : 1); }

  void run(const std::vector<std::size_t>& tasks, const Work& work, const Done& done,
           const std::atomic<bool>* interrupt) override {
    if (size_ == 1) return ThreadWorkers(1).run(tasks, work, done, interrupt);
    if (rank_ > 0) return serve(work);
    std::size_t next = 0;
    for (int busy = size_ - 1; busy > 0;) {
      MPI_Status status;
      long number = 0;
      MPI_Recv(&number, 1, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      if (status.MPI_TAG == answer) {
        MPI_Status text_status;
        MPI_Probe(status.MPI_SOURCE, answer, MPI_COMM_WORLD, &text_status);
        int size = 0;
        MPI_Get_count(&text_status, MPI_CHAR, &size);
        std::string text(static_cast<std::size_t>(size), '\0');
        MPI_Recv(text.data(), size, MPI_CHAR, status.MPI_SOURCE, answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!text.empty()) done(static_cast<std::size_t>(number), text);
        continue;
      }
      const bool more = next < tasks.size() && !(interrupt && *interrupt);
      const long order = more ? static_cast<long>(tasks[next++]) : no_more;
      busy -= !more;
      MPI_Send(&order, 1, MPI_LONG, status.MPI_SOURCE, task, MPI_COMM_WORLD);
    }
  }

  int rank() const { return rank_; }

 private:
  static void serve(const Work& work) {
    while (true) {
      long number = 0;
      MPI_Send(&number, 1, MPI_LONG, 0, ready, MPI_COMM_WORLD);
      MPI_Recv(&number, 1, MPI_LONG, 0, task, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (number == no_more) return;
      std::string text;
      try {
        text = work(static_cast<std::size_t>(number));
      } catch (const std::exception&) {
        MPI_Abort(MPI_COMM_WORLD, 4);
      }
      MPI_Send(&number, 1, MPI_LONG, 0, answer, MPI_COMM_WORLD);
      MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, answer, MPI_COMM_WORLD);
    }
  }

  int rank_ = 0, size_ = 1;
};

int rank_of_this = 0;

}  // namespace

bool become_mpi_program() { return true; }

std::unique_ptr<Workers> make_rank_workers() {
  auto ranks = std::make_unique<Ranks>();
  rank_of_this = ranks->rank();
  return ranks;
}

int mpi_rank() { return rank_of_this; }

}  // namespace carom::cli
