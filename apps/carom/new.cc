// carom new: a model to start from, copied out of the program.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "carom/base/errors.h"
#include "carom/base/names.h"
#include "carom/io/embedded_files.h"
#include "carom/io/output_file.h"
#include "command.h"
#include "safe_output.h"
#include "words.h"

namespace carom::cli {
namespace {

struct Options {
  std::string name, folder;
  bool force = false;
};

constexpr std::string_view kFolder = "templates/", kEnding = ".toml";

struct Template {
  std::string name;  // with hyphens
  std::string_view text;
};

// Those that need no file beside them.
std::vector<Template> templates() {
  std::vector<Template> list;
  for (const EmbeddedFile& file : embedded_files()) {
    const auto mentions = [&](std::string_view ending) { return file.text.find(ending) != std::string_view::npos; };
    if (!file.name.starts_with(kFolder) || mentions(".mtx") || mentions(".csv\"") || mentions(".stl") ||
        mentions(".obj") || mentions("include ="))
      continue;
    std::string name(file.name.substr(kFolder.size(), file.name.size() - kFolder.size() - kEnding.size()));
    std::replace(name.begin(), name.end(), '_', '-');
    if (std::none_of(list.begin(), list.end(), [&](const Template& known) { return known.name == name; }))
      list.push_back({name, file.text});
  }
  std::sort(list.begin(), list.end(), [](const Template& a, const Template& b) { return a.name < b.name; });
  return list;
}

// What stands between the quotes of the line `title = "..."`, however it is aligned.
std::string title_of(std::string_view text) {
  const std::size_t at = text.find("\ntitle ");
  if (at == std::string_view::npos) return {};
  const std::size_t begin = text.find('"', at) + 1, end = text.find('"', begin);
  return std::string(text.substr(begin, end - begin));
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

// The same model, whose commands and result are those of the new place.
std::string adapted(const Template& chosen, const std::string& model, const std::string& result) {
  std::string underscored = chosen.name;
  std::replace(underscored.begin(), underscored.end(), '-', '_');
  std::string text = replaced(std::string(chosen.text), "scenarios/gallery/" + underscored + ".toml", model);
  text = replaced(text, "scenarios/" + underscored + ".toml", model);
  const std::string line = fmt::format("file = \"{}\"", result);
  const std::string old = fmt::format("file = \"{}.h5\"", underscored);
  if (text.find(old) != std::string::npos) return replaced(text, old, line);
  const std::size_t output = text.find("[output]\n");
  if (output != std::string::npos) return text.insert(output + 9, line + "\n");
  return text + fmt::format("\n[output]\n{}\n", line);
}

ExitCode list_templates() {
  for (const Template& t : templates()) say("{:<26} {}\n", t.name, title_of(t.text));
  return ExitCode::fine;
}

ExitCode run_new(const Options& options) {
  if (options.name.empty()) return list_templates();
  const auto all = templates();
  const auto at = std::find_if(all.begin(), all.end(), [&](const Template& t) {
    return canonical_name(t.name) == canonical_name(options.name);
  });
  if (at == all.end())
    throw InputError({"E0001",
                      fmt::format("there is no template '{}'", options.name),
                      {},
                      suggestion(options.name, template_names()),
                      {},
                      0,
                      0,
                      {}});
  const std::filesystem::path folder = options.folder.empty() ? at->name : options.folder;
  std::filesystem::create_directories(folder);
  const std::string model = (folder / "model.toml").string(), result = (folder / "result.h5").string();
  const Replace replace = options.force ? Replace::anything : Replace::ours;
  check_replaceable(model, replace, "file that may be replaced", [] { return false; });
  write_text_file(model, adapted(*at, model, result), replace);
  say("wrote  {}\nnext:  carom run {} && carom report {}\n", model, model, result);
  return ExitCode::fine;
}

}  // namespace

std::vector<std::string> template_names() {
  std::vector<std::string> names;
  for (const Template& t : templates()) names.push_back(t.name);
  return names;
}

void add_new(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("new", "Start from a model that works");
  command->footer(R"(
Examples:
  carom new                                     what there is
  carom new slider-crank demo                   demo/model.toml; run it: carom run demo/model.toml)");
  command->add_option("template", options->name, "Its name (none: the list)");
  command->add_option("folder", options->folder, "Where to put model.toml (default: the name)");
  command->add_flag("--force", options->force, "Replace a model.toml that is there");
  command->callback([options, &code] { code = run_new(*options); });
}

}  // namespace carom::cli
