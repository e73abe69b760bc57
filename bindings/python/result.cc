// carom.Result: arrays of a run. Columns are strided views into one block each: nothing is copied.
#include "bindings.h"
#include "carom/io/report/page.h"
#include "kept_run.h"

namespace carom::python {

namespace {

using namespace py::literals;

py::array column(const std::shared_ptr<KeptRun>& run, const MemoryRecorder::Block& block, std::size_t k) {
  const std::size_t rows = run->memory->t().size(), stride = block.width() * sizeof(double);
  py::array view(py::dtype::of<double>(), std::vector<std::size_t>{rows}, std::vector<std::size_t>{stride},
                 block.values.data() + k, py::cast(run));
  view.attr("flags").attr("writeable") = false;
  return view;
}

// "joint.", "body." and the like may be written or left out, as in formulas.
std::string plain(const std::string& name) {
  for (const char* prefix : {"body.", "joint.", "contact.", "coordinate.", "velocity."})
    if (name.starts_with(prefix)) return name.substr(std::string_view(prefix).size());
  return name;
}

py::object find(const std::shared_ptr<KeptRun>& run, const std::string& name) {
  for (const std::string& word : {name, plain(name)})
    for (const MemoryRecorder::Block& block : run->memory->blocks())
      for (std::size_t k = 0; k < block.width(); ++k)
        if (block.names[k] == word) return column(run, block, k);
  return py::none();
}

py::array contacts(const std::shared_ptr<KeptRun>& run) {
  const auto& rows = run->memory->contacts();
  py::array view(py::dtype::of<ContactRow>(), std::vector<std::size_t>{rows.size()},
                 std::vector<std::size_t>{sizeof(ContactRow)}, rows.data(), py::cast(run));
  view.attr("flags").attr("writeable") = false;
  return view;
}

py::dict summary(const KeptRun& run) {
  const SimulationSummary& s = run.report.summary;
  const Audit& a = s.audit;
  py::list findings;
  for (const Finding& f : s.judgement.findings)
    findings.append(py::dict("flaw"_a = std::string(to_word(f.flaw)), "name"_a = f.name, "t"_a = f.t,
                             "value"_a = f.value, "share"_a = f.share, "limit"_a = f.limit, "text"_a = to_text(f)));
  py::dict measures;
  for (const Measurement& m : run.report.measures)
    measures[py::str(m.name)] = m.value ? py::object(py::float_(*m.value)) : py::none();
  py::dict expectations;
  for (const Verdict& v : run.report.verdicts)
    expectations[py::str(v.name)] =
        v.kind == Verdict::Kind::not_judged ? py::object(py::none()) : py::bool_(v.kind == Verdict::Kind::ok);
  const char* outcome = s.outcome == Outcome::finished ? "finished"
                        : s.outcome == Outcome::failed ? "failed"
                                                       : "interrupted";
  return py::dict(
      "outcome"_a = outcome, "advice"_a = s.advice, "t"_a = s.last.t, "steps"_a = s.steps,
      "failed_steps"_a = s.failed_steps, "halvings"_a = s.halvings, "newton_iterations"_a = s.newton_iterations,
      "solver_iterations"_a = s.solver_iterations, "step_seconds"_a = s.step_seconds,
      "wall_seconds"_a = run.report.wall_seconds, "sound"_a = s.judgement.sound(), "findings"_a = findings,
      "measures"_a = measures, "expectations"_a = expectations, "start_energy"_a = a.start_energy,
      "end_energy"_a = a.end_energy, "other_work"_a = a.other_work, "impact_loss"_a = a.impact_loss,
      "friction_loss"_a = a.friction_loss, "joint_loss"_a = a.joint_loss, "scheme_residual"_a = a.scheme_residual,
      "deepest_gap"_a = a.deepest_gap, "deepest_name"_a = a.deepest_name, "normal_impulse"_a = a.normal_impulse,
      "largest_normal_impulse"_a = a.largest_normal_impulse, "file"_a = run.report.file);
}

}  // namespace

void bind_result(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(ContactRow, step, t, contact, gap, vn_minus, vn_plus, vt1_minus, vt2_minus, vt1_plus, vt2_plus,
                       impulse_n, impulse_t1, impulse_t2, status);
  py::class_<KeptRun, std::shared_ptr<KeptRun>>(module, "KeptRun")
      .def("column", &find, "name"_a)
      .def("times",
           [](const std::shared_ptr<KeptRun>& run) {
             const auto& t = run->memory->t();
             py::array view(py::dtype::of<double>(), std::vector<std::size_t>{t.size()},
                            std::vector<std::size_t>{sizeof(double)}, t.data(), py::cast(run));
             view.attr("flags").attr("writeable") = false;
             return view;
           })
      .def("names",
           [](const KeptRun& run) {
             std::vector<std::string> names;
             for (const MemoryRecorder::Block& block : run.memory->blocks())
               names.insert(names.end(), block.names.begin(), block.names.end());
             return names;
           })
      .def("contacts", &contacts)
      .def("contact_names", [](const KeptRun& run) { return run.memory->contact_names(); })
      .def("summary", &summary);
  module.def(
      "report_page", [](const std::vector<std::string>& files) { return to_html(report_page(files)); }, "files"_a,
      "The page of carom report, as text");
}

}  // namespace carom::python
