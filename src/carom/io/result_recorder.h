// Writes a run into one HDF5 file while it goes on; docs/result_files.md describes the layout. The file on disk is
// always one committed state, a usable result: a kill, a full disk or a failure loses nothing before it.
//
// Sampled every `fields_every`: the fields of the state's layout, reactions of joints, energy, signals. Every step:
// solver statistics, active contacts, and what measures and expectations ask for. Every commit holds a checkpoint of
// its own moment: a run that was killed is gone on with from there.
#pragma once

#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "carom/io/channel_recorder.h"
#include "carom/io/channels.h"
#include "carom/io/hdf5_file.h"
#include "carom/io/output_file.h"
#include "carom/io/scenario.h"
#include "carom/io/scene_recorder.h"
#include "carom/io/verdict.h"
#include "carom/system/layout.h"

namespace carom::inline io {

// A run of the same scenario that is gone on with, and the checkpoint of its file to begin at.
struct GoOn {
  std::string checkpoint;
};

class ResultRecorder final : public Recorder {
 public:
  // A recording of the same model may be replaced, anything else only if that is said.
  ResultRecorder(const Scenario& scenario, const std::string& path, Replace replace = Replace::ours);
  // Writes on in a file that holds the beginning of the run; what lies behind the checkpoint is forgotten.
  ResultRecorder(const Scenario& scenario, const std::string& path, const GoOn& go_on);
  ~ResultRecorder() override;

  // How often what was written becomes visible, and safe, however long that takes. Unless said: two seconds, more
  // rarely where it takes long.
  void commit_every(std::chrono::milliseconds interval) {
    commit_interval_ = interval;
    commit_share_ = 0;
  }

  // What measures and expectations ask for in every step; also filled with the steps of a run that is gone on with.
  const ChannelRecorder& measured() const { return measured_; }

  void begin(const System& system, const State& start) override;
  void resume(const System& system, const Checkpoint& checkpoint, const Auditor& auditor) override;
  void step(const System& system, const StepView& view) override;
  void end(const System& system, const State& last) override;

  // After the run: its outcome, in the file's attributes; what was measured and expected of it. Of a run that was gone
  // on with, the seconds add up.
  void conclude(const SimulationSummary& summary, double wall_seconds, const std::vector<Measurement>& measures = {},
                const std::vector<Verdict>& verdicts = {});

 private:
  // A field of the state and where it goes.
  struct StateColumn {
    Field field;
    Hdf5Rows rows;
  };

  ResultRecorder(const Scenario& scenario, Hdf5File file, std::string go_on_from);
  void write_header();
  void write_judgement(const Judgement& judgement);
  void write_outcomes(const std::vector<Measurement>& measures, const std::vector<Verdict>& verdicts);
  void make_columns(const System& system, const State& start);
  void make_state_columns(const System& system);
  void make_joint_columns(const System& system, const State& start);
  void make_gap_columns(const System& system, const State& start);
  void make_sensor_columns(const System& system);
  void make_contact_tables();
  bool sample_due(double t);
  void sample(const Moment& moment);
  void record_stats(const StepView& view);
  void record_joints(const StepView& view);
  void record_contacts(const System& system, const StepView& view);
  void record_measured();
  double gap_at_end(const System& system, const StepView& view, const Constraint& constraint);
  void record_event(double t, std::uint8_t kind, std::uint32_t contact, double impulse);
  std::uint32_t contact_number(const System& system, const Constraint& constraint);
  void keep_checkpoint(const Checkpoint& checkpoint);  // one of those that stay
  void save(const std::string& group, const Checkpoint& checkpoint);
  void restore(const std::string& group);
  void evaluate_signals();
  void commit();

  const Scenario& scenario_;
  Hdf5File file_;
  std::size_t expected_samples_ = 0, expected_steps_ = 0;
  Hdf5Rows time_;
  std::vector<StateColumn> state_;
  std::vector<double> row_;  // of one field
  // Joints, in the order of their ids, and what they did in the last step.
  std::vector<ConstraintId> joints_;
  std::size_t joint_width_ = 0;  // most rows
  std::vector<double> reactions_, powers_;
  Hdf5Rows reaction_rows_, power_rows_;
  bool driven_ = false;
  // Contacts that are listed in every step, and their gaps.
  std::vector<ConstraintId> watched_;
  std::vector<double> gaps_;
  Hdf5Rows gap_rows_;
  SceneRecorder scene_;
  SensorReadings sensors_;
  Hdf5Rows sensor_positions_, sensor_velocities_;
  std::vector<Hdf5Rows> energy_, stats_, signal_rows_;
  ChannelRecorder measured_;
  Hdf5Rows measured_rows_;
  std::vector<double> measured_row_;
  Hdf5Rows contact_table_, contact_cones_, events_;
  Channels signals_;
  // For contacts of a step that are no longer near at its end.
  ContactSet gone_;
  ActiveSet one_;
  Evaluation at_end_;
  std::vector<std::string> contact_names_;
  std::vector<std::string> known_contact_names_;  // of a file that is gone on with
  std::size_t contact_names_written_ = 0;
  std::map<ConstraintId, std::uint32_t> contact_numbers_;
  std::map<ConstraintId, std::uint32_t> loaded_;  // contacts with an impulse in the last step
  std::map<ConstraintId, std::uint32_t> loaded_now_;
  double start_t_ = 0.0;
  long next_sample_ = 1;  // sample number k is due at start_t + k fields_every
  long next_checkpoint_ = 1;
  std::vector<std::string> checkpoints_;
  long checkpoint_count_ = 0;
  // For the sample of the last state, if its step was not sampled.
  bool sampled_ = true;
  StepAudit last_audit_;
  const Auditor* auditor_ = nullptr;
  const SimulationSummary* so_far_ = nullptr;
  std::string go_on_from_;  // a checkpoint of the file, if it is gone on with
  double seconds_before_ = 0.0;
  bool ended_ = false;                                // and not yet concluded
  std::size_t sample_bytes_ = 0, pending_bytes_ = 0;  // of the state columns; not committed yet
  double last_t_ = 0.0, committed_t_ = -std::numeric_limits<double>::infinity();
  std::chrono::steady_clock::time_point next_commit_;
  std::chrono::milliseconds commit_interval_{2000};
  int commit_share_ = 10;  // times as long between commits as one takes
};

// The state of the newest checkpoint of a result file.
State read_checkpoint(const std::string& path);

}  // namespace carom::inline io
