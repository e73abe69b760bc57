// A report: one HTML page that shows runs (docs/reports.md). It opens from disk without network; the viewer inside is
// compiled into this program. Pages are values; whoever wants a file writes it.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "carom/io/output_file.h"
#include "carom/io/report/chapter.h"
#include "carom/io/scenario.h"

namespace carom::inline io {

// A result file as the viewer reads it. Large ones are thinned, and the page says so.
// InputError if the file is no result, std::system_error if it cannot be read.
nlohmann::ordered_json page_run(const std::string& result_file, const std::string& label);
// The start of a model that has not run.
nlohmann::ordered_json page_pose(const Scenario& scenario);

// Runs whose files have the same name are told apart by their schemes, or by what comes before the name.
std::vector<std::string> run_labels(const std::vector<std::string>& result_files);

struct Page {
  std::string title, subtitle;
  bool pose_only = false;
  std::vector<nlohmann::ordered_json> runs = {};
  std::vector<Chapter> chapters = {};
};

// Of one run, or of several to compare.
Page report_page(const std::vector<std::string>& result_files);
Page report_page(const std::vector<std::string>& result_files, const std::vector<std::string>& labels);
Page pose_page(const Scenario& scenario);

std::string to_html(const Page& page);
// Another page may be replaced, anything else only if that is said.
void write_page(const Page& page, const std::string& path, Replace replace = Replace::ours);

}  // namespace carom::inline io
