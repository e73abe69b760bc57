// What the readers and the writer of problem files share: the parts every format comes down to.
#pragma once

#include <Eigen/SparseCore>
#include <filesystem>
#include <string>
#include <vector>

#include "carom/io/problem_file.h"

namespace carom::inline io::problem_parts {

using Sparse = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

// One block of rows: its law by word, and its friction.
struct Block {
  std::string law;
  Index rows;
  double mu;
};

// The word of a law. Throws InputError for laws without one.
std::string law_word(const Law& law);

// One contact with friction per coefficient.
std::vector<Block> friction_blocks(Index dimension, const std::vector<double>& mu);

// The problem  xi = W lambda + q  with the laws of the blocks; `path` is for complaints.
StoredProblem assemble(const std::filesystem::path& path, const std::vector<Block>& blocks, const Sparse& W,
                       const std::vector<double>& q);

// Of a symmetric matrix that a file holds by one triangle the other one is added; what has entries on both sides of the
// diagonal stays as it is.
Sparse with_both_triangles(const Sparse& matrix);

// The problem of velocities and contacts together,  M v = f + H r + G s,  u = H'v + w,  0 = G'v + b:  velocities are
// eliminated, s become bilateral blocks. G and b may be empty.
struct GlobalProblem {
  Sparse M, H, G;
  std::vector<double> f, w, b;
  std::vector<Block> contacts;
};
StoredProblem eliminate(const std::filesystem::path& path, const GlobalProblem& global);

// The text format; `path` is its name in complaints.
StoredProblem parse_text(const std::filesystem::path& path, std::string text);
StoredProblem read_text(const std::filesystem::path& path);
// The HDF5 layouts: first tried in a process of its own (trial_read.h), or trusting the library.
StoredProblem read_hdf5(const std::filesystem::path& path);
StoredProblem read_hdf5_untried(const std::filesystem::path& path);

// Throws InputError: the file is not a problem.
[[noreturn]] void fail(const std::filesystem::path& path, const std::string& message, int line = 0);

}  // namespace carom::inline io::problem_parts
