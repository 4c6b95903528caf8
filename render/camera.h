#pragma once

#include <cstdint>
#include <glm/common.hpp>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <type_traits>
#include <vector>

namespace loom::render {

/// A rectangle with sides parallel to the axes, y down from its top-left corner.
template <typename T>
struct Rect {
  glm::vec<2, T> corner{0};
  glm::vec<2, T> size{0};

  /// The bottom-right corner.
  constexpr glm::vec<2, T> end() const { return corner + size; }
  constexpr glm::vec<2, T> centre() const { return corner + size / T{2}; }
  /// Whether a side is shorter than one unit.
  constexpr bool empty() const { return size.x < 1 || size.y < 1; }
  /// The right and the bottom edge are outside.
  constexpr bool contains(const glm::vec<2, T>& point) const {
    return point.x >= corner.x && point.y >= corner.y && point.x < end().x && point.y < end().y;
  }
  friend constexpr bool operator==(const Rect&, const Rect&) = default;
};

/// The intersection of two rectangles, with sides of 0 if they are apart. Integers are computed in 64 bits,
/// because a rectangle's end may not fit in an int.
template <typename T>
Rect<T> intersect(const Rect<T>& a, const Rect<T>& b) {
  using Wide = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;
  using WideVec = glm::vec<2, Wide>;
  const WideVec corner(glm::max(a.corner, b.corner));
  const WideVec end = glm::min(WideVec(a.corner) + WideVec(a.size), WideVec(b.corner) + WideVec(b.size));
  return {glm::vec<2, T>(corner), glm::vec<2, T>(glm::max(end - corner, Wide{0}))};
}

/// A two-dimensional camera over a field of cells: a scale and a translation per axis that map pixels of an
/// image to cells. Pixels are relative to the image's top-left corner. Each axis has its own scale, so that a
/// field such as the Cantor set (3^r x 1) can be stretched to a readable band; zooming keeps the ratio of the
/// two scales.
///
/// A camera starts fitted, and stays fitted when the image or the field changes, until it is zoomed or
/// panned.
class Camera {
 public:
  /// How `fit` displays fields of extreme proportions: kAuto keeps cells square unless the field is more than
  /// four times as long as wide, and then stretches; kSquare always keeps cells square; kStretch always
  /// stretches.
  enum class CellShape { kAuto, kSquare, kStretch };

  /// The field's size in cells, 1 .. 2^62 each (other values are clamped). A zoomed view keeps showing the
  /// same part of the field, so that a change of level only changes the resolution, if that preserves the
  /// shape of cells; otherwise the new field is fitted.
  void set_field(glm::u64vec2 cells);
  /// The image's size; keeps the centre. Sizes below 1 are treated as 1.
  void set_picture(glm::ivec2 picture);
  /// Shows the whole field, centred, as large as possible; slightly smaller if that makes a cell a whole
  /// number of pixels, or a pixel a whole number of cells. The shape is kept for all later fits.
  void fit(CellShape shape);
  void fit() { fit(shape_); }
  /// A change of shape fits the field again.
  void set_shape(CellShape shape) {
    if (shape != shape_) fit(shape);
  }
  /// Magnifies by `factor` > 1 (or shrinks, < 1) and keeps the field point under the pixel fixed, if there is
  /// one. Stops at 512 pixels per cell and where the field's longer side would be under 64 pixels, or at the
  /// fitted size if that is beyond these limits. Other factors (not finite, not positive) are ignored.
  void zoom_at(glm::dvec2 pixel, double factor);
  /// Moves the field by this number of pixels; some part of it always stays in the image.
  void pan(glm::dvec2 pixels);
  /// Shows the part between two pixels (in any order) as large as possible. Boxes with a side under 4 pixels
  /// are ignored.
  void box_zoom(glm::dvec2 from, glm::dvec2 to);

  /// What a camera shows, as stored in a file: on each axis `anchor`, a whole number of cells, is at `pixel`
  /// in an image of `picture` pixels, and a pixel is `scale` cells.
  struct View {
    glm::dvec2 anchor{0};
    glm::dvec2 pixel{0};
    glm::dvec2 scale{1};
    glm::ivec2 picture{1};
    friend bool operator==(const View&, const View&) = default;
  };
  const View& view() const { return view_; }
  /// Whether the camera shows the whole field because it has not been zoomed or panned.
  bool fitted() const { return fitted_; }
  /// Restores the view of a camera over a field of this size: exactly in an image of the same size, and all
  /// of its visible part in other images, as far as the limits of zoom_at allow. Views that are not finite,
  /// or have no pixels or cells, are ignored.
  void look_at(const View& view);

  glm::dvec2 cells_per_pixel() const { return view_.scale; }
  /// Field coordinates (in cells, fractional) of a pixel position, and the inverse.
  glm::dvec2 field_at(glm::dvec2 pixel) const { return view_.anchor + (pixel - view_.pixel) * view_.scale; }
  glm::dvec2 pixel_at(glm::dvec2 field) const { return view_.pixel + (field - view_.anchor) / view_.scale; }
  /// The part of the field in the image, in cells; it may extend beyond the field.
  Rect<double> visible_part() const;
  glm::ivec2 picture() const { return view_.picture; }

  /// The image's width + 1 (height + 1) edges in whole cells, as compute's Viewport requires them: never
  /// decreasing; if a pixel is smaller than a cell, the cell under the pixel's centre. Exact for every field
  /// size: the cell under a pixel is x[pixel].
  void edges(std::vector<std::int64_t>& x, std::vector<std::int64_t>& y) const;
  /// The edges of one axis, 0 or 1.
  std::vector<std::int64_t> edges(int axis) const;
  /// The pixels of the image that cover at least one point of the field, holes included; consistent with the
  /// edges. Empty if there are none.
  Rect<int> field_rect() const;

  /// Whether both show the same.
  friend bool operator==(const Camera&, const Camera&) = default;

 private:
  void centre(glm::dvec2 scale);
  void magnify(glm::dvec2 pixel, double factor);
  /// Moves the view if fewer than `wanted` pixels of the field are in the image.
  void keep_in_picture(glm::dvec2 wanted);
  void move_anchor();
  glm::dvec2 fit_scale() const { return glm::dvec2(cells_) / glm::dvec2(view_.picture); }
  bool elongated() const;
  /// The factor nearest to `factor` within the limits of zoom_at.
  double allowed_factor(double factor) const;
  /// The edge at the left of (or above) pixel `i`; `before` is the previous edge.
  std::int64_t edge(int axis, int i, std::int64_t before) const;
  void write_edges(int axis, std::vector<std::int64_t>& edges) const;

  glm::i64vec2 cells_{1};
  /// The anchor, in 0 .. cells_, is an edge between cells near the image's middle, and not the field's
  /// corner: doubles near the image then keep their precision in fields of 2^62 cells.
  View view_;
  CellShape shape_ = CellShape::kAuto;
  bool fitted_ = true;  ///< until it is zoomed or panned
};

}  // namespace loom::render
