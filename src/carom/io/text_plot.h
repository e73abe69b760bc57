// Curves as lines of text: every letter has two by four dots (Unicode's Braille patterns).
#pragma once

#include <string>
#include <vector>

#include "carom/io/picture.h"

namespace carom::inline io {

// `columns` letters wide and `rows` high, axes and key around it.
std::string text_plot(const Panel& panel, int columns = 72, int rows = 16);

}  // namespace carom::inline io
