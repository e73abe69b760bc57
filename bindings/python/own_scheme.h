// A time-stepping scheme written in Python, for research: it is run, audited and judged like any other.
#pragma once

#include <memory>

#include "bindings.h"
#include "carom/schemes/scheme.h"

namespace carom::python {

// An object with a method step(problem) that returns q and v at the end of the step.
std::unique_ptr<Scheme> make_own_scheme(const py::object& scheme);

}  // namespace carom::python
