#include "app/workspaces/life/picture/map_morph.h"

#include <algorithm>
#include <glm/common.hpp>

#include "app/explain/bit_storage_text.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/map_colours.h"

namespace loom::app {
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
