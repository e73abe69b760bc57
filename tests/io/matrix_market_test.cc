#include "carom/io/matrix_market.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "carom/base/errors.h"
#include "carom/base/types.h"

namespace carom {
namespace {

using ::testing::HasSubstr;

Matrix parsed(const std::string& text) { return Matrix(parse_matrix_market("a.mtx", text)); }

InputProblem problem(const std::string& text) {
  try {
    parse_matrix_market("a.mtx", text);
  } catch (const InputError& error) {
    return error.problems().front();
  }
  return {};
}

TEST(MatrixMarket, ReadsCoordinates) {
  const Matrix A =
      parsed("%%MatrixMarket matrix coordinate real general\n% a comment\n\n2 3 3\n1 1 2.5\n2 3 -1e-3\n1 1 +0.5\r\n");
  Matrix expected(2, 3);
  expected << 3.0, 0, 0, 0, 0, -1e-3;  // entries at one place are added
  EXPECT_EQ(A, expected);
}

TEST(MatrixMarket, ReadsSymmetricAndSkewMatrices) {
  Matrix expected(2, 2);
  expected << 4, -1, -1, 2;
  EXPECT_EQ(parsed("%%MatrixMarket matrix coordinate integer symmetric\n2 2 3\n1 1 4\n2 1 -1\n2 2 2\n"), expected);
  EXPECT_EQ(parsed("%%MatrixMarket matrix array real symmetric\n2 2\n4\n-1\n2\n"), expected);
  expected << 0, 3, -3, 0;
  EXPECT_EQ(parsed("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 -3\n"), expected);
  expected << 1, 3, 2, 4;
  EXPECT_EQ(parsed("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n"), expected);
}

TEST(MatrixMarket, NamesFileAndLineOfWhatIsWrong) {
  const std::string head = "%%MatrixMarket matrix coordinate real symmetric\n";
  const auto at = [](const InputProblem& p, int line, const char* words) {
    EXPECT_EQ(p.code, "E0152");
    EXPECT_EQ(p.file, "a.mtx");
    EXPECT_EQ(p.line, line) << p.message;
    EXPECT_THAT(p.message, HasSubstr(words));
  };
  at(problem("1 2 3\n"), 1, "no Matrix Market");
  at(problem("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n"), 1, "complex");
  at(problem("%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n"), 1, "hermitian");
  at(problem(head), 1, "size");
  at(problem(head + "2 2\n"), 2, "3 numbers");
  at(problem(head + "2 3 1\n1 1 1\n"), 2, "square");
  at(problem(head + "2 2 2\n1 1 1\n% half\n3 1 1\n"), 5, "outside");
  at(problem(head + "2 2 2\n1 1 1\n1 2 1\n"), 4, "lower triangle");
  at(problem(head + "2 2 2\n1 1 1\n2 2 x\n"), 4, "3 numbers");
  at(problem(head + "2 2 2\n1 1 1\n2 2 nan\n"), 4, "3 numbers");
  at(problem(head + "2 2 2\n1 1 1\n"), 3, "1 of 2");
  at(problem(head + "2 2 1\n1 1 1\n2 2 1\n"), 4, "more");
  EXPECT_EQ(problem(head + "2 2 2\n1 1 1\n2 2 x\n").source_line, "2 2 x");
  EXPECT_THROW(read_matrix_market("no/such/file.mtx"), InputError);
}

}  // namespace
}  // namespace carom
