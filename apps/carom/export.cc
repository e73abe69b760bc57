// carom export: a result for other programs, or a model as an FMU.
#include <filesystem>

#include "carom/base/errors.h"
#include "carom/io/export/exports.h"
#include "carom/io/fmi/fmu_file.h"
#include "carom/io/output_file.h"
#include "command.h"
#include "safe_output.h"

namespace carom::cli {
namespace {

struct Options {
  std::string result, format, out;
  std::size_t every = 1;
  std::vector<std::string> set, outputs;
  bool force = false;
};

NamedExpression output_of(const std::string& text) {
  const Override named = parse_override(text);
  try {
    return measured(named.key, named.value);
  } catch (const ExpressionError& error) {
    throw InputError({"E0614", "--output " + named.key + ": " + error.what(), {}, error.hint(), {}, 0, 0, {}});
  }
}

ExitCode export_fmu(const Options& options) {
  std::vector<Override> overrides;
  for (const std::string& text : options.set) overrides.push_back(parse_override(text));
  const Scenario scenario = read_scenario(options.result, overrides);
  FmuOptions how{options.out.empty() ? scenario.name + ".fmu" : options.out, "/proc/self/exe"};
  for (const std::string& text : options.outputs) how.outputs.push_back(output_of(text));
  check_replaceable(how.out, options.force ? Replace::anything : Replace::ours, "FMU",
                    [&] { return std::filesystem::path(how.out).extension() == ".fmu"; });
  const std::size_t bytes = write_fmu(scenario, how);
  say("wrote  {}   {:.1f} MB, FMI 2.0 for co-simulation\n", how.out, 1e-6 * static_cast<double>(bytes));
  return ExitCode::fine;
}

ExitCode run_export(const Options& options) {
  if (options.format == "fmu") return export_fmu(options);
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
  CLI::App* command =
      app.add_subcommand("export", "Write a result for other programs: csv, vtk, gltf; or a model: fmu");
  command->footer(R"(
Examples:
  carom export slider_crank.h5 csv                 slider_crank_csv/: samples, steps, contacts, events; units in the headers
  carom export slider_crank.h5 vtk --every 5       slider_crank_vtk/bodies.pvd and contacts.pvd, for ParaView
  carom export slider_crank.h5 gltf                slider_crank.gltf: an animation for Blender and browsers
  carom export model.toml fmu                      model.fmu: FMI 2.0 for co-simulation; inputs are [input.NAME], outputs the signals)");
  command->add_option("result", options->result, "Result file of carom run; of an FMU the model file")->required();
  command->add_option("format", options->format, "csv, vtk, gltf or fmu")
      ->required()
      ->check(CLI::IsMember({"csv", "vtk", "gltf", "fmu"}));
  command->add_option("-o,--out", options->out, "Folder (csv, vtk) or file (gltf, fmu)");
  command->add_option("--set", options->set, "fmu: NAME=VALUE, as of carom run")->expected(1)->take_all();
  command->add_option("--output", options->outputs, "fmu: NAME=FORMULA, an output beside the signals of the file")
      ->expected(1)
      ->take_all();
  command->add_flag("--force", options->force, "fmu: replace a file that is no FMU");
  command->add_option("--every", options->every, "Take every so many samples")->check(CLI::PositiveNumber);
  command->callback([options, &code] { code = run_export(*options); });
}

}  // namespace carom::cli
