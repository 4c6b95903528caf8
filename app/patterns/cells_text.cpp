#include "app/patterns/cells_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/patterns/pattern_line_reader.h"

namespace loom::app::patterns {
namespace {

constexpr std::string_view kName = "Name:";

}  // namespace

Pattern parse_cells(std::string_view text, std::string_view name, const ProgressMonitor* watch) {
  PatternLineReader lines(text, name, watch);
  Pattern pattern;
  std::string_view line;
  std::uint64_t y = 0;
  while (lines.next(line)) {
    if (!line.empty() && line.front() == '!') {
      const std::string_view comment = trimmed(line.substr(1));
      if (comment.starts_with(kName)) {
        pattern.name = std::string(trimmed(comment.substr(kName.size())).substr(0, kLongestComment));
      } else if (!comment.empty()) {
        add_comment(pattern, comment);
      }
      continue;
    }
    std::uint64_t x = 0;
    for (const char c : line) {
      if (c == ' ' || c == '\t') continue;
      if (c == 'O' || c == 'o' || c == '*') {
        lines.add(pattern, x, y);
      } else if (c != '.') {
        lines.fail(fmt::format("'{}' is not a cell; allowed: . for a dead and O for a living cell",
                               shown(std::string_view(&c, 1))));
      }
      ++x;
    }
    ++y;
    pattern.width = std::max(pattern.width, static_cast<std::uint32_t>(x));
  }
  pattern.height = static_cast<std::uint32_t>(y);
  return pattern;
}

std::string to_cells(const Pattern& pattern) {
  std::string text;
  if (!pattern.name.empty()) text += fmt::format("!{} {}\n", kName, pattern.name);
  for (const std::string& comment : pattern.comments) text += fmt::format("!{}\n", comment);
  std::size_t next = 0;
  for (std::uint32_t y = 0; y < pattern.height; ++y) {
    std::string row;
    for (; next < pattern.cells.size() && pattern.cells[next].y == y; ++next) {
      if (text.size() + pattern.cells[next].x > kMaxBytes) break;
      row.resize(pattern.cells[next].x, '.');
      row += 'O';
    }
    // A width beyond the last living cell is written as dead cells of the first row.
    if (y == 0 && text.size() + pattern.width <= kMaxBytes) row.resize(pattern.width, '.');
    text += row;
    text += '\n';
    if (text.size() > kMaxBytes || (next < pattern.cells.size() && pattern.cells[next].y == y))
      throw InputError(
          fmt::format("{} × {} cells are too many for plain text; allowed: at most {} bytes, or RLE",
                      pattern.width, pattern.height, kMaxBytes));
  }
  return text;
}

}  // namespace loom::app::patterns
