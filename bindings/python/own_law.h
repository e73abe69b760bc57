// Contact laws written in Python, for research: they take the place of the laws of some contacts of a model. Every
// scheme and every solver that knows a law through its projection alone can run them; each call takes Python's lock.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "carom/model/model.h"

namespace carom::python {

// By the name of the contacts: "ball-floor", one of the two ("floor"), or what their names begin with ("guide").
using OwnLaws = std::vector<std::pair<std::string, py::object>>;

// The model with these laws; as it is if there are none.
Model with_own_laws(Model model, const OwnLaws& laws);

}  // namespace carom::python
