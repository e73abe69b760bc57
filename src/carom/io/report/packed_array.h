// Numbers as text: the bytes of one significance stand together, deflated, in base64. The viewer unpacks it
// (viewer/src/data.ts).
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace carom::inline io {

std::string base64(const std::string& bytes);
std::string deflated(const std::string& bytes);

// As 4-byte numbers. `bits` of the 23 of the mantissa are kept, the others zero: what is looked at and not computed
// with deflates better so. 23: all.
nlohmann::ordered_json packed_floats(const std::vector<double>& values, const std::vector<std::size_t>& shape,
                                     int bits = 23);
// All digits: times.
nlohmann::ordered_json packed_doubles(const std::vector<double>& values);

}  // namespace carom::inline io
