#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "app/patterns/pattern.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom::app::patterns {

/// Reads any of the formats below, detected from the text: it begins with '!', with #Life or #P, or has only
/// rows of dead and living cells; everything else is RLE. A pattern without a rule gets Conway's. Throws
/// InputError with the line, OperationCancelled.
Pattern parse_pattern(std::string_view text, std::string_view name, const ProgressMonitor* watch = nullptr);
/// Reads a pattern file. Throws as parse_pattern(), and InputError if the file cannot be read.
Pattern read_pattern_file(const std::filesystem::path& file, const ProgressMonitor* watch = nullptr);

/// Removes a position such as "-3 4" or "-3,4" from the beginning of `text`; nothing if there is none.
std::optional<Coord<std::int64_t>> take_place(std::string_view& text);

/// Reads a plain text pattern (`.cells`) or Life 1.05 and 1.06 (`.lif`). Lines that begin with ! are comments
/// ("!Name: Glider"), in rows . is a dead cell and O or * a living one, and dead cells at the end may be
/// missing. Life 1.05: #P x y begins a block of rows there, #R is the rule; Life 1.06: each line is a living
/// cell, x y. The position of these is that of the leftmost and topmost living cell. Throws InputError with
/// the line.
Pattern parse_cells(std::string_view text, std::string_view name, const ProgressMonitor* watch = nullptr);

/// Writes a plain text pattern. Throws InputError if it would exceed kMaxBytes.
std::string to_cells(const Pattern& pattern);

/// Reads a pattern in the run-length encoding of Golly and LifeWiki: lines that begin with # (N name, C and c
/// comments, P and R x y position, r rule, CXRLE Pos=x,y), a header "x = 3, y = 3, rule = B3/S23", which may
/// be missing, and runs of b or . (dead), o, A or p to y (alive) and $ (end of a row) up to the !. With a
/// rule of several states, A to X are the states 1 to 24, pA to pX the next 24, up to yO, which is 255. With
/// a rule such as LifeHistory, A, C and E are alive, B, D and F dead. A pattern may exceed the width and
/// height of the header and then enlarges them. A rule's bounded grid (":T20,20") is ignored, since a fractal
/// has its own edge. Throws InputError with the line.
Pattern parse_rle(std::string_view text, std::string_view name, const ProgressMonitor* watch = nullptr);

/// The pattern as RLE: lines of at most 70 characters, the position as #CXRLE.
std::string to_rle(const Pattern& pattern, const ProgressMonitor* watch = nullptr);

/// Splits a text into lines, and reports errors with the line number.
class PatternLineReader {
 public:
  /// Throws InputError if the text is longer than kMaxBytes.
  PatternLineReader(std::string_view text, std::string_view name, const ProgressMonitor* watch)
      : rest_(text), name_(name), poll_(watch) {
    if (text.size() > kMaxBytes)
      throw InputError(
          fmt::format("{}: {} bytes; allowed: a pattern of at most {}", shown(name), text.size(), kMaxBytes));
  }
  /// The next line, without its line break (CR, LF or both); false after the last one. Polls for
  /// cancellation, as add() does.
  bool next(std::string_view& line) {
    poll_();
    if (rest_.empty()) return false;
    ++number_;
    const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
    line = rest_.substr(0, end);
    rest_.remove_prefix(end);
    rest_.remove_prefix(rest_.starts_with("\r\n") ? 2 : std::min<std::size_t>(rest_.size(), 1));
    return true;
  }
  [[noreturn]] void fail(std::string_view what) const {
    throw InputError(fmt::format("{}, line {}: {}", shown(name_), number_, what));
  }
  /// Adds a cell in a state. Throws InputError beyond the limits.
  void add(Pattern& pattern, std::uint64_t x, std::uint64_t y, std::uint8_t state = 1) {
    poll_();
    if (state != 1) pattern.states.resize(pattern.cells.size(), 1);
    if (state != 1 || !pattern.states.empty()) pattern.states.push_back(state);
    check_in_bounds(x, y);
    check_count(pattern.cells.size());
    pattern.cells.push_back({static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)});
    pattern.width = std::max(pattern.width, static_cast<std::uint32_t>(x + 1));
    pattern.height = std::max(pattern.height, static_cast<std::uint32_t>(y + 1));
  }
  /// Throws if a pattern with this number of cells takes no more.
  void check_count(std::size_t cells) const {
    if (cells >= kMostCells)
      fail(fmt::format("more than {0} living cells; allowed: at most {0}", kMostCells));
  }
  /// Throws for a position beyond the limits.
  void check_in_bounds(std::uint64_t x, std::uint64_t y) const {
    if (x >= kMostSide || y >= kMostSide)
      fail(fmt::format("the pattern is wider or higher than {0} cells; allowed: at most {0}", kMostSide));
  }

 private:
  std::string_view rest_;
  std::string_view name_;
  CancelPoll poll_;
  int number_ = 0;
};

/// The text without blanks at its ends.
inline std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Limits of stored names and comments: number of lines, and length to which each is cut.
inline constexpr std::size_t kMaxComments = 200;
inline constexpr std::size_t kLongestComment = 500;
inline void add_comment(Pattern& pattern, std::string_view text) {
  if (pattern.comments.size() < kMaxComments) pattern.comments.emplace_back(text.substr(0, kLongestComment));
}

}  // namespace loom::app::patterns
