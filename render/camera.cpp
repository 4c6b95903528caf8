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

void Camera::set_field(glm::u64vec2 cells) {
  const glm::i64vec2 clamped(glm::clamp(cells, std::uint64_t{1}, std::uint64_t{kMaxCells}));
  if (clamped == cells_) return;
  const bool was_square = same(view_.scale.x, view_.scale.y);
  const glm::dvec2 ratio = glm::dvec2(clamped) / glm::dvec2(cells_);
  const glm::dvec2 scaled = view_.anchor * ratio;
  view_.scale *= ratio;
  view_.anchor = glm::floor(scaled);
  view_.pixel += (view_.anchor - scaled) / view_.scale;
  cells_ = clamped;
  move_anchor();
  const bool keeps_shape = was_square ? same(view_.scale.x, view_.scale.y) : elongated();
  if (fitted_ || !keeps_shape) {
    fit();
    return;
  }
  // A view deep inside a high level may be within a single cell of a low level.
  magnify(glm::dvec2(view_.picture) / 2.0, allowed_factor(1));
  pan({0, 0});
}

void Camera::set_picture(glm::ivec2 picture) {
  const glm::ivec2 size = glm::max(picture, 1);
  if (size == view_.picture) return;
  // Both halves are rounded separately, so that growing and shrinking again restores the position.
  view_.pixel += glm::dvec2(size / 2 - view_.picture / 2);
  view_.picture = size;
  move_anchor();
  if (fitted_) {
    fit();
  } else {
    pan({0, 0});
  }
}

void Camera::fit(CellShape shape) {
  shape_ = shape;
  fitted_ = true;
  const bool stretch = shape == CellShape::kStretch || (shape == CellShape::kAuto && elongated());
  const glm::dvec2 scale = fit_scale();
  centre(stretch ? glm::dvec2(snap(scale.x), snap(scale.y)) : glm::dvec2(snap(std::max(scale.x, scale.y))));
}

void Camera::centre(glm::dvec2 scale) {
  view_.scale = scale;
  view_.anchor = glm::dvec2(0);
  // With whole scales, cells must begin at whole pixels.
  view_.pixel = glm::floor((glm::dvec2(view_.picture) - glm::dvec2(cells_) / scale) / 2.0);
  move_anchor();
}

void Camera::zoom_at(glm::dvec2 pixel, double factor) {
  if (!std::isfinite(factor) || factor <= 0) return;
  // A view outside of the limits (for example after a resize) is never moved further away from them.
  const double allowed =
      factor > 1 ? std::max(allowed_factor(factor), 1.0) : std::min(allowed_factor(factor), 1.0);
  if (allowed == 1) return;
  // The field point under the pointer is fixed, so that the field stays in the image.
  const glm::dvec2 first = glm::max(pixel_at({0, 0}), 0.0);
  const glm::dvec2 last = glm::min(pixel_at(glm::dvec2(cells_)), glm::dvec2(view_.picture));
  glm::dvec2 wanted{0};
  for (int axis = 0; axis < 2; ++axis) {
    const bool on_visible_field = pixel[axis] >= first[axis] && pixel[axis] <= last[axis];
    if (!on_visible_field) wanted[axis] = kMinVisiblePixels;
  }
  magnify(pixel, allowed);
  keep_in_picture(wanted);
}

void Camera::magnify(glm::dvec2 pixel, double factor) {
  fitted_ = false;
  view_.pixel = pixel + (view_.pixel - pixel) * factor;
  view_.scale /= factor;
  move_anchor();
}

void Camera::pan(glm::dvec2 pixels) {
  if (!std::isfinite(pixels.x) || !std::isfinite(pixels.y)) return;
  // A click is a drag by zero pixels, which does not end the fit.
  if (pixels != glm::dvec2(0)) fitted_ = false;
  view_.pixel += pixels;
  keep_in_picture(glm::dvec2(kMinVisiblePixels));
}

void Camera::box_zoom(glm::dvec2 from, glm::dvec2 to) {
  const glm::dvec2 size = glm::abs(to - from);
  if (!(size.x >= kMinBoxPixels && size.y >= kMinBoxPixels)) return;
  const glm::dvec2 centre = (from + to) / 2.0;
  const glm::dvec2 picture(view_.picture);
  const glm::dvec2 factor = picture / size;
  magnify(centre, allowed_factor(std::min(factor.x, factor.y)));
  pan(picture / 2.0 - centre);
}

void Camera::look_at(const View& view) {
  for (int axis = 0; axis < 2; ++axis) {
    if (!std::isfinite(view.anchor[axis]) || !std::isfinite(view.pixel[axis]) ||
        !std::isfinite(view.scale[axis]) || view.scale[axis] <= 0 || view.picture[axis] <= 0)
      return;
  }
  fitted_ = false;
  view_.scale = view.scale;
  view_.anchor = glm::clamp(glm::floor(view.anchor), glm::dvec2(0), glm::dvec2(cells_));
  view_.pixel = view.pixel + (view_.anchor - view.anchor) / view.scale;
  // In an image of another size, the middle stays in the middle.
  view_.pixel += glm::dvec2(view_.picture / 2 - view.picture / 2);
  const glm::dvec2 all = glm::dvec2(view_.picture) / glm::dvec2(view.picture);
  const double allowed = allowed_factor(view.picture == view_.picture ? 1 : std::min(all.x, all.y));
  if (allowed != 1) magnify(glm::dvec2(view_.picture) / 2.0, allowed);
  keep_in_picture({0, 0});
}

void Camera::keep_in_picture(glm::dvec2 wanted) {
  const glm::dvec2 picture(view_.picture);
  const glm::dvec2 first = pixel_at({0, 0});
  const glm::dvec2 last = pixel_at(glm::dvec2(cells_));
  for (int axis = 0; axis < 2; ++axis) {
    // At least one cell must cover a pixel by the rule of edges(): its corner, or the pixel's centre.
    const double least = (view_.scale[axis] >= 1 ? 1 / view_.scale[axis] : 0.5) + 0.01;
    const double kept =
        std::max(std::min({wanted[axis], (last[axis] - first[axis]) / 2, picture[axis] / 2}), least);
    if (first[axis] > picture[axis] - kept) view_.pixel[axis] -= first[axis] - (picture[axis] - kept);
    if (last[axis] < kept) view_.pixel[axis] += kept - last[axis];
  }
  move_anchor();
}

void Camera::move_anchor() {
  const glm::dvec2 middle = glm::round(field_at(glm::dvec2(view_.picture) / 2.0));
  const glm::dvec2 moved = glm::clamp(middle, glm::dvec2(0), glm::dvec2(cells_));
  view_.pixel += (moved - view_.anchor) / view_.scale;
  view_.anchor = moved;
}

Rect<double> Camera::visible_part() const {
  const glm::dvec2 corner = field_at({0, 0});
  return {corner, field_at(glm::dvec2(view_.picture)) - corner};
}

std::int64_t Camera::edge(int axis, int i, std::int64_t before) const {
  const double scale = view_.scale[axis];
  const bool covers_cells = scale >= 1;
  const double pixel = static_cast<double>(i) - view_.pixel[axis];
  const double offset = covers_cells ? std::ceil(pixel * scale) : std::floor((pixel + 0.5) * scale);
  // Outside of +-2^62 there is no field, and int64 would overflow soon after.
  std::int64_t edge = kMaxCells;
  if (offset <= -static_cast<double>(kMaxCells)) {
    edge = -kMaxCells;
  } else if (offset < static_cast<double>(kMaxCells)) {
    edge = std::clamp(static_cast<std::int64_t>(view_.anchor[axis]) + static_cast<std::int64_t>(offset),
                      -kMaxCells, kMaxCells);
  }
  // Rounding at a scale of barely 1, and the limits, could give two pixels the same cell.
  return i > 0 && covers_cells ? std::max(edge, before + 1) : edge;
}

void Camera::write_edges(int axis, std::vector<std::int64_t>& edges) const {
  edges.resize(static_cast<std::size_t>(view_.picture[axis]) + 1);
  std::int64_t before = 0;
  for (int i = 0; i <= view_.picture[axis]; ++i)
    edges[static_cast<std::size_t>(i)] = before = edge(axis, i, before);
}

void Camera::edges(std::vector<std::int64_t>& x, std::vector<std::int64_t>& y) const {
  write_edges(0, x);
  write_edges(1, y);
}

std::vector<std::int64_t> Camera::edges(int axis) const {
  std::vector<std::int64_t> edges;
  write_edges(axis, edges);
  return edges;
}

Rect<int> Camera::field_rect() const {
  Rect<int> rect{view_.picture, {0, 0}};
  for (int axis = 0; axis < 2; ++axis) {
    std::int64_t next = edge(axis, 0, 0);
    for (int i = 0; i < view_.picture[axis]; ++i) {
      const std::int64_t begin = next;
      next = edge(axis, i + 1, begin);
      const std::int64_t end = std::max(begin + 1, next);
      if (end <= 0 || begin >= cells_[axis]) continue;
      rect.corner[axis] = std::min(rect.corner[axis], i);
      ++rect.size[axis];
    }
  }
  return rect.empty() ? Rect<int>{} : rect;
}

bool Camera::elongated() const {
  const glm::dvec2 field(cells_);
  return std::max(field.x, field.y) > kElongated * std::min(field.x, field.y);
}

double Camera::allowed_factor(double factor) const {
  // Both axes are magnified by the same factor; in terms of the x axis's scale:
  const glm::dvec2 scale = view_.scale;
  const double fitted = std::max(fit_scale().x, fit_scale().y * (scale.x / scale.y));
  const glm::dvec2 sides = glm::dvec2(cells_) / scale;
  const double coarsest = std::max(scale.x * std::max(sides.x, sides.y) / kMinFieldPixels, fitted);
  const double finest = std::min(scale.x / std::max(scale.x, scale.y) / kMaxPixelsPerCell, fitted);
  return scale.x / std::clamp(scale.x / factor, finest, coarsest);
}

}  // namespace loom::render
