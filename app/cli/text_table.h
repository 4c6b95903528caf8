#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace loom::app {

/// A plain text table with columns as wide as their longest entry and two spaces between them.
class TextTable {
 public:
  /// The header; where all its entries are empty, none is printed. Columns from `first_right` on (counted
  /// from 0) are aligned to the right, for numbers.
  explicit TextTable(std::vector<std::string> header, std::size_t first_right = static_cast<std::size_t>(-1));
  /// One entry a column of the header.
  void add(std::vector<std::string> row);
  bool empty() const { return rows_.size() == 1; }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;  ///< the header first
  std::size_t first_right_;
};

}  // namespace loom::app
