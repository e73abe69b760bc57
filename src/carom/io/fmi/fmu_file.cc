#include "carom/io/fmi/fmu_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <system_error>

#include "carom/base/content_hash.h"
#include "carom/base/errors.h"
#include "carom/base/version.h"
#include "carom/io/committed_file.h"
#include "carom/io/document.h"
#include "carom/io/embedded_files.h"
#include "carom/io/input_file.h"
#include "carom/io/output_file.h"
#include "carom/io/stepped_run.h"
#include "carom/io/zip_archive.h"

namespace carom::inline io {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* model_file = "model.toml";

std::string read_program(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file)
    throw std::system_error(std::make_error_code(std::errc::io_error), "cannot read the program '" + path + "'");
  return bytes.str();
}

std::string_view library() {
  for (const EmbeddedFile& file : embedded_files())
    if (file.name == "fmi2.so") return file.text;
  throw LogicError("the library of FMUs is not in this program");
}

// A name that C takes: the standard asks for one.
std::string identifier_of(const std::string& name) {
  std::string out = name;
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) ? "model_" + out : out;
}

// Files beside the model that its texts name, or what formulas have in quotes: included models, tables, matrices.
class NamedFileFinder {
 public:
  explicit NamedFileFinder(fs::path folder) : folder_(std::move(folder)) {}
  const std::set<std::string>& found() const { return found_; }

  void look(const DocumentNode& node) {
    if (node.kind == DocumentNode::Kind::text) {
      take(node.text);
      for (std::size_t open = node.text.find('\''); open != std::string::npos; open = node.text.find('\'', open)) {
        const std::size_t close = node.text.find('\'', open + 1);
        if (close == std::string::npos) break;
        take(node.text.substr(open + 1, close - open - 1));
        open = close + 1;
      }
    }
    for (const DocumentNode& child : node.children) look(child);
  }

 private:
  void take(const std::string& name) {
    std::error_code error;
    if (name.empty() || name.size() > 1000 || leads_out(folder_.string(), name) || found_.contains(name) ||
        !fs::is_regular_file(folder_ / name, error))
      return;
    found_.insert(name);
    if (name.ends_with(".toml")) look(Document::read((folder_ / name).string()).root());
  }

  fs::path folder_;
  std::set<std::string> found_;
};

std::string to_json(const FmuDescription& description) {
  Json json = {{"guid", description.guid}, {"model", description.model}};
  Json& overrides = json["overrides"] = Json::array();
  for (const Override& override : description.overrides) overrides.push_back({override.key, override.value});
  Json& outputs = json["outputs"] = Json::array();
  for (const NamedExpression& output : description.outputs) outputs.push_back({output.name, output.expression.text()});
  return json.dump(2) + "\n";
}

}  // namespace

FmuDescription read_fmu_description(const std::string& resources) {
  const std::string path = resources + "/fmu.json";
  const std::string text = read_input_file(path, scenario_bytes, "it is made by: carom export MODEL fmu");
  try {
    const Json json = Json::parse(text);
    FmuDescription description{json.at("guid"), json.at("model"), {}, {}};
    for (const Json& entry : json.at("overrides")) description.overrides.push_back({entry.at(0), entry.at(1)});
    for (const Json& entry : json.at("outputs"))
      description.outputs.push_back(measured(entry.at(0).get<std::string>(), entry.at(1).get<std::string>()));
    return description;
  } catch (const Json::exception&) {
    throw InputError({"E0101", path + " is not whole", {}, "unpack the FMU again", {}, 0, 0, {}});
  }
}

std::size_t write_fmu(const Scenario& scenario, const FmuOptions& options) {
  FmuDescription description{{}, model_file, {}, fmu_outputs(scenario, options.outputs)};
  for (const std::string& text : scenario.overrides) description.overrides.push_back(parse_override(text));
  const std::vector<FmuVariable> variables = fmu_variables(scenario, description.outputs);
  SteppedRun probe(scenario);  // whether the scheme can and every output has a value at a moment
  for (const FmuVariable& variable : variables)
    if (variable.causality == FmuVariable::Causality::output) probe.get(variable.formula);

  const BuildInfo& build = build_info();
  const std::string said =
      fmt::format("{} {}\n{}\n{}", build.version, build.commit, scenario.source, to_json(description));
  description.guid = "{" + content_hash(said) + "}";
  const std::string identifier = identifier_of(scenario.name);
  std::vector<ZipEntry> entries = {
      {"modelDescription.xml", model_description(scenario, identifier, description.guid, variables)},
      {fmt::format("binaries/linux64/{}.so", identifier), std::string(library()), true},
      {"resources/fmu.json", to_json(description)},
      {fmt::format("resources/{}", model_file), scenario.source}};
  const fs::path folder = fs::path(scenario.file).parent_path();
  NamedFileFinder files(folder);
  files.look(Document(scenario.file, scenario.source).root());
  for (const std::string& name : files.found())
    entries.push_back({"resources/" + fs::path(name).lexically_normal().generic_string(),
                       read_input_file((folder / name).string(), data_bytes, "the model names it")});
  entries.push_back({"resources/carom", read_program(options.program), true});

  const std::string archive = zip_archive(entries);
  CommittedFile file(options.out);
  file.write(0, archive.data(), archive.size());
  file.commit();
  return archive.size();
}

}  // namespace carom::inline io
