// The module _carom. As a shared library it is imported by any Python (CAROM_PYTHON_MODULE); built into the program
// carom-python it needs no position-independent build of the whole library.
#include "bindings.h"
#include "carom/base/errors.h"
#include "carom/base/version.h"

#ifdef CAROM_EMBEDDED
#include <pybind11/embed.h>
#endif

namespace carom::python {

namespace {

std::string text_of(const InputError& error) {
  std::string text;
  for (const InputProblem& problem : error.problems()) text += (text.empty() ? "" : "\n\n") + describe(problem);
  return text.empty() ? error.what() : text;
}

}  // namespace

void bind_errors(py::module_& module) {
  static py::handle input_error = PyErr_NewExceptionWithDoc(
      "carom.InputError",
      "Bad input. `problems` lists everything that is wrong: code, message, key, hint, file, line, column.",
      PyExc_ValueError, nullptr);
  module.add_object("InputError", input_error);
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const InputError& error) {
      py::list problems;
      for (const InputProblem& p : error.problems()) {
        using namespace py::literals;
        problems.append(py::dict("code"_a = p.code, "message"_a = p.message, "key"_a = p.key, "hint"_a = p.hint,
                                 "file"_a = p.file, "line"_a = p.line, "column"_a = p.column));
      }
      py::object instance = input_error(text_of(error));
      instance.attr("problems") = problems;
      PyErr_SetObject(input_error.ptr(), instance.ptr());
    } catch (const std::system_error& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    }
  });
}

namespace {

void bind_all(py::module_& module) {
  module.doc() = "Nonsmooth mechanics: contact, impact, friction";
  const BuildInfo& build = build_info();
  module.attr("__version__") = std::string(build.version);
  module.attr("commit") = std::string(build.commit);
  bind_errors(module);
  bind_model(module);
  bind_result(module);
  bind_scenario(module);
  bind_stepper(module);
  bind_studies(module);
  bind_research(module);
}

}  // namespace
}  // namespace carom::python

#ifdef CAROM_EMBEDDED
PYBIND11_EMBEDDED_MODULE(_carom, module) { carom::python::bind_all(module); }
#else
PYBIND11_MODULE(_carom, module) { carom::python::bind_all(module); }
#endif
