#include "app/workspaces/life/picture/thread_path.h"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "app/explain/memory.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/text.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/pane_presets.h"

namespace loom::app {
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
