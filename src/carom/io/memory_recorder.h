// A run kept in memory, for programs and notebooks: arrays of numbers, one row a sample, and every active contact of
// every step.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "carom/io/channels.h"
#include "carom/io/scenario.h"

namespace carom::inline io {

// One active contact in one step, packed as the table of result files is.
#pragma pack(push, 1)
struct ContactRow {
  std::int64_t step;
  double t;
  std::uint32_t contact;  // number in contact_names()
  double gap;             // at the end of the step
  double vn_minus, vn_plus, vt1_minus, vt2_minus, vt1_plus, vt2_plus;
  double impulse_n, impulse_t1, impulse_t2;
  std::uint8_t status;  // 0 open, 1 stick, 2 slip, 3 spin
};
#pragma pack(pop)

class MemoryRecorder final : public Recorder {
 public:
  // A block of columns with names, row after row.
  struct Block {
    std::vector<std::string> names;
    std::vector<double> values;
    std::size_t width() const { return names.size(); }
  };

  // every: seconds between samples, 0: every step. Formulas are kept besides. ExpressionError if one means nothing.
  explicit MemoryRecorder(const Scenario& scenario, double every = 0.0,
                          const std::vector<NamedExpression>& formulas = {});

  void begin(const System& system, const State& start) override;
  void step(const System& system, const StepView& view) override;
  void end(const System& system, const State& last) override;

  const std::vector<double>& t() const { return t_; }
  // coordinates, velocities, gaps (of models that always list the same contacts), energy, stats, reactions of joints,
  // formulas.
  const std::vector<Block>& blocks() const { return blocks_; }
  const std::vector<ContactRow>& contacts() const { return contacts_; }
  const std::vector<std::string>& contact_names() const { return contact_names_; }

 private:
  bool due(double t);
  void sample(const Moment& moment);
  void record_contacts(const System& system, const StepView& view);

  const Scenario& scenario_;
  double every_;
  std::vector<NamedExpression> formulas_;
  Channels channels_;
  std::vector<double> t_;
  std::vector<Block> blocks_;
  Block *q_ = nullptr, *v_ = nullptr, *gaps_ = nullptr, *energy_ = nullptr, *stats_ = nullptr, *reactions_ = nullptr,
        *signals_ = nullptr;
  std::vector<std::pair<ConstraintId, std::size_t>> joints_;  // and the first column of each
  std::vector<double> reaction_row_;
  std::vector<ContactRow> contacts_;
  std::vector<std::string> contact_names_;
  std::map<ConstraintId, std::uint32_t> contact_numbers_;
  double start_ = 0.0;
  long next_ = 1;
  bool sampled_ = true;
  StepAudit last_audit_;
  const Auditor* auditor_ = nullptr;
};

}  // namespace carom::inline io
