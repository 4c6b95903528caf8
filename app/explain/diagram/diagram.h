#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <glm/common.hpp>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/text/text.h"
#include "compute/map/map_method.h"
#include "render/camera.h"

namespace loom::app {

/// "bounding box", "λ", "compact": the name of a map in the window.
constexpr const char* label_of(MapKind map) {
  constexpr std::array kLabels = {"bounding box", "λ", "compact"};
  return kLabels[static_cast<std::size_t>(map)];
}

/// The accent of a map in the toolbar, panes, bars and documentation, in both themes. Distinct for
/// colour-blind users, and visible on dark and on light; each also has a label.
constexpr glm::vec4 colour_of(MapKind map) {
  switch (map) {
    case MapKind::kBoundingBox:
      return {0.851f, 0.412f, 0.039f, 1};
    case MapKind::kLambda:
      return {0.078f, 0.529f, 0.941f, 1};
    case MapKind::kCompact:
      return {0.749f, 0.424f, 0.592f, 1};
  }
  return {1, 1, 1, 1};
}

}  // namespace loom::app

namespace loom::app::diagram {

/// The meaning of a colour; the painter knows its background, dark or white.
enum class ColourRole {
  kText,
  kMuted,
  kAccent,
  kWarning,
  kLine,  ///< thin rules and frames
  kGrid,  ///< lines of a plot's grid with a label
  kMinorGrid,
  kRaised,     ///< a background slightly different from that of the page
  kMark,       ///< what belongs to the selection; the marked row of a table
  kSelection,  ///< the selected thread
};
/// A background of this colour, weakened so that text on it remains readable.
struct Tint {
  glm::u8vec3 of{};
  friend bool operator==(const Tint&, const Tint&) = default;
};
/// One colour for a white background and one for a dark background.
struct ColourPair {
  glm::u8vec3 on_white{};
  glm::u8vec3 on_dark{};
  friend bool operator==(const ColourPair&, const ColourPair&) = default;
};
/// A role, the colour of a value, a tint of it, or a colour for each background.
using Paint = std::variant<ColourRole, glm::u8vec3, Tint, ColourPair>;

/// A rectangle in font sizes, as all positions and lengths of a diagram.
using Box = render::Rect<float>;

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
  glm::vec2 at{0};  ///< x of the left end, the centre or the right end, by `align`; y of the top of the line
  std::string text;
  Paint paint = ColourRole::kText;
  Align align = Align::kLeft;
  float size = 1;  ///< font size, relative to that of the diagram
  using Face = FontFace;
  FontFace face = FontFace::kPlain;
};
/// A line through points.
struct Polyline {
  std::vector<glm::vec2> points;
  Paint paint;
  float thickness = 0.08f;           ///< in font sizes
  std::span<const float> dash = {};  ///< static lengths of dashes and gaps in font sizes; empty: solid
};
/// A filled convex polygon, its points in clockwise order.
struct Polygon {
  std::vector<glm::vec2> points;
  Paint paint;
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
/// Returns the width of a text of size 1 in a face, in font sizes.
using TextWidth = std::function<float(std::string_view text, FontFace face)>;
/// The width of a character of Face::kMono, in font sizes.
inline constexpr float kMonoWidth = 0.602f;
/// The estimated width of a text in DejaVu Sans or DejaVu Sans Mono, in font sizes. Errs on the large side.
float estimated_width(std::string_view text, FontFace face = FontFace::kPlain);

/// A drawing for windows and files: shapes in painting order, in units of the font size. A line of text is
/// kLine high.
class Diagram {
 public:
  static constexpr float kLine = 1.35f;

  Diagram() = default;
  /// `text_width`: the metrics of the painter that will draw it. Without it, widths are estimated.
  explicit Diagram(TextWidth text_width) : text_width_(std::move(text_width)) {}

  void fill(const Box& box, const Paint& paint);
  void frame(const Box& box, const Paint& paint, float thickness = 0.08f);
  void text(Text text);
  void line(Polyline line);
  void polygon(Polygon polygon);
  void hotspot(Hotspot hotspot) { hotspots_.push_back(std::move(hotspot)); }
  float text_width(std::string_view text, FontFace face = FontFace::kPlain) const {
    return text_width_(text, face);
  }
  /// Stores the numbers of a drawn table, for export as CSV or LaTeX.
  void add_table(Table table) { tables_.push_back(std::move(table)); }
  const std::vector<Table>& tables() const { return tables_; }

  using Shape = std::variant<Fill, Frame, Text, Polyline, Polygon>;
  const std::vector<Shape>& shapes() const { return shapes_; }
  const std::vector<Hotspot>& hotspots() const { return hotspots_; }
  /// The hotspot that contains a point; of several, the one with the nearest centre. Null if there is none.
  const Hotspot* hotspot_at(glm::vec2 point) const;
  /// The extent of the shapes.
  glm::vec2 size() const { return size_; }

 private:
  void reach(glm::vec2 point) { size_ = glm::max(size_, point); }
  TextWidth text_width_ = estimated_width;
  std::vector<Shape> shapes_;
  std::vector<Hotspot> hotspots_;
  std::vector<Table> tables_;
  glm::vec2 size_{0};
};

/// A legend from left to right, in lines of at most `width`.
class Legend {
 public:
  Legend(Diagram& diagram, float y, float width) : diagram_(diagram), at_{0, y}, width_(width) {}
  /// One square per colour, then their meaning.
  void entry(std::span<const Paint> colours, const std::string& text);
  void entry(const Paint& colour, const std::string& text) { entry({&colour, 1}, text); }
  float below() const { return at_.y + Diagram::kLine; }

 private:
  Diagram& diagram_;
  glm::vec2 at_;
  float width_;
};

/// Draws a table whose columns fit their longest text, and calls add_table(). Returns the y below it.
float draw_table(Diagram& diagram, glm::vec2 at, const Table& table);

/// Draws a text in lines of at most `width`. Returns the y below it.
float draw_wrapped(Diagram& diagram, glm::vec2 at, float width, const std::string& text,
                   const Paint& paint = ColourRole::kText, float size = 1);

}  // namespace loom::app::diagram
