// Numbers in attributes of XML.
#pragma once

#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>
#include <vector>

#include "carom/base/errors.h"
#include "carom/base/types.h"

namespace carom::inline io::import {

inline std::vector<double> numbers(const pugi::xml_node& node, const char* attribute) {
  std::vector<double> list;
  std::istringstream words(node.attribute(attribute).value());
  std::string word;
  while (words >> word) {
    char* end = nullptr;
    list.push_back(std::strtod(word.c_str(), &end));
    if (end == word.c_str() || *end != '\0')
      throw InputError({"E0155",
                        fmt::format("<{} {}=\"{}\">: '{}' is no number", node.name(), attribute,
                                    node.attribute(attribute).value(), word),
                        "",
                        "",
                        "",
                        0,
                        0,
                        {}});
  }
  return list;
}
inline double number(const pugi::xml_node& node, const char* attribute, double otherwise) {
  const std::vector<double> list = numbers(node, attribute);
  return list.empty() ? otherwise : list[0];
}
inline Vector3 vector(const pugi::xml_node& node, const char* attribute, const Vector3& otherwise) {
  const std::vector<double> list = numbers(node, attribute);
  if (list.empty()) return otherwise;
  if (list.size() < 3)
    throw InputError(
        {"E0155", fmt::format("<{}>: {} wants three numbers", node.name(), attribute), "", "", "", 0, 0, {}});
  return {list[0], list[1], list[2]};
}

}  // namespace carom::inline io::import
