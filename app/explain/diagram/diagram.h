#pragma once

#include <string>
#include <variant>
#include <vector>

#include "app/explain/data_colour.h"

namespace loom::app::diagram {

/// The meaning of a colour; the painter knows its background, dark or white.
enum class ColourRole {
  kText,
  kMuted,
  kAccent,
  kWarning,
  kLine,    ///< thin rules and frames
  kRaised,  ///< a background slightly different from that of the page
  kMark,    ///< the selection
};
/// A background of this colour, weakened so that text on it remains readable.
struct Tint {
  explain::DataColour of;
  friend bool operator==(const Tint&, const Tint&) = default;
};
/// A role, the colour of a value, or a tint of it.
using Paint = std::variant<ColourRole, explain::DataColour, Tint>;

/// In font sizes, y down.
struct Box {
  float x = 0;
  float y = 0;
  float width = 0;
  float height = 0;
};

enum class Align { kLeft, kCentre, kRight };

struct Fill {
  Box box;
  Paint paint;
};
struct Frame {
  Box box;
  Paint paint;
  float thickness = 0.08f;  ///< in font sizes
};
struct Text {
  float x = 0;  ///< of the left end, the centre or the right end, by `align`
  float y = 0;  ///< of the top of the line
  std::string text;
  Paint paint = ColourRole::kText;
  Align align = Align::kLeft;
  float size = 1;  ///< font size, relative to that of the diagram
  enum class Face { kPlain, kBold, kMono } face = Face::kPlain;
};
/// An area with a tooltip, which a window may make clickable.
struct Hotspot {
  Box box;
  std::string tip;
  int tag = -1;
};

/// Column titles, and rows with one text per column. A row with a tip becomes a hotspot, whose tag is its row
/// number plus `first_tag`.
struct Table {
  std::string name = {};  ///< not drawn
  std::vector<std::string> titles = {};
  std::vector<std::vector<std::string>> rows = {};
  std::vector<std::string> tips = {};
  int first_tag = 0;
  int marked = -1;  ///< index of the marked row; -1 for none
};
/// A drawing for windows and files: shapes in painting order, in units of the font size. A line of text is
/// kLine high.
class Diagram {
 public:
  static constexpr float kLine = 1.35f;

  void fill(const Box& box, const Paint& paint);
  void frame(const Box& box, const Paint& paint, float thickness = 0.08f);
  void text(Text text);
  void hotspot(Hotspot hotspot) { hotspots_.push_back(std::move(hotspot)); }
  /// Stores the numbers of a drawn table, for export as CSV or LaTeX.
  void add_table(Table table) { tables_.push_back(std::move(table)); }
  const std::vector<Table>& tables() const { return tables_; }

  using Shape = std::variant<Fill, Frame, Text>;
  const std::vector<Shape>& shapes() const { return shapes_; }
  const std::vector<Hotspot>& hotspots() const { return hotspots_; }
  /// The extent of the shapes; text widths are estimated.
  float width() const { return width_; }
  float height() const { return height_; }

 private:
  void reach(float x, float y);
  std::vector<Shape> shapes_;
  std::vector<Hotspot> hotspots_;
  std::vector<Table> tables_;
  float width_ = 0;
  float height_ = 0;
};

/// The width of a character of Face::kMono, in font sizes.
inline constexpr float kMonoWidth = 0.602f;

/// The estimated width of a text in DejaVu Sans, in font sizes. Errs on the large side.
float estimated_width(const std::string& text);

/// Draws a table whose columns fit their longest text, and calls add_table(). Returns the y below it.
float draw_table(Diagram& diagram, float x, float y, const Table& table);

/// Draws a text in lines of at most about `width`. Returns the y below it.
float draw_wrapped(Diagram& diagram, float x, float y, float width, const std::string& text,
                   const Paint& paint = ColourRole::kText);

}  // namespace loom::app::diagram
