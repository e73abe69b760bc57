// One inclusion problem alone in a file: to be solved again elsewhere, by any solver.
//
//   write: HDF5 in the local layout of FCLib,      fclib_local/spacedim, W (m n nz nzmax p i x),
//                                                  vectors/{q, mu}
//          plus what FCLib has no word for,        carom/{rows, law} per block, carom/guess
//   read:  that; FCLib's local and global layout (contacts with friction only); and the text formats of
//          Siconos (.dat), local and global, with dense, block or compressed storage. A symmetric matrix may be stored
//          by one triangle.
//
// FCLib's r, u, q, W are our lambda, xi, c, G, with the same order of rows: N, T1, T2.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "carom/inclusion/inclusion_problem.h"

namespace carom::inline io {

// A problem that owns what it refers to.
struct StoredProblem {
  InclusionProblem problem;
  std::unique_ptr<Delassus> G;
  std::vector<std::shared_ptr<const Law>> laws;
  Buffer guess;  // lambda to start from; zero if the file has none
  Index contacts() const;
};

// Throws InputError if the file cannot be read as a problem.
StoredProblem read_problem(const std::filesystem::path& path);

// Throws std::system_error if the file cannot be written, InputError for laws without a word.
void write_problem(const std::filesystem::path& path, const InclusionProblem& problem, const Buffer& guess);

}  // namespace carom::inline io
