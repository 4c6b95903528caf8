#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "app/plot/figure.h"

namespace loom::app::plot {

/// What the rows of a line have in common.
struct LineKey {
  std::vector<std::size_t> rank = {};  ///< what lines are sorted by first
  std::string name;                    ///< of the map or the method
  std::vector<std::string> parts;      ///< one per factor; empty if the map does not have it
  std::uint64_t size = 0;              ///< tile size, 0: every one, or the best of them; n or level

  /// The non-empty parts: "table, lookup".
  std::string variant() const;
  std::string method() const;
  auto order() const { return std::tie(rank, name, parts, size); }
  friend bool operator==(const LineKey& a, const LineKey& b) { return a.order() == b.order(); }
  friend bool operator<(const LineKey& a, const LineKey& b) { return a.order() < b.order(); }
};

/// A value and its row (of several repeats, the one nearest to their median).
struct LineValue {
  double value = 0;
  const bench::Row* row = nullptr;
};

struct Line {
  LineKey key;
  std::map<int, LineValue> values = {};  ///< by the value on the x axis; each above 0
};

LineValue median_of(const Rows& repeats, Quantity quantity);

/// The lines of rows that have values, sorted by key. Repeats are represented by their median.
template <typename KeyOf, typename XOf>
std::vector<Line> collect(const Rows& rows, Quantity quantity, KeyOf key_of, XOf x_of) {
  std::map<LineKey, std::map<int, Rows>> groups;
  for (const bench::Row* row : rows) groups[key_of(*row)][x_of(*row)].push_back(row);
  std::vector<Line> lines;
  for (const auto& [key, by_x] : groups) {
    Line& line = lines.emplace_back(Line{key});
    for (const auto& [x, repeats] : by_x) {
      if (const LineValue median = median_of(repeats, quantity); median.value > 0) line.values[x] = median;
    }
    if (line.values.empty()) lines.pop_back();
  }
  return lines;
}

/// The lines whose keys `key_of` makes equal are joined to one; `join` combines two values at an x.
template <typename KeyOf, typename Join>
std::vector<Line> join_lines(const std::vector<Line>& lines, KeyOf key_of, Join join) {
  std::map<LineKey, std::map<int, LineValue>> joined;
  for (const Line& line : lines) {
    auto& values = joined[key_of(line.key)];
    for (const auto& [x, value] : line.values) {
      const auto [at, is_new] = values.emplace(x, value);
      if (!is_new) at->second = join(at->second, value);
    }
  }
  std::vector<Line> all;
  for (const auto& [key, values] : joined) all.push_back({key, values});
  return all;
}

/// More lines in one panel are not readable.
inline constexpr std::size_t kLinesInOnePanel = 30;

/// How a line is drawn: the names of its panel, colour and dash. No colour is grey, no dash a solid line.
struct Look {
  std::string panel = {};
  std::string colour = {};
  std::string dash = {};
};

/// Adds lines to a figure. Names get their looks in the order in which they are seen.
class Drawing {
 public:
  /// `results` contain the rows of the lines.
  Drawing(Figure& figure, const bench::Results& results) : figure_(figure), results_(results) {}

  std::vector<std::string> colours = {};
  std::vector<std::string> dashes = {};
  std::vector<std::size_t> styles = {};  ///< of colours; those that are missing are in the usual order
  bool dash_by_colour = false;           ///< colours that repeat have other dashes
  std::vector<Series> references = {};   ///< in each panel that begins

  Series series(const Line& line, std::size_t colour, std::size_t dash) const;
  /// Returns whether it began a panel.
  bool add(const Line& line, const Look& look);

  LegendSection colour_legend(std::string title) const;
  LegendSection dash_legend(std::string title) const;

 private:
  std::size_t style_of(std::size_t colour) const { return colour < styles.size() ? styles[colour] : colour; }
  std::size_t dash_of(std::size_t colour) const;

  Figure& figure_;
  const bench::Results& results_;
};

/// Draws the lines of maps over the level, as make_figure().
void draw_maps(Figure& figure, const bench::Results& results, const Selection& selection,
               const Baseline* baseline);

/// The texts of a quantity.
struct QuantityText {
  Quantity quantity;
  const char* name;
  const char* of_maps;  ///< in the title; {0} is what speedups are over
  const char* y_of_maps;
  const char* of_mandelbrot;  ///< null: the Mandelbrot set does not have it
  const char* y_of_mandelbrot;
};
const QuantityText& text_of(Quantity quantity);
/// "level r, side n = 2ʳ"
std::string x_label_of(std::uint64_t scale);
/// Of n, g, r and B.
std::string x_label_of(XAxis axis);

}  // namespace loom::app::plot
