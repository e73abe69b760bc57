#include "carom/io/report/page.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "carom/base/errors.h"
#include "carom/base/version.h"
#include "carom/io/embedded_files.h"
#include "carom/io/quantity_text.h"

namespace carom::inline io {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kDataMark = "/*DATA*/";

std::string_view empty_page() {
  for (const EmbeddedFile& file : embedded_files())
    if (file.name == "page.html") return file.text;
  throw LogicError("the page of the viewer is not in this build");
}

// JSON inside a script element: nothing in it may end the element.
std::string safe_in_script(std::string text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

std::string word(const Json& run, const char* name) {
  const Json& value = run["about"][name];
  return value.is_string() ? value.get<std::string>() : std::string();
}

}  // namespace

std::vector<std::string> run_labels(const std::vector<std::string>& result_files) {
  std::map<std::string, int> stems;
  const auto stem = [](const std::string& file) { return std::filesystem::path(file).stem().string(); };
  for (const std::string& file : result_files) ++stems[stem(file)];
  std::vector<std::string> labels;
  for (const std::string& file : result_files) labels.push_back(stems[stem(file)] > 1 ? file : stem(file));
  return labels;
}

Page report_page(const std::vector<std::string>& result_files) {
  return report_page(result_files, run_labels(result_files));
}

Page report_page(const std::vector<std::string>& result_files, const std::vector<std::string>& labels) {
  Page page;
  for (std::size_t i = 0; i < result_files.size(); ++i) page.runs.push_back(page_run(result_files[i], labels[i]));
  const Json& first = page.runs.front();
  page.title = word(first, "title").empty() ? word(first, "model") : word(first, "title");
  const Json& step = first["about"]["step"];
  page.subtitle = result_files.size() > 1
                      ? fmt::format("{} runs", result_files.size())
                      : fmt::format("{} · {} · step {}", word(first, "model"), word(first, "scheme"),
                                    step.is_number() ? with_prefix(step.get<double>(), "s", 3) : "?");
  return page;
}

Page pose_page(const Scenario& scenario) {
  Page page;
  page.title = scenario.title.empty() ? scenario.name : scenario.title;
  page.subtitle =
      fmt::format("{} at its start; it has not run", std::filesystem::path(scenario.file).filename().string());
  page.pose_only = true;
  page.runs.push_back(page_pose(scenario));
  return page;
}

std::string to_html(const Page& page) {
  Json chapters = Json::array();
  for (const Chapter& chapter : page.chapters) chapters.push_back(to_json(chapter));
  const Json data = {{"title", page.title},         {"subtitle", page.subtitle}, {"carom", build_info().version},
                     {"pose_only", page.pose_only}, {"runs", page.runs},         {"chapters", chapters}};
  const std::string json = safe_in_script(data.dump(-1, ' ', false, Json::error_handler_t::replace));
  const std::string_view empty = empty_page();
  const std::size_t at = empty.find(kDataMark);
  if (at == std::string_view::npos) throw LogicError("the page of the viewer has no place for data");
  std::string html;
  html.reserve(empty.size() + json.size());
  html.append(empty.substr(0, at)).append(json).append(empty.substr(at + kDataMark.size()));
  return html;
}

void write_page(const Page& page, const std::string& path, Replace replace) {
  write_text_file(path, to_html(page), replace);
}

}  // namespace carom::inline io
