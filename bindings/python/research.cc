#include "carom/base/iteration_matrix.h"
#include "carom/schemes/impulse_problem.h"
#include "carom/schemes/step_contacts.h"
#include "own_scheme.h"

namespace carom::python {

namespace {

using namespace py::literals;

Eigen::MatrixXd dense(const StructuredMatrix& matrix) {
  const Eigen::Index n = matrix.size();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(n, n);
  Vector unit = Vector::Zero(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    unit[k] = 1.0;
    matrix.multiply_add(1.0, unit.data(), out.col(k).data());
    unit[k] = 0.0;
  }
  return out;
}

struct OwnMemory final : SchemeMemory {
  Evaluation at, at_impact;
  IterationMatrix M_factor;
  Buffer gamma_minus;
};

// What a scheme in Python sees of one step. Valid during that step only.
struct StepProblem {
  const System& system;
  const InclusionSolver& solver;
  const State& state;
  double dt;
  StepWorkspace& ws;
  OwnMemory& memory;
  StepResult& result;
  bool reported = false;

  py::dict evaluate(double t, const Vector& q, const Vector& v) {
    system.evaluate(t, q, v, Need::inertia | Need::force | Need::gap, ws.all, memory.at);
    std::vector<double> gaps;
    Index row = 0;
    for (Index k = 0; k < ws.all.size(); ++k) {
      const Constraint& c = ws.all.constraint(k);
      gaps.push_back(c.position_rows > 0 ? memory.at.g[row] : 0.0);
      row += c.law->dim();
    }
    return py::dict("M"_a = dense(memory.at.M), "h"_a = Vector(memory.at.h), "gaps"_a = gaps);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const Constraint& c : ws.contacts.constraints) list.push_back(system.constraint_name(c));
    return list;
  }
  std::vector<bool> bilateral() const {
    std::vector<bool> list;
    for (const Constraint& c : ws.contacts.constraints) list.push_back(c.bilateral);
    return list;
  }

  Vector move(const Vector& q, const Vector& dq) const {
    Vector next;
    system.move(q, dq, next);
    return next;
  }

  // M(q) (v_plus - v) = W(q) Lambda with the laws of the active constraints, and the velocities `v_minus` before the
  // impact.
  Vector impact(double t, const Vector& q, const Vector& v, const std::vector<Index>& active,
                const std::optional<Vector>& v_minus) {
    const Vector& before = v_minus ? *v_minus : state.v;
    ws.active.reset(ws.contacts);
    for (const Index k : active) {
      if (k < 0 || k >= ws.contacts.size()) throw py::index_error("there is no contact of that number");
      ws.active.add(k);
    }
    result.next.v = v;
    reported = true;
    if (ws.active.empty()) {
      report_no_contacts(result);
      return v;
    }
    system.evaluate(t, q, before, Need::inertia | Need::jacobian, ws.active, memory.at_impact);
    if (!memory.M_factor.factor(memory.at_impact.M)) {
      result.status = StepStatus::singular;
      return v;
    }
    local_velocity(memory.at_impact, before, memory.gamma_minus);
    apply_impact({ws.active, memory.at_impact, memory.at_impact, memory.M_factor, dt, &memory.gamma_minus, nullptr},
                 solver, state.impulses, ws, result);
    return result.next.v;
  }
};

class OwnScheme final : public SchemeWith<OwnMemory> {
 public:
  explicit OwnScheme(py::object scheme) : scheme_(std::move(scheme)) {}
  ~OwnScheme() override {
    const py::gil_scoped_acquire lock;
    scheme_ = py::object();
  }

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    const py::gil_scoped_acquire lock;
    begin_result(state, dt, result);
    find_contacts(system, state, dt, ws);
    StepProblem problem{system, solver, state, dt, ws, memory_in(ws), result};
    const auto [q, v] =
        scheme_.attr("step")(py::cast(&problem, py::return_value_policy::reference)).cast<std::pair<Vector, Vector>>();
    if (q.size() != system.nq() || v.size() != system.nv())
      throw py::value_error("step must return q and v of the model's sizes");
    if (!problem.reported) report_no_contacts(result);
    result.next.q = q;
    result.next.v = v;
    check_finite(result);
  }

 private:
  py::object scheme_;
};

}  // namespace

std::unique_ptr<Scheme> make_own_scheme(const py::object& scheme) { return std::make_unique<OwnScheme>(scheme); }

void bind_research(py::module_& module) {
  py::class_<StepProblem>(module, "StepProblem", "What a scheme sees of one step. Valid during that step only.")
      .def_property_readonly("t", [](const StepProblem& p) { return p.state.t; })
      .def_property_readonly("q", [](const StepProblem& p) { return p.state.q; })
      .def_property_readonly("v", [](const StepProblem& p) { return p.state.v; })
      .def_readonly("dt", &StepProblem::dt)
      .def_property_readonly("names", &StepProblem::names, "of the joints and contacts that may act")
      .def_property_readonly("bilateral", &StepProblem::bilateral)
      .def("evaluate", &StepProblem::evaluate, "t"_a, "q"_a, "v"_a, "M, h and the gaps of all joints and contacts")
      .def("move", &StepProblem::move, "q"_a, "dq"_a, "q (+) dq: exact for rotations")
      .def("impact", &StepProblem::impact, "t"_a, "q"_a, "v"_a, "active"_a, "v_minus"_a = py::none(),
           "The velocity after the impulses of the active constraints, by their laws");
}

}  // namespace carom::python
