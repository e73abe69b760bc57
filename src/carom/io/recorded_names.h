// The names of formulas (channels.h), read from a result file instead of a run: one number for each sample.
//
//   t    ball.z  ball.vz  crank.angle  energy.total  turns (a signal)  guide.c1.gap  stats.solver_iterations
//   guide.c1.impulse_normal, .impulse_tangential       of all steps since the sample before
//   bearing.force, .force_x ...                        of joints
//   tip.x, tip.vx                                      of sensors
//
// A leading body. joint. contact. signal. or sensor. may be written or left out. Gaps and impulses of several contacts
// (guide.gap, contact.impulse_normal) are put together by min, max, sum or mean.
#pragma once

#include <map>

#include "carom/io/expression.h"
#include "carom/io/recording.h"

namespace carom::inline io {

class RecordedNames final : public ExpressionNames {
 public:
  explicit RecordedNames(const Recording& recording);

  std::optional<ExpressionValue> find(const std::string& name, Reduction reduction) const override;
  std::vector<std::string> known() const override;
  std::string unit(const std::string& name) const;  // empty: unknown, or no plain name

  const std::vector<double>& times() const { return times_; }

 private:
  struct Column {
    std::string path;  // of the dataset
    std::size_t first = 0, stride = 1;
    std::string unit;
  };
  void add_pool(const std::string& pool, const std::string& field, const std::vector<std::string>& suffixes);
  void add_singles(const std::string& group, const std::string& prefix);
  const std::vector<double>& dataset(const std::string& path) const;
  std::vector<double> series(const Column& column) const;
  std::optional<ExpressionValue> contact_value(const std::string& name, Reduction reduction) const;
  std::vector<double> impulses(const std::string& pattern, bool normal) const;
  std::vector<double> gaps(const std::string& pattern, Reduction reduction) const;

  const Recording& recording_;
  std::vector<double> times_;
  std::map<std::string, Column> columns_;
  std::vector<std::string> contacts_, gap_names_;
  mutable std::map<std::string, std::vector<double>> kept_;
};

}  // namespace carom::inline io
