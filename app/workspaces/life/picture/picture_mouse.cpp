#include "app/workspaces/life/picture/picture_mouse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>
#include <utility>

#include "app/widgets/picture.h"

namespace loom::app {
namespace {

// Limits a brush stroke far outside the square (zoomed out at a deep level), which would take too long.
constexpr std::int64_t kMaxStroke = 4096;

// The cell that the picture shows at a pixel; beyond the picture's edge, where a brush may go, its
// extrapolation.
std::int64_t cell_on_axis(const std::vector<std::int64_t>& edges, double pixel, double field) {
  const bool inside = pixel >= 0 && pixel < static_cast<double>(edges.size() - 1);
  return inside ? edges[static_cast<std::size_t>(pixel)] : static_cast<std::int64_t>(std::floor(field));
}

Coord<std::int64_t> cell_at(const render::Camera& camera, glm::dvec2 pixel) {
  const glm::dvec2 field = camera.field_at(pixel);
  return {cell_on_axis(camera.edges(0), pixel.x, field.x), cell_on_axis(camera.edges(1), pixel.y, field.y)};
}

}  // namespace

std::string_view name_of(PictureMouse::Gesture gesture) {
  static constexpr std::array<std::string_view, 6> kNames = {"none", "pan", "box", "paint", "select", "zoom"};
  return kNames[static_cast<std::size_t>(gesture)];
}

void PictureMouse::begin(const Brush* brush) {
  const ImGuiIO& io = ImGui::GetIO();
  if (HoldToZoom::begins(button_) && button_ == ImGuiMouseButton_Right) {
    gesture_ = Gesture::kZoom;
    return;
  }
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Middle) || ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    gesture_ = Gesture::kPan;
    button_ =
        ImGui::IsMouseClicked(ImGuiMouseButton_Middle) ? ImGuiMouseButton_Middle : ImGuiMouseButton_Right;
    return;
  }
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
  button_ = ImGuiMouseButton_Left;
  start_ = io.MousePos;
  if (box_armed_ || io.KeyShift) {
    gesture_ = Gesture::kBox;
  } else if (io.KeyCtrl) {
    gesture_ = Gesture::kSelect;
    first_ = cursor_cell_;
  } else if (brush != nullptr) {
    const auto place = brush->space.place_at(cursor_cell_.x, cursor_cell_.y);
    gesture_ = Gesture::kPaint;
    const bool erases = place && brush->state_of(place->cell) == brush->state;
    painted_state_ = erases ? std::uint8_t{0} : brush->state;
    last_ = cursor_cell_;
  } else {
    gesture_ = Gesture::kPan;
  }
}

void PictureMouse::paint(const Brush& brush) {
  const Coord<std::int64_t> from = last_.value_or(cursor_cell_);
  const std::int64_t dx = cursor_cell_.x - from.x;
  const std::int64_t dy = cursor_cell_.y - from.y;
  const std::int64_t steps = std::min(std::max(std::abs(dx), std::abs(dy)), kMaxStroke);
  for (std::int64_t i = 0; i <= steps; ++i) {
    const double t = steps == 0 ? 1.0 : static_cast<double>(i) / static_cast<double>(steps);
    const auto place = brush.space.place_at(from.x + std::llround(t * static_cast<double>(dx)),
                                            from.y + std::llround(t * static_cast<double>(dy)));
    if (place && place->is_cell) brush.painted.push_back({place->cell, painted_state_});
  }
  last_ = cursor_cell_;
}

void PictureMouse::update(const Area& picture, float scale, render::Camera& camera, const Brush* brush) {
  const ImGuiIO& io = ImGui::GetIO();
  const PictureView view{camera, picture, scale};
  const glm::dvec2 pixel = view.pixel(io.MousePos);
  const bool over = !io.WantCaptureMouse && ImGui::IsMousePosValid() && picture.contains(io.MousePos);
  hovered_.reset();

  if (const auto zoom = wheel_.advance(over)) camera.zoom_at(view.pixel(zoom->at), zoom->factor);
  if (gesture_ == Gesture::kPan) {
    camera.pan(glm::dvec2(glm::vec2(io.MouseDelta) * scale));
  }
  if (gesture_ == Gesture::kZoom) camera.zoom_at(pixel, HoldToZoom::factor(button_));
  if (ImGui::IsMousePosValid()) cursor_cell_ = cell_at(camera, pixel);
  if (gesture_ == Gesture::kNone && over) begin(brush);
  if (gesture_ == Gesture::kPaint && brush != nullptr) paint(*brush);
  constexpr float kClick = 9;  // pixels squared, as other clicks are distinguished from drags
  selecting_.reset();
  // ImGui does not count a move in the frame of the button release.
  const glm::vec2 way = glm::vec2(io.MousePos) - start_;
  const bool drags =
      std::max(glm::dot(way, way), io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left]) >= kClick;
  if (gesture_ == Gesture::kSelect) {
    constexpr float kHeld = 0.3f;  // seconds
    if (drags) {
      selecting_ = Selecting{first_, cursor_cell_};
    } else if (ImGui::GetIO().MouseDownDuration[ImGuiMouseButton_Left] > kHeld) {
      gesture_ = Gesture::kZoom;  // zooms while the button is held in place
    }
  }
  if (gesture_ != Gesture::kNone && !ImGui::IsMouseDown(button_)) {
    if (gesture_ == Gesture::kBox) {
      camera.box_zoom(view.pixel(start_), pixel);
      box_armed_ = false;
    }
    gesture_ = Gesture::kNone;
    last_.reset();
  }
  if (over) hovered_ = cursor_cell_;
}

void PictureMouse::draw(ImDrawList& list) const {
  if (gesture_ == Gesture::kBox) draw_rubber_band(list, start_);
}

namespace {

/// A replica of `level` of a fractal of level `whole`.
struct Replica {
  int level = 0;
  glm::dvec2 corner{0, 0};
  glm::dvec2 size;
  loom::Symmetry symmetry = loom::Symmetry::kIdentity;
};

bool has_replicas(const NbbFractal& fractal, int whole, int of, const Replica& replica,
                  const render::Rect<double>& part) {
  const glm::dvec2 corner = replica.corner;
  const glm::dvec2 size = replica.size;
  const glm::dvec2 end = corner + size;
  const bool apart =
      glm::any(glm::greaterThanEqual(corner, part.end())) || glm::any(glm::lessThanEqual(end, part.corner));
  if (apart) return false;
  const bool within =
      glm::all(glm::greaterThanEqual(corner, part.corner)) && glm::all(glm::lessThanEqual(end, part.end()));
  if (within || replica.level == of) return true;
  const Generator& generator = fractal.generator(whole, replica.level);
  const glm::dvec2 inner = size / glm::dvec2(generator.s_x, generator.s_y);
  for (std::size_t b = 0; b < generator.offsets.size(); ++b) {
    const Coord32 offset = apply(replica.symmetry, generator.offsets[b], generator.s_x);
    const auto symmetry = generator.orientations.empty()
                              ? replica.symmetry
                              : compose(replica.symmetry, generator.orientations[b]);
    const Replica next{replica.level - 1, corner + glm::dvec2(offset.x, offset.y) * inner, inner, symmetry};
    if (has_replicas(fractal, whole, of, next, part)) return true;
  }
  return false;
}

}  // namespace

std::optional<explain::UnitRect> visible_part(const render::Camera& camera, std::uint64_t width,
                                              std::uint64_t height) {
  const auto range = [](double low, double high, std::uint64_t size) {
    const double last = static_cast<double>(size);
    const double begin = std::floor(std::clamp(low, 0.0, last - 1));
    return std::pair(static_cast<std::uint64_t>(begin),
                     static_cast<std::uint64_t>(std::ceil(std::clamp(high, begin + 1, last))));
  };
  const glm::dvec2 low = camera.field_at({0, 0});
  const glm::dvec2 high = camera.field_at(glm::dvec2(camera.picture()));
  const auto [x, right] = range(low.x, high.x, width);
  const auto [y, bottom] = range(low.y, high.y, height);
  if (x == 0 && y == 0 && right == width && bottom == height) return std::nullopt;
  return explain::UnitRect{{x, y}, {right - x, bottom - y}};
}

// Fast: at each level, only the few replicas on the part's edges are subdivided.
bool has_replicas(const NbbFractal& fractal, int level, int of, const render::Rect<double>& part) {
  const glm::dvec2 size(fractal.width(level), fractal.height(level));
  return has_replicas(fractal, level, of, {.level = level, .size = size}, part);
}

}  // namespace loom::app
