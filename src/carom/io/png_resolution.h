// How large a PNG is on paper: gnuplot does not say, and programs then assume a screen.
#pragma once

#include <filesystem>

namespace carom::inline io {

// Adds the chunk pHYs behind the header. Leaves files alone that are no PNG or have one; never throws.
void declare_png_resolution(const std::filesystem::path& path, int dots_per_inch);

}  // namespace carom::inline io
