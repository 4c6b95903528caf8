#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace loom::test {

/// Returns the number of lines of a CSV text (RFC 4180) and expects the same number of fields in each.
inline std::size_t csv_rows(const std::string& text) {
  std::size_t rows = 0;
  std::size_t commas_of_header = 0;
  for (std::size_t begin = 0; begin < text.size(); ++rows) {
    const std::size_t end = text.find("\r\n", begin);
    if (end == std::string::npos) {
      ADD_FAILURE() << "row " << rows << "has no line end";
      break;
    }
    std::size_t commas = 0;
    bool quoted = false;
    for (const char c : text.substr(begin, end - begin)) {
      if (c == '"') quoted = !quoted;
      if (c == ',' && !quoted) ++commas;
    }
    if (rows == 0) commas_of_header = commas;
    EXPECT_EQ(commas, commas_of_header) << "row " << rows;
    begin = end + 2;
  }
  return rows;
}

}  // namespace loom::test
