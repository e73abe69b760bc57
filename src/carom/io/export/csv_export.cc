#include <fmt/format.h>

#include "carom/io/csv.h"
#include "carom/io/export/exports.h"
#include "carom/io/output_file.h"

namespace carom::inline io {

namespace {

// "/body/position", row "ball", number 2 of 3: "body.ball.position.2"
void add_columns(const Recording& recording, const std::string& group, const std::string& member, std::size_t samples,
                 std::size_t every, CsvTable& table) {
  const Hdf5File& file = recording.file();
  const std::string path = "/" + group + "/" + member;
  const auto extents = file.extents(path);
  if (extents.empty() || extents[0] != samples) return;
  const std::vector<double> all = file.read(path);
  const std::size_t stride = samples ? all.size() / samples : 0;
  const bool pool = file.exists("/" + group + "/names") && extents.size() > 1;
  const auto names = pool ? recording.names("/" + group) : std::vector<std::string>();
  const std::size_t width = pool ? stride / names.size() : stride;
  const std::string unit = recording.unit(path);
  for (std::size_t c = 0; c < stride; ++c) {
    std::string name =
        pool ? fmt::format("{}.{}.{}", group, names[c / width], member) : fmt::format("{}.{}", group, member);
    if (width > 1) name += fmt::format(".{}", c % width);
    CsvColumn column{csv_title(name, unit), {}};
    for (std::size_t i = 0; i < samples; i += every) column.values.push_back(all[i * stride + c]);
    table.columns.push_back(std::move(column));
  }
}

// The members of a table in its own order, with the units it states: "gap [m], pn [N s]".
CsvTable whole_table(const Hdf5File& file, const std::string& path) {
  CsvTable table;
  std::string units = file.text_attribute(path, "units");
  while (!units.empty()) {
    const std::size_t end = units.find("], ");
    const std::string entry = units.substr(0, end == std::string::npos ? units.size() - 1 : end);
    units = end == std::string::npos ? "" : units.substr(end + 3);
    const std::size_t bracket = entry.find(" [");
    const std::string name = entry.substr(0, bracket);
    table.columns.push_back({csv_title(name, entry.substr(bracket + 2)), file.read_column(path, name)});
  }
  return table;
}

}  // namespace

ExportedFiles export_csv(const Recording& recording, const std::filesystem::path& folder,
                         const ExportOptions& options) {
  std::filesystem::create_directories(folder);
  const Hdf5File& file = recording.file();
  const std::vector<double> times = recording.times();
  CsvTable samples{"samples", {{"t [s]", {}}}}, steps{"steps", {}};
  for (std::size_t i = 0; i < times.size(); i += options.every) samples.columns[0].values.push_back(times[i]);
  for (const std::string& group : file.members("/")) {
    if (group == "time" || group == "checkpoint" || group == "model" || group == "options") continue;
    if (group == "stats") {
      for (const std::string& member : file.members("/stats"))
        steps.columns.push_back({csv_title(member, recording.unit("/stats/" + member)), file.read("/stats/" + member)});
      continue;
    }
    for (const std::string& member : file.members("/" + group))
      if (member != "names" && member != "table" && group != "judgement" && group != "expectation" &&
          group != "measure" && group != "measured")
        add_columns(recording, group, member, times.size(), options.every, samples);
  }
  ExportedFiles written;
  const auto write = [&](const char* name, const CsvTable& table) {
    written.push_back(folder / name);
    write_csv(written.back(), table);
  };
  write("samples.csv", samples);
  write("steps.csv", steps);
  if (file.exists("/contact/table")) {
    write("contacts.csv", whole_table(file, "/contact/table"));
    write("events.csv", whole_table(file, "/event/table"));
    // What their column `contact` counts.
    written.push_back(folder / "contact_names.csv");
    std::string text = "contact,name\n";
    const auto names = file.read_texts("/contact/names");
    for (std::size_t i = 0; i < names.size(); ++i) text += fmt::format("{},{}\n", i, csv_cell(names[i]));
    write_text_file(written.back().string(), text, Replace::ours);
  }
  return written;
}

}  // namespace carom::inline io
