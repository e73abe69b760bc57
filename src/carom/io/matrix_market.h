// Matrices in Matrix Market files (R. F. Boisvert, R. Pozo, K. Remington, 1996): real or integer, coordinate or
// array, general, symmetric or skew-symmetric.
#pragma once

#include <Eigen/SparseCore>
#include <string>

namespace carom::inline io {

// Throws InputError with file and line if the file cannot be read or is no such matrix.
Eigen::SparseMatrix<double> read_matrix_market(const std::string& file);
// The same from a text; `file` is its name in messages.
Eigen::SparseMatrix<double> parse_matrix_market(const std::string& file, const std::string& text);

}  // namespace carom::inline io
