#include "carom/study/diff.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

#include "carom/io/hdf5_file.h"

namespace carom::inline study {

namespace {

// What tells of the making of a file, not of the run.
bool is_told(const std::string& path) {
  return !path.starts_with("/checkpoint") && !path.starts_with("/model") && !path.starts_with("/options");
}

struct Column {
  std::vector<double> values;
  std::size_t rows = 0, width = 1;
};

std::map<std::string, Column> numbers_of(const Hdf5File& file) {
  std::map<std::string, Column> columns;
  for (const Hdf5File::Dataset& dataset : file.datasets()) {
    if (!is_told(dataset.path)) continue;
    const auto add = [&](const std::string& name, std::vector<double> values) {
      Column& column = columns[name];
      column.rows = dataset.extents.empty() ? 1 : dataset.extents[0];
      column.width = column.rows > 0 ? values.size() / column.rows : 1;
      column.values = std::move(values);
    };
    if (dataset.members.empty())
      add(dataset.path, file.read(dataset.path));
    else
      for (const std::string& member : dataset.members)
        add(dataset.path + "." + member, file.read_column(dataset.path, member));
  }
  return columns;
}

// The times of the rows of a field.
const std::vector<double>* times_of(const std::string& field, const std::map<std::string, Column>& columns,
                                    std::size_t rows) {
  const auto at = [&](const char* name) -> const std::vector<double>* {
    const auto it = columns.find(name);
    return it == columns.end() || it->second.rows < rows ? nullptr : &it->second.values;
  };
  if (field.starts_with("/stats/")) return at("/stats/t");
  if (field.starts_with("/contact/table")) return at("/contact/table.t");
  if (field.starts_with("/event/table")) return at("/event/table.t");
  if (field.starts_with("/judgement") || field.starts_with("/measured")) return nullptr;
  const std::vector<double>* time = at("/time");
  return time && time->size() >= rows ? time : nullptr;
}

bool same(double x, double y) {
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) || (std::isnan(x) && std::isnan(y));
}

std::string row_name(const Hdf5File& file, const std::string& field, std::size_t place, std::size_t width) {
  const std::string names = field.substr(0, field.rfind('/')) + "/names";
  if (width <= 1 || !file.exists(names)) return {};
  const std::vector<std::string> known = file.read_texts(names);
  return known.empty() || width % known.size() != 0 ? std::string() : known[place / (width / known.size())];
}

}  // namespace

const FieldDifference* ResultDifference::first() const {
  const FieldDifference* first = nullptr;
  for (const FieldDifference& field : fields)
    if (field.different > 0 && !std::isnan(field.first_t) && (!first || field.first_t < first->first_t)) first = &field;
  return first;
}

ResultDifference diff_results(const std::string& path_a, const std::string& path_b) {
  const Hdf5File a = Hdf5File::open(path_a), b = Hdf5File::open(path_b);
  const auto in_a = numbers_of(a), in_b = numbers_of(b);
  ResultDifference out;
  const auto text = [](const Hdf5File& file, const char* name) {
    return file.exists(name) ? file.read_texts(name) : std::vector<std::string>{};
  };
  for (const char* name : {"/model/source", "/model/resolved"}) out.same_model &= text(a, name) == text(b, name);
  for (const auto& [name, column] : in_b)
    if (!in_a.contains(name)) out.only_b.push_back(name);
  for (const auto& [name, x] : in_a) {
    const auto other = in_b.find(name);
    if (other == in_b.end()) {
      out.only_a.push_back(name);
      continue;
    }
    const Column& y = other->second;
    ++out.compared;
    FieldDifference d{name, x.rows, y.rows, 0, 0.0, 0.0, std::numeric_limits<double>::quiet_NaN(), 0.0, {}};
    d.largest_t = d.first_t;
    const std::size_t rows = x.width == y.width ? std::min(x.rows, y.rows) : 0;
    const std::vector<double>* times = times_of(name, in_a, rows);
    std::size_t place = 0;
    for (std::size_t i = 0; i < rows * x.width; ++i) {
      if (std::isfinite(x.values[i])) d.scale = std::max(d.scale, std::abs(x.values[i]));
      if (same(x.values[i], y.values[i])) continue;
      const double t = times ? (*times)[i / x.width] : std::numeric_limits<double>::quiet_NaN();
      const double gap = std::abs(x.values[i] - y.values[i]);
      if (d.different++ == 0) d.first_t = t;
      if (std::isnan(gap) ? !std::isinf(d.largest) : gap > d.largest) {
        d.largest = std::isnan(gap) ? std::numeric_limits<double>::infinity() : gap;
        d.largest_t = t;
        place = i % x.width;
      }
    }
    if (d.different > 0) d.row_name = row_name(a, name, place, x.width);
    if (d.different > 0 || x.rows != y.rows || x.width != y.width) out.fields.push_back(d);
  }
  return out;
}

}  // namespace carom::inline study
