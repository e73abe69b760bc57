#include "carom/io/recording.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/base/errors.h"
#include "carom/base/names.h"

namespace carom::inline io {

Matrix Recording::series(const std::string& field, const std::string& row) const {
  const auto fail = [&](const std::string& what, const std::string& hint) {
    throw InputError({"E0611", fmt::format("{}: {}", file_.path(), what), field, hint, {}, 0, 0, {}});
  };
  if (!file_.exists(field))
    fail(fmt::format("there is no '{}'", field), "docs/result_files.md lists what a result holds");
  const std::vector<std::size_t> extents = file_.extents(field);
  const std::vector<double> values = file_.read(field);
  const std::string pool = field.substr(0, field.rfind('/'));
  std::size_t first = 0, width = 1, stride = 1;
  for (std::size_t d = 1; d < extents.size(); ++d) stride *= extents[d];
  width = stride;
  if (!pool.empty() && file_.exists(pool + "/names") && extents.size() > 1) {
    const std::vector<std::string> known = names(pool);
    const auto at = std::find(known.begin(), known.end(), row);
    if (at == known.end()) fail(fmt::format("'{}' has no row '{}'", field, row), suggestion(row, known));
    width = stride / extents[1];
    first = width * static_cast<std::size_t>(at - known.begin());
  } else if (!row.empty()) {
    fail(fmt::format("'{}' has no rows with names", field), "ask for it without one");
  }
  const auto samples = static_cast<Eigen::Index>(extents.empty() ? 1 : extents[0]);
  Matrix series(samples, static_cast<Eigen::Index>(width));
  for (Eigen::Index i = 0; i < samples; ++i)
    for (Eigen::Index k = 0; k < series.cols(); ++k)
      series(i, k) = values[static_cast<std::size_t>(i) * stride + first + static_cast<std::size_t>(k)];
  return series;
}

}  // namespace carom::inline io
