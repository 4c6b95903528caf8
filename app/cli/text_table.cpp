#include "app/cli/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loom::app {

TextTable::TextTable(std::vector<std::string> header, std::size_t first_right)
    : rows_{std::move(header)}, first_right_(first_right) {}

void TextTable::add(std::vector<std::string> row) {
  row.resize(rows_.front().size());
  rows_.push_back(std::move(row));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  const auto& header = rows_.front();
  const bool has_header =
      std::any_of(header.begin(), header.end(), [](const auto& entry) { return !entry.empty(); });
  std::string text;
  for (auto row = rows_.begin() + (has_header ? 0 : 1); row != rows_.end(); ++row) {
    std::string line;
    for (std::size_t column = 0; column < row->size(); ++column) {
      const std::string& entry = (*row)[column];
      if (column > 0) line += "  ";
      line += column >= first_right_ ? fmt::format("{:>{}}", entry, widths[column])
                                     : fmt::format("{:<{}}", entry, widths[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace loom::app
