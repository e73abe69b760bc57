// What a model file says shortly, written out in its tree before it is read:
//
//   include = ["materials.toml"]       tables of other files are put in; what the model says itself comes first
//   [instance.gear1] model, set, at    another model's parameters, bodies, joints, ... under the names gear1_NAME
//   [body.link] count = 12             link0 ... link11; formulas may use i, and names {i}, {i+1}:
//                                      between = ["link{i}.B", "link{i+1}.A"]
//
// Files lie in the folder of the model. Throws InputError.
#pragma once

#include "carom/io/document.h"

namespace carom::inline io {

void expand(Document& document);

}  // namespace carom::inline io
