#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/coord.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/engine/fractal_engine.h"
#include "compute/engine/progress_monitor.h"
#include "compute/geometry/nbb_fractal.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"
#include "compute/workload/game_of_life.h"

namespace loom::app::patterns {

/// Limits of reading, selecting and placing: number of cells that are not dead, extent, file size.
inline constexpr std::uint64_t kMostCells = std::uint64_t{1} << 21;
inline constexpr std::uint32_t kMostSide = std::uint32_t{1} << 30;
inline constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;

/// The cells in a rectangle that are not dead; x to the right, y down.
struct Pattern {
  std::uint32_t width = 0;                ///< at most kMostSide
  std::uint32_t height = 0;               ///< at most kMostSide
  std::vector<Coord32> cells = {};        ///< row by row, each once; at most kMostCells
  std::vector<std::uint8_t> states = {};  ///< of `cells`; empty if all are alive
  std::string name = {};
  std::vector<std::string> comments = {};  ///< one entry per line
  std::optional<LifeRule> rule = {};
  std::optional<Coord<std::int64_t>> at = {};  ///< position of its upper left corner, if the file gives one
  std::string note = {};                       ///< what its reader left out, a sentence; else empty
  std::uint8_t state(std::size_t i) const { return states.empty() ? std::uint8_t{1} : states[i]; }
  friend bool operator==(const Pattern&, const Pattern&) = default;
};

// Work on many cells takes long; `watch` cancels it with OperationCancelled.

/// Sorts the cells row by row, each once; of several states of a cell, the last counts.
void sort_cells(Pattern& pattern, const ProgressMonitor* watch = nullptr);

/// Rotated by 90°; clockwise as seen on the screen.
Pattern rotate_clockwise(const Pattern& pattern, const ProgressMonitor* watch = nullptr);
Pattern rotate_anticlockwise(const Pattern& pattern, const ProgressMonitor* watch = nullptr);
/// Mirrored: left and right exchanged, or top and bottom.
Pattern flip_left_right(const Pattern& pattern, const ProgressMonitor* watch = nullptr);
Pattern flip_top_bottom(const Pattern& pattern, const ProgressMonitor* watch = nullptr);

/// Where the living cells of a pattern fall, as counts.
struct PlacementCounts {
  std::uint64_t cells = 0;    ///< on cells of the fractal
  std::uint64_t holes = 0;    ///< on holes, will be dropped
  std::uint64_t outside = 0;  ///< outside the field, will be dropped
  friend bool operator==(const PlacementCounts&, const PlacementCounts&) = default;
};

/// The cells of a fractal at a level, for placing patterns.
class FractalField {
 public:
  /// `level` is that of FractalConfig.
  FractalField(const NbbFractal& fractal, int level);

  std::uint64_t width() const { return width_; }
  std::uint64_t height() const { return height_; }
  bool inside(std::int64_t x, std::int64_t y) const {
    return x >= 0 && y >= 0 && static_cast<std::uint64_t>(x) < width_ &&
           static_cast<std::uint64_t>(y) < height_;
  }
  /// Whether a point inside is a cell.
  bool is_cell(Coord64 point) const { return is_member(transform_, level_, point); }

  /// Counts where cells [first, end) of a pattern fall if its upper left corner is at `at`; adds to
  /// `placement`.
  void count(const Pattern& pattern, Coord<std::int64_t> at, std::size_t first, std::size_t end,
             PlacementCounts& placement) const;
  /// The edits that set the pattern's cells, except those on holes and outside. Throws
  /// OperationCancelled.
  std::vector<CellEdit> placed_cells(const Pattern& pattern, Coord<std::int64_t> at,
                                     const ProgressMonitor* watch = nullptr) const;

  /// A rectangle of points in the field: corner and size.
  struct Rect {
    Coord64 low;
    Coord64 size;
    friend bool operator==(const Rect&, const Rect&) = default;
  };
  /// The cells in a rectangle, replica by replica. Throws InputError before the work if there are more than
  /// kMostCells, and OperationCancelled.
  std::vector<Coord64> cells_in(const Rect& rect, const ProgressMonitor* watch = nullptr) const;
  /// The number of cells in a rectangle, or `most` + 1 if there are more than `most`.
  std::uint64_t count_in(const Rect& rect, std::uint64_t most) const;

 private:
  template <typename Whole, typename Single>
  bool descend(const Rect& rect, int level, Coord64 corner, loom::Symmetry symmetry, const Whole& whole,
               const Single& single) const;

  NbbTransform<std::uint64_t> transform_;
  NbbFractal fractal_;  ///< owns the levels that the transform reads
  int level_;
  std::uint64_t width_;
  std::uint64_t height_;
  std::vector<Coord64> sides_;          ///< size of a replica, per level
  std::vector<std::uint64_t> content_;  ///< cells of a replica, per level
};

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

/// The field of a pattern; in its file the comment line "fractal: NAME, level N".
struct TargetField {
  std::string fractal;
  int level = 0;
};
std::optional<TargetField> target_field_of(const Pattern& pattern);

/// The outcome of a pattern on that field under its rule; in its file the comment line "does: still", "does:
/// period 6", "does: settles after 287, period 2" or "does: dies after 57".
struct PatternOutcome {
  std::uint64_t settles = 0;  ///< first generation that recurs, or that has no living cell
  std::uint64_t period = 1;   ///< period in generations
  bool dies = false;
  std::string words() const;  ///< "has period 2 after 287 generations"
};
std::optional<PatternOutcome> parse_outcome(std::string_view text);

/// A bundled pattern. tests/patterns checks its outcome with the reference.
struct BundledPattern {
  std::string name;  ///< "gasket-seven", as on the command line
  Pattern pattern;   ///< with rule and position
  TargetField target = {};
  PatternOutcome outcome = {};
};
/// Sorted by fractal, in the order of the catalogue. Found by scripts/pattern_search.cpp.
const std::vector<BundledPattern>& bundled_patterns();
/// Throws InputError that lists the names.
const BundledPattern& find_bundled_pattern(std::string_view name);
/// The file of that name if it exists or the name has the ending of a pattern, otherwise a bundled pattern.
/// Throws InputError.
Pattern find_pattern(const std::string& name_or_file);

/// A rule under which a random start keeps changing on a fractal of the catalogue: after 300 generations at
/// least a twentieth of the cells is alive and a tenth changes (checked by tests/patterns). Empty for other
/// fractals.
std::optional<LifeRule> long_lived_rule(const NbbFractal& fractal);

}  // namespace loom::app::patterns
