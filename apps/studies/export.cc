// carom export: a result for other programs, a model as one file that needs no other, or as an FMU.
#include <filesystem>

#include "carom/base/errors.h"
#include "carom/io/export/exports.h"
#include "carom/io/export/model_toml.h"
#include "carom/io/fmi/fmu_file.h"
#include "carom/io/output_file.h"
#include "command.h"
#include "safe_output.h"
#include "study_commands.h"

namespace carom::cli {
namespace {

struct Options {
  std::string file, format, out;
  std::size_t every = 1;
  std::vector<std::string> set, outputs;
  bool force = false;
};

std::vector<Override> overrides_of(const Options& options) {
  std::vector<Override> overrides;
  for (const std::string& text : options.set) overrides.push_back(parse_override(text));
  return overrides;
}

ExitCode export_model(const Options& options) {
  std::filesystem::path out = options.out;
  if (out.empty())
    out = std::filesystem::path(options.file)
              .replace_filename(std::filesystem::path(options.file).stem().string() + "_resolved.toml");
  const ModelText text =
      model_toml(read_scenario_source(options.file, overrides_of(options)), out.parent_path().string());
  write_text_file(out.string(), text.toml, options.force ? Replace::anything : Replace::ours);
  for (const std::string& path : text.left_out)
    say(stderr, "left out: {}, which sweeps parameters; here their values are put in\n", path);
  say("wrote  {}\n", out.string());
  return ExitCode::fine;
}

NamedExpression output_of(const std::string& text) {
  const Override named = parse_override(text);
  try {
    return measured(named.key, named.value);
  } catch (const ExpressionError& error) {
    throw InputError({"E0614", "--output " + named.key + ": " + error.what(), {}, error.hint(), {}, 0, 0, {}});
  }
}

ExitCode export_fmu(const Options& options) {
  const Scenario scenario = read_scenario(options.file, overrides_of(options));
  FmuOptions how{options.out.empty() ? scenario.name + ".fmu" : options.out, "/proc/self/exe"};
  for (const std::string& text : options.outputs) how.outputs.push_back(output_of(text));
  check_replaceable(how.out, options.force ? Replace::anything : Replace::ours, "FMU",
                    [&] { return std::filesystem::path(how.out).extension() == ".fmu"; });
  const std::size_t bytes = write_fmu(scenario, how);
  say("wrote  {}   {:.1f} MB, FMI 2.0 for co-simulation\n", how.out, 1e-6 * static_cast<double>(bytes));
  return ExitCode::fine;
}

ExitCode run_export(const Options& options) {
  if (options.format == "toml") return export_model(options);
  if (options.format == "fmu") return export_fmu(options);
  const Recording recording(options.file);
  std::filesystem::path stem(options.file);
  stem.replace_extension();
  const ExportOptions how{options.every};
  const auto or_default = [&](const std::string& path) {
    return std::filesystem::path(options.out.empty() ? path : options.out);
  };
  ExportedFiles files;
  if (options.format == "csv") files = export_csv(recording, or_default(stem.string() + "_csv"), how);
  if (options.format == "vtk") files = export_vtk(recording, or_default(stem.string() + "_vtk"), how);
  if (options.format == "gltf") files = export_gltf(recording, or_default(stem.string() + ".gltf"), how);
  if (options.format == "mat") files = export_mat(recording, or_default(stem.string() + ".mat"), how);
  for (const auto& file : files) say("wrote  {}\n", file.string());
  return ExitCode::fine;
}

}  // namespace

void add_export(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("export", export_text);
  command->footer(R"(
Examples:
  carom export slider_crank.h5 csv                 slider_crank_csv/: samples, steps, contacts, events; units in the headers
  carom export slider_crank.h5 vtk --every 5       slider_crank_vtk/bodies.pvd and contacts.pvd, for ParaView
  carom export slider_crank.h5 gltf                slider_crank.gltf: an animation for Blender and browsers
  carom export slider_crank.h5 mat                 slider_crank.mat for MATLAB, Octave, scipy.io: structs by name, and their units
  carom export model.toml toml --set c=0.1         model_resolved.toml: includes, counts and parameters put in, the same bits
  carom export model.toml fmu                      model.fmu: FMI 2.0 for co-simulation; inputs are [input.NAME], outputs the signals)");
  command->add_option("file", options->file, "Result file of carom run, or a model file for toml and fmu")->required();
  command->add_option("format", options->format, "csv, vtk, gltf, mat, toml or fmu")
      ->required()
      ->check(CLI::IsMember({"csv", "vtk", "gltf", "mat", "toml", "fmu"}));
  command->add_option("-o,--out", options->out, "Folder (csv, vtk) or file (gltf, mat, toml, fmu)");
  command->add_option("--output", options->outputs, "fmu: NAME=FORMULA, an output beside the signals of the file")
      ->expected(1)
      ->take_all();
  command->add_option("--every", options->every, "Take every so many samples")->check(CLI::PositiveNumber);
  command->add_option("--set", options->set, "toml, fmu: NAME=VALUE, as of carom run")->expected(1)->take_all();
  command->add_flag("--force", options->force, "toml, fmu: replace a file that is something else");
  command->callback([options, &code] { code = run_export(*options); });
}

}  // namespace carom::cli
