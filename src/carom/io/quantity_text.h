// Numbers for people: "19.0 um", "200.0 ms", "41 200".
#pragma once

#include <string>

namespace carom::inline io {

// With an SI prefix and about `digits` significant digits; zero is "0 m".
std::string with_prefix(double value, const std::string& unit, int digits = 4);

// 1234567 -> "1 234 567".
std::string grouped(double value);

// Bytes: "3.1 MB".
std::string bytes_text(double bytes);

}  // namespace carom::inline io
