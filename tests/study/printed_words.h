// Is what a row shows as printed really printed? Words in quotes and the digits of printed numbers are looked up in the
// text of the publication, where that is at hand (../shared/publications; it is not part of this repository).
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "carom/study/reproduction.h"

namespace carom {

// Lower case, markup and line breaks gone, all dashes alike.
inline std::string plain_words(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with("\u2013") || rest.starts_with("\u2014") || rest.starts_with("\u2212")) {
      plain += '-';
      i += 2;
    } else if (rest.starts_with("\u2019")) {
      plain += '\'';
      i += 2;
    } else if (std::isspace(static_cast<unsigned char>(text[i]))) {
      if (!plain.empty() && plain.back() != ' ') plain += ' ';
    } else if (std::string_view("$*\\{}~").find(text[i]) == std::string_view::npos) {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    }
  }
  return plain;
}

// The plain words of "acary-2012", if its text is at hand.
inline std::optional<std::string> publication_words(const std::string& publication) {
  for (const char* folder : {"../shared/publications", "../../shared/publications"}) {
    std::ifstream file(std::filesystem::path(folder) / (publication + ".txt"));
    if (file) return plain_words({std::istreambuf_iterator<char>(file), {}});
  }
  return std::nullopt;
}

// "1.324" of "1.324e-4 (caption)".
inline std::string digits_of(const std::string& number) {
  const std::size_t begin = number.find_first_of("0123456789");
  return begin == std::string::npos ? "" : number.substr(begin, number.find_first_not_of("0123456789.", begin) - begin);
}

// Every printed row of a report, by its id.
inline void expect_printed(const std::string& id, const ReproductionReport& report) {
  const auto words = publication_words(id.substr(0, id.find('-', id.find('-') + 1)));
  if (!words) return;
  for (const ReproductionRow& row : report.rows) {
    if (row.source == Source::printed_number) {
      EXPECT_NE(words->find(digits_of(row.expected)), std::string::npos) << id << ": not printed: " << row.expected;
    } else if (row.source == Source::printed_statement) {
      const std::size_t begin = row.expected.find('"') + 1;
      const std::string quoted = plain_words(row.expected.substr(begin, row.expected.rfind('"') - begin));
      EXPECT_NE(words->find(quoted), std::string::npos) << id << ": not printed: " << row.expected;
    }
  }
}

}  // namespace carom
