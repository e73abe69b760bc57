#include <cerrno>
#include <fstream>
#include <set>
#include <system_error>

#include "carom/io/export/exports.h"
#include "carom/io/export/mat_value.h"

namespace carom::inline io {

namespace {

std::vector<std::string> split(const std::string& name) {
  std::vector<std::string> parts = {""};
  for (const char c : name)
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

class MatExport {
 public:
  MatExport(const Recording& recording, std::size_t every)
      : recording_(recording), file_(recording.file()), times_(recording.times()), every_(every) {}

  std::string bytes() {
    std::vector<double> kept;
    for (std::size_t i = 0; i < times_.size(); i += every_) kept.push_back(times_[i]);
    const std::size_t rows = kept.size();
    add({"time"}, MatValue::numbers(std::move(kept), rows), "s");
    static const std::set<std::string> others = {"model", "options",  "checkpoint",  "judgement",
                                                 "time",  "measured", "expectation", "measure"};
    for (const std::string& group : file_.members("/")) {
      if (others.contains(group)) continue;
      for (const std::string& member : file_.members("/" + group)) {
        if (member == "names")
          variables_.put({group, "names"}, MatValue::texts(recording_.names("/" + group)));
        else if (member == "table")
          add_table(group);
        else if (group == "stats")
          add_column({group, member}, "/stats/" + member);
        else
          add_sampled(group, member);
      }
    }
    MatValue whole = variables_;
    whole.put({"unit"}, units_);
    return mat_file(whole);
  }

 private:
  void add(const std::vector<std::string>& path, MatValue value, const std::string& unit) {
    variables_.put(path, std::move(value));
    units_.put(path, MatValue::text(unit));
  }

  void add_column(const std::vector<std::string>& path, const std::string& dataset) {
    std::vector<double> values = file_.read(dataset);
    const std::size_t rows = values.size();
    add(path, MatValue::numbers(std::move(values), rows), recording_.unit(dataset));
  }

  // Rows of a pool by their names, other fields by theirs: body.ball.position, coordinate.crank.angle.
  void add_sampled(const std::string& group, const std::string& member) {
    const std::string dataset = "/" + group + "/" + member;
    const auto extents = file_.extents(dataset);
    if (extents.empty() || extents[0] != times_.size()) return;
    const std::vector<double> all = file_.read(dataset);
    const std::size_t stride = times_.empty() ? 0 : all.size() / times_.size();
    const bool pool = file_.exists("/" + group + "/names") && extents.size() > 1;
    const auto names = pool ? recording_.names("/" + group) : std::vector<std::string>{member};
    const std::size_t width = names.empty() ? 0 : stride / names.size();
    for (std::size_t n = 0; n < names.size(); ++n) {
      std::vector<double> values;
      std::size_t rows = 0;
      for (std::size_t c = 0; c < width; ++c) {
        rows = 0;
        for (std::size_t i = 0; i < times_.size(); i += every_, ++rows)
          values.push_back(all[i * stride + n * width + c]);
      }
      std::vector<std::string> path = split(names[n]);
      path.insert(path.begin(), group);
      if (pool) path.push_back(member);
      add(path, MatValue::numbers(std::move(values), rows), recording_.unit(dataset));
    }
  }

  // "gap [m], pn [N s]" names the columns.
  void add_table(const std::string& group) {
    const std::string dataset = "/" + group + "/table";
    std::string units = file_.text_attribute(dataset, "units");
    while (!units.empty()) {
      const std::size_t end = units.find("], ");
      const std::string entry = units.substr(0, end == std::string::npos ? units.size() - 1 : end);
      units = end == std::string::npos ? "" : units.substr(end + 3);
      const std::size_t bracket = entry.find(" [");
      std::vector<double> values = file_.read_column(dataset, entry.substr(0, bracket));
      const std::size_t rows = values.size();
      add({group, "table", entry.substr(0, bracket)}, MatValue::numbers(std::move(values), rows),
          entry.substr(bracket + 2));
    }
  }

  const Recording& recording_;
  const Hdf5File& file_;
  std::vector<double> times_;
  std::size_t every_;
  MatValue variables_, units_;
};

}  // namespace

ExportedFiles export_mat(const Recording& recording, const std::filesystem::path& file, const ExportOptions& options) {
  const std::string bytes = MatExport(recording, options.every).bytes();
  std::ofstream out(file, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out)
    throw std::system_error(errno ? errno : EIO, std::generic_category(), "cannot write '" + file.string() + "'");
  return {file};
}

}  // namespace carom::inline io
