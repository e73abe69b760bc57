// Keeps what formulas about a whole run ask for, step by step, and evaluates them at its end.
#pragma once

#include <optional>
#include <vector>

#include "carom/io/channels.h"
#include "carom/io/scenario.h"

namespace carom::inline io {

// A number of a whole run, as [measure] names it.
struct Measurement {
  std::string name;
  std::optional<double> value;
  std::string trouble;  // why there is no value
};

// Why a formula may have no value though it is well-formed.
inline constexpr const char* not_a_number = "not a number: does it ask for a time after the end?";

// The parameters, signals and joints of a scenario.
FormulaContext formula_context(const Scenario& scenario);

class ChannelRecorder final : public Recorder {
 public:
  explicit ChannelRecorder(const Scenario& scenario);

  void need(const std::vector<NamedExpression>& expressions);

  void begin(const System& system, const State& start) override;
  void step(const System& system, const StepView& view) override;

  // Of a run that is gone on with.
  void take(const std::vector<double>& rows, const std::vector<double>& memory) {
    channels_.take(rows);
    channels_.take_memory(memory);
  }

  const Channels& channels() const { return channels_; }
  std::vector<Measurement> measure(const std::vector<NamedExpression>& expressions) const;

 private:
  Channels channels_;
};

}  // namespace carom::inline io
