// An FMU (FMI 2.0, co-simulation) of a scenario: a zip archive that other programs load.
//
//   modelDescription.xml          parameters, inputs and outputs with their units
//   binaries/linux64/NAME.so      the functions of the standard: a small library that starts and asks
//   resources/carom               this program, which runs the model in a process of its own (fmu_instance.h)
//   resources/fmu.json            which model, with which values, and what is shown
//   resources/model.toml, ...     the model and the files it names
//
// So nothing of the host's memory, threads and libraries meets ours, and the numbers are those of this build.
#pragma once

#include <string>
#include <vector>

#include "carom/io/fmi/fmu_variables.h"

namespace carom::inline io {

// How an instance finds its model: resources/fmu.json.
struct FmuDescription {
  std::string guid;
  std::string model;                     // file, in resources
  std::vector<Override> overrides;       // --set of the export
  std::vector<NamedExpression> outputs;  // all of them
};
FmuDescription read_fmu_description(const std::string& resources);

struct FmuOptions {
  std::string out;                            // NAME.fmu
  std::string program;                        // to be put in
  std::vector<NamedExpression> outputs = {};  // beside the signals
};

// The scenario must come from a file. Returns the number of bytes written.
std::size_t write_fmu(const Scenario& scenario, const FmuOptions& options);

// modelDescription.xml.
std::string model_description(const Scenario& scenario, const std::string& identifier, const std::string& guid,
                              const std::vector<FmuVariable>& variables);

}  // namespace carom::inline io
