// The Python module in parts: each file binds one theme. What is convenience only (units, plots, tables) is written in
// Python, in carom/.
#pragma once

#include <pybind11/eigen.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>

namespace carom::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_model(py::module_& module);
void bind_scenario(py::module_& module);
void bind_result(py::module_& module);
void bind_stepper(py::module_& module);
void bind_studies(py::module_& module);
void bind_research(py::module_& module);

// Ctrl-C while C++ works without Python's lock: looks at Python's signals every now and then. A run that sees the flag
// ends in order.
class SignalWatch {
 public:
  const std::atomic<bool>& flag() const { return flag_; }
  std::atomic<bool>& flag() { return flag_; }
  // Cheap; call it often, without the lock.
  void look() {
    if (++calls_ % 64 != 0) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(50);
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) {
      if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw py::error_already_set();
      PyErr_Clear();
      flag_ = true;
    }
  }

 private:
  std::atomic<bool> flag_ = false;
  unsigned calls_ = 0;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
};

}  // namespace carom::python
