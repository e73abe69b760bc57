// carom doctor: what this build and this machine can do, and a test of itself.
#include "carom/io/environment.h"
#include "command.h"
#include "json_line.h"
#include "safe_output.h"

namespace carom::cli {
namespace {

struct Options {
  bool json = false;
};

const char* to_word(Ability::State state) {
  switch (state) {
    case Ability::State::fine: return "ok";
    case Ability::State::missing: return "missing";
    case Ability::State::broken: return "BROKEN";
  }
  return "";
}

ExitCode run_doctor(const Options& options) {
  std::vector<Ability> all = abilities();
  all.push_back(self_test());
  ExitCode code = ExitCode::fine;
  for (const Ability& ability : all) {
    if (ability.state == Ability::State::broken) code = ExitCode::environment;
    if (options.json) {
      print_json_line({{"name", ability.name},
                       {"state", to_word(ability.state)},
                       {"detail", ability.detail},
                       {"remedy", ability.remedy}});
    } else {
      say("{:<8} {:<12} {}\n", to_word(ability.state), ability.name, ability.detail);
      if (!ability.remedy.empty()) say("{:<21} {}\n", "", ability.remedy);
    }
  }
  return code;
}

}  // namespace

void add_doctor(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("doctor", "What this build and machine can do, and a self-test");
  command->footer(R"(
Example:
  carom doctor            exit 4 if something is broken; what is only missing says how to get it)");
  command->add_flag("--json", options->json, "One JSON object per line");
  command->callback([options, &code] { code = run_doctor(*options); });
}

}  // namespace carom::cli
