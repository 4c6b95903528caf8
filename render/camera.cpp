#include "render/camera.h"

#include <algorithm>
#include <cmath>

namespace loom::render {
namespace {

constexpr std::int64_t kMaxCells = std::int64_t{1} << 62;
constexpr double kMaxPixelsPerCell = 512;
constexpr double kMinFieldPixels = 64;    // smallest longer side of a field that is zoomed out
constexpr double kElongated = 4;          // proportions from which cells are stretched
constexpr double kMinVisiblePixels = 32;  // smallest visible part of the field when panning
constexpr double kMinBoxPixels = 4;
// A fitted field may shrink by this factor so that cells are whole pixels: evenly sized cells look better
// than a few more pixels.
constexpr double kSnapLoss = 0.8;

std::int64_t clamp_cells(std::uint64_t cells) {
  return static_cast<std::int64_t>(std::clamp<std::uint64_t>(cells, 1, kMaxCells));
}

/// The next coarser scale with a whole number of pixels per cell or cells per pixel, if it is not much
/// coarser.
double snap(double scale) {
  if (scale > 1e6) return scale;  // single cells are not visible, and doubles soon lack the precision
  // The factor treats 719.9999999 pixels per cell, a rounding error of 720, as 720.
  const double coarser = scale < 1 ? 1 / std::floor(1 / scale * (1 + 1e-12)) : std::ceil(scale * (1 - 1e-12));
  return scale / coarser >= kSnapLoss ? coarser : scale;
}

bool same(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(a, b);
}

}  // namespace

void Camera::Axis::centre(double new_scale) {
  scale = new_scale;
  anchor = 0;
  anchor_pixel = (pixels - static_cast<double>(cells) / scale) / 2;
  // With whole scales, cells must begin at whole pixels.
  anchor_pixel = std::floor(anchor_pixel);
  move_anchor();
}

void Camera::Axis::resize(int new_pixels) {
  // Both halves are rounded separately, so that growing and shrinking again restores the position.
  anchor_pixel += new_pixels / 2 - pixels / 2;
  pixels = new_pixels;
  move_anchor();
}

void Camera::Axis::resample(std::int64_t new_cells) {
  const double ratio = static_cast<double>(new_cells) / static_cast<double>(cells);
  const double scaled = anchor * ratio;
  scale *= ratio;
  anchor = std::floor(scaled);
  anchor_pixel += (anchor - scaled) / scale;
  cells = new_cells;
  move_anchor();
}

bool Camera::Axis::on_visible_field(double pixel) const {
  return pixel >= std::max(pixel_at(0), 0.0) &&
         pixel <= std::min(pixel_at(static_cast<double>(cells)), pixels + 0.0);
}

void Camera::Axis::magnify(double pixel, double factor) {
  anchor_pixel = pixel + (anchor_pixel - pixel) * factor;
  scale /= factor;
  move_anchor();
}

void Camera::Axis::keep_in_picture(double wanted) {
  const double first = pixel_at(0);
  const double last = pixel_at(static_cast<double>(cells));
  // At least one cell must cover a pixel by the rule of edges(): its corner, or the pixel's centre.
  const double least = (scale >= 1 ? 1 / scale : 0.5) + 0.01;
  const double kept = std::max(std::min({wanted, (last - first) / 2, pixels / 2.0}), least);
  if (first > pixels - kept) anchor_pixel -= first - (pixels - kept);
  if (last < kept) anchor_pixel += kept - last;
  move_anchor();
}

void Camera::Axis::move_anchor() {
  const double middle = std::round(field_at(pixels / 2.0));
  const double moved = std::clamp(middle, 0.0, static_cast<double>(cells));
  anchor_pixel += (moved - anchor) / scale;
  anchor = moved;
}

std::int64_t Camera::Axis::edge(int i, std::int64_t before) const {
  const bool covers_cells = scale >= 1;
  const double pixel = static_cast<double>(i) - anchor_pixel;
  const double offset = covers_cells ? std::ceil(pixel * scale) : std::floor((pixel + 0.5) * scale);
  // Outside of +-2^62 there is no field, and int64 would overflow soon after.
  std::int64_t edge = kMaxCells;
  if (offset <= -static_cast<double>(kMaxCells)) {
    edge = -kMaxCells;
  } else if (offset < static_cast<double>(kMaxCells)) {
    edge = std::clamp(static_cast<std::int64_t>(anchor) + static_cast<std::int64_t>(offset), -kMaxCells,
                      kMaxCells);
  }
  // Rounding at a scale of barely 1, and the limits, could give two pixels the same cell.
  return i > 0 && covers_cells ? std::max(edge, before + 1) : edge;
}

void Camera::Axis::edges(std::vector<std::int64_t>& into) const {
  into.resize(static_cast<std::size_t>(pixels) + 1);
  std::int64_t before = 0;
  for (int i = 0; i <= pixels; ++i) into[static_cast<std::size_t>(i)] = before = edge(i, before);
}

Camera::Span Camera::Axis::span() const {
  Span span{pixels, 0};
  std::int64_t next = edge(0, 0);
  for (int i = 0; i < pixels; ++i) {
    const std::int64_t begin = next;
    next = edge(i + 1, begin);
    const std::int64_t end = std::max(begin + 1, next);
    if (end <= 0 || begin >= cells) continue;
    span.first = std::min(span.first, i);
    ++span.count;
  }
  return span;
}

void Camera::set_field(std::uint64_t width, std::uint64_t height) {
  const std::int64_t new_width = clamp_cells(width);
  const std::int64_t new_height = clamp_cells(height);
  if (new_width == x_.cells && new_height == y_.cells) return;
  const bool was_square = same(x_.scale, y_.scale);
  x_.resample(new_width);
  y_.resample(new_height);
  const bool keeps_shape = was_square ? same(x_.scale, y_.scale) : elongated();
  if (fitted_ || !keeps_shape) {
    fit();
    return;
  }
  // A view deep inside a high level may be within a single cell of a low level.
  magnify(x_.pixels / 2.0, y_.pixels / 2.0, allowed_factor(1));
  pan(0, 0);
}

void Camera::set_picture(Extent picture) {
  const Extent size{std::max(picture.width, 1), std::max(picture.height, 1)};
  if (size == this->picture()) return;
  x_.resize(size.width);
  y_.resize(size.height);
  if (fitted_) {
    fit();
  } else {
    pan(0, 0);
  }
}

void Camera::fit(CellShape shape) {
  shape_ = shape;
  fitted_ = true;
  const bool stretch = shape == CellShape::kStretch || (shape == CellShape::kAuto && elongated());
  if (stretch) {
    x_.centre(snap(x_.fit_scale()));
    y_.centre(snap(y_.fit_scale()));
  } else {
    const double scale = snap(std::max(x_.fit_scale(), y_.fit_scale()));
    x_.centre(scale);
    y_.centre(scale);
  }
}

void Camera::zoom_at(double pixel_x, double pixel_y, double factor) {
  if (!std::isfinite(factor) || factor <= 0) return;
  // A view outside of the limits (for example after a resize) is never moved further away from them.
  const double allowed =
      factor > 1 ? std::max(allowed_factor(factor), 1.0) : std::min(allowed_factor(factor), 1.0);
  if (allowed == 1) return;
  // The field point under the pointer is fixed, so that the field stays in the image.
  const double wanted_x = x_.on_visible_field(pixel_x) ? 0 : kMinVisiblePixels;
  const double wanted_y = y_.on_visible_field(pixel_y) ? 0 : kMinVisiblePixels;
  magnify(pixel_x, pixel_y, allowed);
  x_.keep_in_picture(wanted_x);
  y_.keep_in_picture(wanted_y);
}

void Camera::magnify(double pixel_x, double pixel_y, double factor) {
  fitted_ = false;
  x_.magnify(pixel_x, factor);
  y_.magnify(pixel_y, factor);
}

void Camera::pan(double pixels_x, double pixels_y) {
  if (!std::isfinite(pixels_x) || !std::isfinite(pixels_y)) return;
  // A click is a drag by zero pixels, which does not end the fit.
  if (pixels_x != 0 || pixels_y != 0) fitted_ = false;
  x_.anchor_pixel += pixels_x;
  y_.anchor_pixel += pixels_y;
  x_.keep_in_picture(kMinVisiblePixels);
  y_.keep_in_picture(kMinVisiblePixels);
}

void Camera::box_zoom(double x0, double y0, double x1, double y1) {
  const double width = std::abs(x1 - x0);
  const double height = std::abs(y1 - y0);
  if (!(width >= kMinBoxPixels && height >= kMinBoxPixels)) return;
  const double centre_x = (x0 + x1) / 2;
  const double centre_y = (y0 + y1) / 2;
  magnify(centre_x, centre_y, allowed_factor(std::min(x_.pixels / width, y_.pixels / height)));
  pan(x_.pixels / 2.0 - centre_x, y_.pixels / 2.0 - centre_y);
}

void Camera::look_at(const AxisView& x, const AxisView& y) {
  const auto is_one = [](const AxisView& sight) {
    return std::isfinite(sight.anchor) && std::isfinite(sight.pixel) && std::isfinite(sight.scale) &&
           sight.scale > 0 && sight.pixels > 0;
  };
  if (!is_one(x) || !is_one(y)) return;
  fitted_ = false;
  const auto take = [](Axis& axis, const AxisView& sight) {
    axis.scale = sight.scale;
    axis.anchor = std::clamp(std::floor(sight.anchor), 0.0, static_cast<double>(axis.cells));
    axis.anchor_pixel = sight.pixel + (axis.anchor - sight.anchor) / sight.scale;
    // In an image of another size, the middle stays in the middle.
    axis.anchor_pixel += axis.pixels / 2 - sight.pixels / 2;
  };
  take(x_, x);
  take(y_, y);
  const double all =
      std::min({static_cast<double>(x_.pixels) / x.pixels, static_cast<double>(y_.pixels) / y.pixels});
  const double allowed = allowed_factor(x.pixels == x_.pixels && y.pixels == y_.pixels ? 1 : all);
  if (allowed != 1) magnify(x_.pixels / 2.0, y_.pixels / 2.0, allowed);
  x_.keep_in_picture(0);
  y_.keep_in_picture(0);
}

Rect Camera::field_rect() const {
  const Span columns = x_.span();
  const Span rows = y_.span();
  if (columns.count == 0 || rows.count == 0) return {};
  return {columns.first, rows.first, columns.count, rows.count};
}

bool Camera::elongated() const {
  const auto width = static_cast<double>(x_.cells);
  const auto height = static_cast<double>(y_.cells);
  return std::max(width, height) > kElongated * std::min(width, height);
}

double Camera::allowed_factor(double factor) const {
  // Both axes are magnified by the same factor; in terms of the x axis's scale:
  const double fitted = std::max(x_.fit_scale(), y_.fit_scale() * (x_.scale / y_.scale));
  const double longer_side =
      std::max(static_cast<double>(x_.cells) / x_.scale, static_cast<double>(y_.cells) / y_.scale);
  const double coarsest = std::max(x_.scale * longer_side / kMinFieldPixels, fitted);
  const double finest = std::min(x_.scale / std::max(x_.scale, y_.scale) / kMaxPixelsPerCell, fitted);
  return x_.scale / std::clamp(x_.scale / factor, finest, coarsest);
}

}  // namespace loom::render
