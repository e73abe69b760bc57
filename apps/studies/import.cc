// carom import: a URDF or MJCF file becomes a model file of ours, with a list of what could not be translated.
#include <fmt/format.h>

#include <filesystem>

#include "carom/io/import/imported_model.h"
#include "carom/io/output_file.h"
#include "command.h"
#include "safe_output.h"
#include "study_commands.h"

namespace carom::cli {
namespace {

struct Options {
  std::string file, out = "model.toml";
  bool force = false;
};

ExitCode run_import(const Options& options) {
  const import::ImportedModel model = import::import_model(options.file);
  const Replace replace = options.force ? Replace::anything : Replace::ours;
  check_replaceable(options.out, replace, "file that may be replaced", [] { return false; });
  write_text_file(options.out, import::to_toml(model), replace);
  say("wrote  {}: {} bodies, {} joints\n", options.out, model.bodies.size(), model.joints.size());
  if (!model.notes.empty()) say("left out or assumed:\n");
  for (const std::string& note : model.notes) say("  - {}\n", note);
  say("next:  carom check {}\n", options.out);
  return ExitCode::fine;
}

}  // namespace

void add_import(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("import", import_text);
  command->footer(R"(
Examples:
  carom import robot.urdf -o robot.toml         and carom run robot.toml
  carom import humanoid.xml                     MJCF; meshes (STL, OBJ) become convex hulls)");
  command->add_option("file", options->file, "URDF or MJCF file")->required();
  command->add_option("-o,--out", options->out, "Model file to write");
  command->add_flag("--force", options->force, "Replace a file that is there");
  command->callback([options, &code] { code = run_import(*options); });
}

}  // namespace carom::cli
