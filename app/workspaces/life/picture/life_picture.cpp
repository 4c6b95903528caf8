#include "app/workspaces/life/picture/life_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>
#include <utility>

#include "app/explain/memory.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/text.h"
#include "app/workspaces/life/scene/life_settings.h"

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

namespace {

constexpr float kArrow = 1.6f;       ///< width of an arrow between two boxes, in font sizes
constexpr float kThickness = 0.16f;  ///< of an arrow over the picture, in font sizes
constexpr float kHead = 0.55f;       ///< its head
constexpr float kEdge = 2;           ///< beside it, so that it is visible on any cell, in pixels

void draw_arrow(ImDrawList& list, glm::vec2 from, glm::vec2 to, float share, ImU32 colour, float thickness,
                float head) {
  const float length = glm::length(to - from);
  if (share <= 0 || length < 1) return;
  const glm::vec2 way = (to - from) / length;
  const glm::vec2 side{-way.y, way.x};
  const glm::vec2 end = glm::mix(from, to, share);
  const glm::vec2 neck = end - way * std::min(head, glm::length(end - from));
  list.AddLine(from, neck, colour, thickness);
  list.AddTriangleFilled(end, neck + side * head * 0.5f, neck - side * head * 0.5f, colour);
}

Text title_of(ThreadPath::Stage stage, const ThreadExplanation::Thread& thread) {
  const explain::ThreadLocation& place = thread.place;
  switch (stage) {
    case ThreadPath::Stage::kOmega:
      return format_text("{} {}", thread.lambda ? "ω" : "tile",
                         format_pair(place.ref.tile.x, place.ref.tile.y));
    case ThreadPath::Stage::kTile:
      return place.has_position ? format_text("tile {}", format_pair(place.place.x, place.place.y))
                                : Text("no tile");
    case ThreadPath::Stage::kCell:
      return format_text("{} {}", place.has_cell ? "cell" : "hole", format_pair(place.cell.x, place.cell.y));
    case ThreadPath::Stage::kByte:
      return place.address ? format_text("byte {}", format_count(*place.address)) : Text("no byte");
  }
  return {};
}

}  // namespace

void ThreadPath::follow(const ThreadExplanation& explanation, bool is_pinned, bool on, double seconds) {
  const std::optional<Coord64> point = explanation.thread() ? explanation.point() : std::nullopt;
  seconds_ = std::min(seconds_ + seconds, kSeconds);
  if (!is_pinned || !point) {
    point_.reset();
    seconds_ = kSeconds;
  } else if (point_ != point) {
    point_ = point;
    seconds_ = on ? 0 : kSeconds;
  }
}

float ThreadPath::share_to(Stage stage) const {
  const auto legs = static_cast<double>(kStages.size() - 1);
  const double done = seconds_ / kSeconds * legs - (static_cast<double>(stage) - 1);
  return static_cast<float>(std::clamp(done, 0.0, 1.0));
}

void ThreadPath::draw(ImDrawList& list, const std::optional<glm::vec2>& launch,
                      const std::optional<glm::vec2>& cell, const std::optional<glm::vec2>& byte) const {
  const float font = ImGui::GetFontSize();
  const auto arrow = [&](const std::optional<glm::vec2>& from, const std::optional<glm::vec2>& to,
                         float share) {
    if (!from || !to) return;
    const bool light = theme::in_force() == Theme::kLight;
    draw_arrow(list, *from, *to, share, theme::overlay(light).edge, kThickness * font + 2 * kEdge,
               kHead * font + 2 * kEdge);
    draw_arrow(list, *from, *to, share, theme::overlay(light).selection, kThickness * font, kHead * font);
  };
  // Over tile and cell in one line, because both are in the picture.
  arrow(launch, cell, (share_to(Stage::kTile) + share_to(Stage::kCell)) / 2);
  arrow(cell ? cell : launch, byte, share_to(Stage::kByte));
}

void thread_path_row(const ThreadPath& path, const ThreadExplanation::Thread& thread) {
  const float font = ImGui::GetFontSize();
  const glm::vec2 padding{theme::grid(2), theme::grid(0.5f)};
  const float height = ImGui::GetTextLineHeight() + 2 * padding.y;
  const glm::vec2 start = ImGui::GetCursorScreenPos();
  const float right = start.x + ImGui::GetContentRegionAvail().x;
  const theme::Colours& colours = theme::colours();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  glm::vec2 at = start;
  for (const ThreadPath::Stage stage : ThreadPath::kStages) {
    // The bounding box has no index besides the position.
    if (stage == ThreadPath::Stage::kTile && !thread.lambda) continue;
    const Text words = title_of(stage, thread);
    const float width = text_width(words) + 2 * padding.x;
    const float share = path.share_to(stage);
    if (stage != ThreadPath::Stage::kOmega) {
      if (at.x + kArrow * font + width > right && at.x > start.x)
        at = {start.x, at.y + height + padding.y * 2};
      const glm::vec2 from{at.x + 0.2f * font, at.y + height / 2};
      draw_arrow(list, from, from + glm::vec2((kArrow - 0.4f) * font, 0), share,
                 ImGui::GetColorU32(colours.selection), kThickness * font, kHead * font);
      at.x += kArrow * font;
    }
    const bool reached = stage == ThreadPath::Stage::kOmega || share >= 1;
    list.AddRectFilled(at, at + glm::vec2(width, height), ImGui::GetColorU32(colours.raised), 0.25f * font);
    if (reached)
      list.AddRect(at, at + glm::vec2(width, height), ImGui::GetColorU32(colours.selection), 0.25f * font, 0,
                   1.5f);
    list.AddText(at + padding, ImGui::GetColorU32(reached ? colours.text : colours.muted), words.c_str());
    at.x += width;
  }
  ImGui::Dummy({right - start.x, at.y + height - start.y});
}

namespace {

constexpr double kFade = 0.15;     ///< the last part of the time, in which the picture returns
constexpr float kFill = 0.62f;     ///< opacity of a tile
constexpr float kOutlineSide = 4;  ///< tiles have an outline from this side on
constexpr float kMargin = 1;       ///< around the grid, in font sizes
constexpr float kHeading = 2.6f;   ///< height above the grid, in font sizes

ImU32 with_opacity(const glm::vec4& colour, float opacity) {
  return ImGui::ColorConvertFloat4ToU32({colour.r, colour.g, colour.b, colour.a * opacity});
}

}  // namespace

void MapMorph::follow(const FractalConfig& config, bool on, double seconds) {
  if (transition_) seconds_ += seconds;
  if (seconds_ >= explain::MapTransition::kSeconds) transition_.reset();
  if (config_ == config) return;
  const bool same_tiles = config_ && config_->fractal == config.fractal && config_->level == config.level &&
                          config_->tile_size == config.tile_size;
  transition_.reset();
  if (on && same_tiles && config_->method.map != config.method.map && explain::has_tiles(config) &&
      explain::has_tiles(*config_)) {
    transition_.emplace(make_tiled_fractal(config.fractal, config.level, config.tile_size),
                        config_->method.map, config.method.map);
    seconds_ = 0;
  }
  config_ = config;
}

void MapMorph::draw(ImDrawList& list, const PictureView& view, const TileGrid& space,
                    glm::u8vec3 background) const {
  if (!transition_ || view.area.empty()) return;
  const MapKind to = config_->method.map;
  const auto opacity = static_cast<float>(1 - std::clamp((share() - (1 - kFade)) / kFade, 0.0, 1.0));
  const float font = ImGui::GetFontSize();
  const glm::vec4 page(glm::vec3(background) / 255.0f, 1);
  list.AddRectFilled(view.area.corner, view.area.end(), with_opacity(page, opacity));

  // The square is where the picture shows it when it is fitted.
  render::Camera camera = view.camera;
  camera.fit();
  const PictureView fitted{camera, view.area, view.scale, view.is_light};
  using Box = explain::MapTransition::Box;
  const glm::vec2 low = fitted.screen({0, 0});
  const Box square{low, fitted.screen({space.tiled().width, space.tiled().height}) - low};
  const glm::vec2 room = glm::max(view.area.size - glm::vec2(2 * kMargin, kMargin + kHeading) * font, 1.0f);
  const glm::vec2 cells(transition_->grid().x, transition_->grid().y);
  const glm::vec2 size = cells * std::min(room.x / cells.x, room.y / cells.y);
  const Box grid{view.area.corner + glm::vec2(kMargin, kHeading) * font + (room - size) / 2.0f, size};

  const float in_grid = transition_->grid_share(seconds_);
  const theme::Overlay& marks = theme::overlay(view.is_light);
  const glm::vec4 empty = ImGui::ColorConvertU32ToFloat4(marks.empty_tile_outline);
  list.AddRectFilled(square.corner, square.corner + square.size,
                     with_opacity(empty, 0.35f * opacity * (1 - in_grid)));
  list.AddRect(square.corner, square.corner + square.size, with_opacity(empty, opacity * (1 - in_grid)));
  const glm::vec4 colour = colour_of(to);
  const ImU32 fill = with_opacity(colour, kFill * opacity);
  const ImU32 outline = with_opacity(colour, opacity);
  for (std::size_t i = 0; i < transition_->tiles(); ++i) {
    const Box tile = transition_->tile(i, seconds_, square, grid);
    const glm::vec2 end = tile.corner + tile.size;
    list.AddRectFilled(tile.corner, end, fill);
    if (std::min(tile.size.x, tile.size.y) >= kOutlineSide) list.AddRect(tile.corner, end, outline);
  }

  const LaunchShape launch = space.launch_shape(to);
  const bool held_in_grid = to == MapKind::kCompact;
  const TiledFractal& tiled = space.tiled();
  const Text words = transition_->in_memory()
                         ? format_text("Memory of {}: {} × {} tiles", label_of(to),
                                       format_count(held_in_grid ? tiled.orthotope_x : tiled.grid_x),
                                       format_count(held_in_grid ? tiled.orthotope_y : tiled.grid_y))
                         : format_text("Launch of {}: {} × {} tiles", label_of(to),
                                       format_count(launch.tiles_x), format_count(launch.tiles_y));
  const glm::vec2 text = ImGui::CalcTextSize(words.c_str());
  const glm::vec2 at{view.area.centre().x - text.x / 2, view.area.corner.y + theme::grid(3)};
  list.AddRectFilled(at - theme::grid(2), at + text + theme::grid(2),
                     with_opacity(theme::colours().raised, opacity), theme::grid(1));
  list.AddText(at, with_opacity(theme::colours().text, opacity), words.c_str());
}

}  // namespace loom::app
