// A scenario file: everything between its text and a model, or a list of problems.
#include <cstdint>
#include <string>

#include "carom/base/errors.h"
#include "carom/io/scenario.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 20000) return 0;
  try {
    const carom::Scenario scenario = carom::parse_scenario("scenarios/fuzz.toml", std::string(data, data + size));
    carom::resolved_json(scenario);
    carom::make_scheme(scenario);
    carom::make_solver(scenario);
  } catch (const carom::InputError&) {
  }
  return 0;
}
