#pragma once

#include <cstdint>
#include <vector>

#include "render/extent.h"

namespace loom::render {

/// A two-dimensional camera over a field of width x height cells: which cell lies under which pixel of a picture.
/// Pixels are relative to the picture's top-left corner. Each axis has its own scale, so that a field such as the
/// Cantor set (3^r x 1) can be stretched to a readable band; zooming keeps the ratio of the two.
class Camera {
 public:
  /// How `fit` treats fields of extreme proportions: kAuto keeps cells square unless the field is more than four
  /// times as long as wide (then it stretches), kSquare always, kStretch never.
  enum class CellShape { kAuto, kSquare, kStretch };

  /// The field's size in cells, at most 2^62 each; the camera keeps its view where it still makes sense.
  void set_field(std::uint64_t width, std::uint64_t height);
  /// The picture's size; keeps the centre. Sizes below 1 are taken as 1.
  void set_picture(Extent picture);
  void fit(CellShape shape = CellShape::kAuto);
  /// Magnifies by `factor` > 1 (or shrinks, < 1) and keeps the point under the pixel where it is. Stops at 512
  /// pixels a cell and where the field's longer side would be under 64 pixels (or under the picture, if smaller).
  void zoom_at(double pixel_x, double pixel_y, double factor);
  /// Moves the field by so many pixels; some part of it always stays in the picture.
  void pan(double pixels_x, double pixels_y);
  /// Shows the part between two pixels (in any order) as large as it fits. Boxes under 4 pixels are ignored.
  void box_zoom(double x0, double y0, double x1, double y1);

  double cells_per_pixel_x() const { return scale_x_; }
  double cells_per_pixel_y() const { return scale_y_; }
  /// Field coordinate (in cells, fractional) of a pixel position, and back.
  double field_x(double pixel_x) const { return origin_x_ + pixel_x * scale_x_; }
  double field_y(double pixel_y) const { return origin_y_ + pixel_y * scale_y_; }
  double pixel_x(double field_x) const { return (field_x - origin_x_) / scale_x_; }
  double pixel_y(double field_y) const { return (field_y - origin_y_) / scale_y_; }
  Extent picture() const { return picture_; }

  /// The picture's width + 1 (height + 1) edges in whole cells, as compute's Viewport wants them: never decreasing;
  /// where a pixel is smaller than a cell, the cell under the pixel's centre.
  std::vector<std::int64_t> x_edges() const;
  std::vector<std::int64_t> y_edges() const;

 private:
  void keep_in_bounds();
  Extent picture_{1, 1};
  double width_ = 1;
  double height_ = 1;
  double origin_x_ = 0;
  double origin_y_ = 0;
  double scale_x_ = 1;
  double scale_y_ = 1;
};

}  // namespace loom::render
