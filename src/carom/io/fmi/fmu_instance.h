// One instance of an FMU, with the phases of the standard:
//
//   instantiated   parameters and inputs are set; then the model is made with them
//   initializing   the same; outputs are those of the start
//   stepping       inputs are set, do_step goes from one communication point to the next (SteppedRun::advance)
//   terminated     values can still be read
//
// Outputs are those after the last impact up to the communication point; impulses are summed up since the last one.
// What is out of order is refused and changes nothing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "carom/io/fmi/fmu_file.h"
#include "carom/io/stepped_run.h"

namespace carom::inline io {

// A call that the instance does not follow. `partly`: the step was made in part, the numbers are those of t().
class FmuRefusal : public std::runtime_error {
 public:
  explicit FmuRefusal(const std::string& message, bool partly = false) : std::runtime_error(message), partly_(partly) {}
  bool partly() const { return partly_; }

 private:
  bool partly_;
};

class FmuInstance {
 public:
  explicit FmuInstance(const std::string& resources);  // InputError if the model cannot be read

  const std::string& guid() const { return description_.guid; }
  const std::vector<FmuVariable>& variables() const { return variables_; }
  const std::vector<double>& values() const { return values_; }  // by value reference
  double t() const { return run_->t(); }
  bool stepping() const { return phase_ == Phase::stepping; }

  // All of these throw FmuRefusal, or InputError if the values make no model.
  void set(std::span<const std::uint32_t> references, std::span<const double> values);
  void set_up(double start, double stop);  // stop may be infinite
  void enter_initialization();
  void exit_initialization();
  void do_step(double t, double length);
  void terminate();
  void reset();

  std::uint32_t save(std::uint32_t replaced = 0);  // the number of the state, never 0
  void restore(std::uint32_t state);
  void forget(std::uint32_t state);
  std::string serialize(std::uint32_t state) const;
  std::uint32_t deserialize(const std::string& bytes);

 private:
  enum class Phase { instantiated, initializing, stepping, terminated };
  struct Saved {
    SteppedCheckpoint run;
    std::vector<double> values;
    Phase phase = Phase::stepping;
  };

  void require(bool possible, const char* call) const;
  void make();     // the model with the values set so far
  void refresh();  // outputs
  const Saved& saved(std::uint32_t state) const;

  std::string resources_;
  FmuDescription description_;
  std::vector<FmuVariable> variables_;
  std::vector<double> values_;
  std::map<std::uint32_t, double> given_;  // parameters and inputs that were set, by reference
  Phase phase_ = Phase::instantiated;
  bool changed_ = false;  // parameters, since the model was made
  double stop_;
  std::unique_ptr<SteppedRun> run_;
  std::map<std::uint32_t, Saved> saved_;
  std::uint32_t last_state_ = 0;
};

}  // namespace carom::inline io
