// carom export: a result for other programs.
#include <filesystem>

#include "carom/base/errors.h"
#include "carom/io/export/exports.h"
#include "command.h"
#include "safe_output.h"

namespace carom::cli {
namespace {

struct Options {
  std::string result, format, out;
  std::size_t every = 1;
};

ExitCode run_export(const Options& options) {
  const Recording recording(options.result);
  std::filesystem::path stem(options.result);
  stem.replace_extension();
  const ExportOptions how{options.every};
  const auto or_default = [&](const std::string& path) {
    return std::filesystem::path(options.out.empty() ? path : options.out);
  };
  ExportedFiles files;
  if (options.format == "csv") files = export_csv(recording, or_default(stem.string() + "_csv"), how);
  if (options.format == "vtk") files = export_vtk(recording, or_default(stem.string() + "_vtk"), how);
  if (options.format == "gltf") files = export_gltf(recording, or_default(stem.string() + ".gltf"), how);
  for (const auto& file : files) say("wrote  {}\n", file.string());
  return ExitCode::fine;
}

}  // namespace

void add_export(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("export", "Write a result for other programs: csv, vtk, gltf");
  command->footer(R"(
Examples:
  carom export slider_crank.h5 csv                 slider_crank_csv/: samples, steps, contacts, events; units in the headers
  carom export slider_crank.h5 vtk --every 5       slider_crank_vtk/bodies.pvd and contacts.pvd, for ParaView
  carom export slider_crank.h5 gltf                slider_crank.gltf: an animation for Blender and browsers)");
  command->add_option("result", options->result, "Result file of carom run")->required();
  command->add_option("format", options->format, "csv, vtk or gltf")
      ->required()
      ->check(CLI::IsMember({"csv", "vtk", "gltf"}));
  command->add_option("-o,--out", options->out, "Folder (csv, vtk) or file (gltf)");
  command->add_option("--every", options->every, "Take every so many samples")->check(CLI::PositiveNumber);
  command->callback([options, &code] { code = run_export(*options); });
}

}  // namespace carom::cli
