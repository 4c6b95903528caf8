#pragma once

#include <cstdint>
#include <vector>

#include "render/extent.h"

namespace loom::render {

/// A two-dimensional camera over a field of width x height cells. It maps pixels of an image to cells. Pixels
/// are relative to the image's top-left corner. Each axis has its own scale, so that a field such as the
/// Cantor set (3^r x 1) can be stretched to a readable band; zooming keeps the ratio of the two scales.
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
  void set_field(std::uint64_t width, std::uint64_t height);
  /// The image's size; keeps the centre. Sizes below 1 are treated as 1.
  void set_picture(Extent picture);
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
  void zoom_at(double pixel_x, double pixel_y, double factor);
  /// Moves the field by this number of pixels; some part of it always stays in the image.
  void pan(double pixels_x, double pixels_y);
  /// Shows the part between two pixels (in any order) as large as possible. Boxes with a side under 4 pixels
  /// are ignored.
  void box_zoom(double x0, double y0, double x1, double y1);

  /// One axis of a camera's view, as stored in a file: `anchor`, a whole number of cells, is at `pixel` of
  /// `pixels`, and a pixel is `scale` cells.
  struct AxisView {
    double anchor = 0;
    double pixel = 0;
    double scale = 1;
    int pixels = 1;
    friend bool operator==(const AxisView&, const AxisView&) = default;
  };
  AxisView view_x() const { return {x_.anchor, x_.anchor_pixel, x_.scale, x_.pixels}; }
  AxisView view_y() const { return {y_.anchor, y_.anchor_pixel, y_.scale, y_.pixels}; }
  /// Whether the camera shows the whole field because it has not been zoomed or panned.
  bool fitted() const { return fitted_; }
  /// Restores the view of a camera over a field of this size: exactly in an image of the same size, and all
  /// of its visible part in other images, as far as the limits of zoom_at allow. Views that are not finite,
  /// or have no pixels or cells, are ignored.
  void look_at(const AxisView& x, const AxisView& y);

  double cells_per_pixel_x() const { return x_.scale; }
  double cells_per_pixel_y() const { return y_.scale; }
  /// Field coordinate (in cells, fractional) of a pixel position, and the inverse.
  double field_x(double pixel_x) const { return x_.field_at(pixel_x); }
  double field_y(double pixel_y) const { return y_.field_at(pixel_y); }
  double pixel_x(double field_x) const { return x_.pixel_at(field_x); }
  double pixel_y(double field_y) const { return y_.pixel_at(field_y); }
  Extent picture() const { return {x_.pixels, y_.pixels}; }

  /// The image's width + 1 (height + 1) edges in whole cells, as compute's Viewport requires them: never
  /// decreasing; if a pixel is smaller than a cell, the cell under the pixel's centre. Exact for every field
  /// size: the cell under a pixel is x_edges()[pixel].
  std::vector<std::int64_t> x_edges() const { return edges_of(x_); }
  std::vector<std::int64_t> y_edges() const { return edges_of(y_); }
  /// The same into vectors that are reused from one image to the next.
  void edges(std::vector<std::int64_t>& x, std::vector<std::int64_t>& y) const {
    x_.edges(x);
    y_.edges(y);
  }
  /// The pixels of the image that cover at least one point of the field, holes included; consistent with the
  /// edges. Width and height are 0 if there are none.
  Rect field_rect() const;

  /// Whether both show the same.
  friend bool operator==(const Camera&, const Camera&) = default;

 private:
  struct Span {
    int first = 0;
    int count = 0;
  };
  /// One axis. The view is relative to an anchor, an edge between cells near the image's middle, and not to
  /// the field's corner: doubles near the image then keep their precision in fields of 2^62 cells.
  struct Axis {
    std::int64_t cells = 1;
    int pixels = 1;
    double scale = 1;         ///< cells per pixel
    double anchor = 0;        ///< a whole number in 0 .. cells
    double anchor_pixel = 0;  ///< position of that edge in the image

    double field_at(double pixel) const { return anchor + (pixel - anchor_pixel) * scale; }
    double pixel_at(double field) const { return anchor_pixel + (field - anchor) / scale; }
    double fit_scale() const { return static_cast<double>(cells) / pixels; }
    void centre(double new_scale);
    void resize(int new_pixels);
    void resample(std::int64_t new_cells);
    bool on_visible_field(double pixel) const;
    void magnify(double pixel, double factor);
    /// Moves the view if fewer than `wanted` pixels of the field are in the image.
    void keep_in_picture(double wanted);
    void move_anchor();
    /// The edge at the left of pixel `i`; `before` is the previous edge.
    std::int64_t edge(int i, std::int64_t before) const;
    void edges(std::vector<std::int64_t>& into) const;
    Span span() const;
    friend bool operator==(const Axis&, const Axis&) = default;
  };
  static std::vector<std::int64_t> edges_of(const Axis& axis) {
    std::vector<std::int64_t> edges;
    axis.edges(edges);
    return edges;
  }

  void magnify(double pixel_x, double pixel_y, double factor);
  bool elongated() const;
  /// The factor nearest to `factor` within the limits of zoom_at.
  double allowed_factor(double factor) const;

  Axis x_;
  Axis y_;
  CellShape shape_ = CellShape::kAuto;
  bool fitted_ = true;  ///< until it is zoomed or panned
};

}  // namespace loom::render
