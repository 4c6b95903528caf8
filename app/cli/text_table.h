#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace loom::app {

/// A plain text table with columns as wide as their longest entry and two spaces between them.
class TextTable {
 public:
  /// The header is not printed if all its entries are empty. Columns from `first_right` on (counted from 0)
  /// are right-aligned, for numbers.
  explicit TextTable(std::vector<std::string> header, std::size_t first_right = static_cast<std::size_t>(-1));
  /// Adds a row with one entry per column.
  void add(std::vector<std::string> row);
  bool empty() const { return rows_.size() == 1; }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;  ///< header first
  std::size_t first_right_;
};

}  // namespace loom::app
