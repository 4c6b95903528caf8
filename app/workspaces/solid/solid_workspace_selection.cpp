// The mouse and the selected cell of the 3-D workspace.
// The three maps side by side in the 3-D workspace.

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/gui/theme.h"
#include "app/workspaces/solid/panels/solid_panels.h"
#include "app/workspaces/solid/solid_workspace.h"

namespace loom::app {

namespace {

/// Draws the edges of a box of cells, as far as they are in front of the camera.
void draw_box(ImDrawList& list, const SolidCamera& camera, Coord3 size, glm::ivec2 picture, const Area& area,
              float scale, glm::vec3 low, glm::vec3 high, ImU32 colour, float width) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int edge = 0; edge < 4; ++edge) {
      glm::vec3 from = low;
      const int one = (axis + 1) % 3;
      const int other = (axis + 2) % 3;
      if ((edge & 1) != 0) from[one] = high[one];
      if ((edge & 2) != 0) from[other] = high[other];
      glm::vec3 to = from;
      to[axis] = high[axis];
      const auto begin = camera.project(from, size, picture);
      const auto end = camera.project(to, size, picture);
      if (begin && end) list.AddLine(area.corner + *begin / scale, area.corner + *end / scale, colour, width);
    }
  }
}

}  // namespace

// All panes show the same view and have the same size, so the mouse moves it in each of them.
void SolidWorkspace::update_mouse() {
  const ImGuiIO& io = ImGui::GetIO();
  if (!mouse_.is_pressed()) {
    mouse_area_ = area_;
    for (const PaneArea& pane : pane_areas_) {
      if (pane.picture.contains(io.MousePos)) mouse_area_ = pane.picture;
    }
  }
  const bool over = !io.WantCaptureMouse && ImGui::IsMousePosValid() && mouse_area_.contains(io.MousePos);
  SolidLook& look = edit_->settings.look;
  const bool moves_cut = io.KeyCtrl && look.cut_axis != CutAxis::kNone;
  if (over && moves_cut) look.cut = std::clamp(look.cut + io.MouseWheel * 0.02f, 0.0f, 1.0f);
  mouse_.update(camera_, mouse_area_, picture_, scale_, over, !moves_cut);
}

std::optional<glm::vec2> SolidWorkspace::hovered_pixel() const {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantCaptureMouse || !ImGui::IsMousePosValid() || !mouse_area_.contains(io.MousePos)) return {};
  return (glm::vec2(io.MousePos) - mouse_area_.corner) * scale_;
}

void SolidWorkspace::pick() {
  // A button that was pressed on a cell may be a click on it.
  if (mouse_.may_click()) return;
  const auto pixel = mouse_.is_pressed() ? std::nullopt : hovered_pixel();
  if (!pixel || !active().state().has_engine() || active().state().config() != settings_.config) {
    hovered_.reset();
    return;
  }
  const auto at = glm::clamp(glm::ivec2(*pixel), glm::ivec2(0), picture_ - 1);
  const SolidView view = view_of(settings_.config, settings_.look, camera_, picture_);
  const SolidHit hit = active().engine().pick(view, at.x, at.y);
  hovered_ = hit.hit ? std::optional(hit.cell) : std::nullopt;
}

// A click pins the cell under the mouse, or changes it in edit mode. Escape unpins.
void SolidWorkspace::select() {
  SolidSettings& settings = edit_->settings;
  const Coord3 size = settings.config.fractal.size(settings.config.level);
  const auto inside = [&](Coord3 cell) { return cell.x < size.x && cell.y < size.y && cell.z < size.z; };
  if (settings.pinned && !inside(*settings.pinned)) settings.pinned.reset();
  if (settings.pinned && std::exchange(edit_->shell.commands.dismiss, false)) settings.pinned.reset();
  if (hovered_ && !inside(*hovered_)) hovered_.reset();
  if (mouse_.take_click() && hovered_) {
    if (settings.edit_cells) {
      edit_cell(*hovered_);
    } else {
      settings.pinned = hovered_;
    }
  }
}

void SolidWorkspace::locate_threads() {
  const std::optional<Coord3> cell = selected_cell();
  for (const MapKind map : kMapKinds) {
    const bool shown = settings_.compare || map == settings_.config.method.map;
    selected_[index_of(map)].update(compared_config(settings_.config, map), shown ? cell : std::nullopt);
  }
}

void SolidWorkspace::edit_cell(Coord3 cell) {
  const RayEngine& state = active().state();
  if (busy() || !state.has_engine() || state.config() != edit_->settings.config || state.cells() != cells_)
    return;
  const auto alive = active().engine().cell(cell);
  if (!alive) return;
  const auto put = [](const CellSourceOf<3>& cells) {
    return [cells](SolidSceneEdit& scene) { scene.commands.cells = cells; };
  };
  const auto back = put(cells_);
  cells_.edit({{cell, !*alive}}, {{cell, *alive}});
  edits_.record({.what = "edit of a cell"}, back, put(cells_));
}

void SolidWorkspace::overlays(ImDrawList& list) {
  const auto cell = selected_cell();
  if (!cell || picture_ == glm::ivec2{1, 1}) return;
  const Coord3 size = settings_.config.fractal.size(settings_.config.level);
  const theme::Overlay& colours = theme::overlay(theme::is_light(background_));
  const ImU32 colour = settings_.pinned ? colours.selection : colours.hovered;
  const glm::vec3 low(cell->x, cell->y, cell->z);
  for (const MapKind map : kMapKinds) {
    const bool active = map == settings_.config.method.map;
    if (!active && pane_areas_.empty()) continue;
    const auto& location = selected_[index_of(map)].location();
    if (!location) continue;
    const Area area = active ? area_ : pane_area(map);
    const Coord3 rho = selected_[index_of(map)].space().map().tiled.rho;
    const glm::vec3 sides(rho.x, rho.y, rho.z);
    const glm::vec3 tile = glm::vec3(location->place.x, location->place.y, location->place.z) * sides;
    list.PushClipRect(area.corner, area.end());
    const auto box = [&](glm::vec3 from, glm::vec3 to, ImU32 paint, float width) {
      draw_box(list, camera_, size, picture_, area, scale_, from, to, paint, width);
    };
    box(tile, tile + sides, colours.active_tile, 1.5f);
    box(low, low + 1.0f, colours.edge, 4);
    box(low, low + 1.0f, colour, 2);
    list.PopClipRect();
  }
}

Area SolidWorkspace::pane_area(MapKind map) const {
  return pane_areas_.empty() ? area_ : pane_areas_[index_of(map)].picture;
}

MapScores SolidWorkspace::scores() const {
  MapScores scores;
  const RayEngine& compared = active().state();
  for (const MapKind map : kMapKinds) {
    MapScore& score = scores[index_of(map)];
    score.map = map;
    const RayPane* const pane = panes_[index_of(map)].get();
    if (pane == nullptr) continue;
    score.problem = pane->problem_of(request_of(map));
    const RayEngine& one = pane->state();
    // Before its engine is built, a pane still has the numbers of another map.
    if (!score.problem.empty() || !one.has_engine() || one.config().method.map != map) continue;
    if (one.step().samples > 0) score.values.step_ms = one.step().median;
    score.values.threads = one.threads();
    score.values.bytes = one.allocated_bytes();
    if (pane != &active() && one.census() && compared.census() && one.generation() == compared.generation())
      score.identical = one.census()->hash == compared.census()->hash;
  }
  return scores;
}

void SolidWorkspace::add_comparison_state(nlohmann::ordered_json& own) const {
  const auto triple = [](Coord3 at) { return nlohmann::ordered_json{at.x, at.y, at.z}; };
  own["selected"] = nullptr;
  own["pinned"] = settings_.pinned.has_value();
  own["thread"] = nullptr;
  if (const auto cell = selected_cell()) own["selected"] = triple(*cell);
  const auto thread_of_map = [&](MapKind map) {
    nlohmann::ordered_json thread;
    const auto& location = selected_[index_of(map)].location();
    if (!location) return thread;
    thread["cell"] = triple(location->cell);
    thread["tile"] = triple(location->omega);
    add_solid_report(thread, *location);
    thread["text"] = selected_[index_of(map)].text();
    return thread;
  };
  own["thread"] = thread_of_map(settings_.config.method.map);
  own["compare"] = settings_.compare;
  own["compared"] = nullptr;
  if (!settings_.compare) return;
  nlohmann::ordered_json compared;
  for (const MapScore& score : scores()) {
    nlohmann::ordered_json one;
    add_solid_report(one, score);
    one["step_ms"] = one["identical"] = nullptr;
    if (score.values.step_ms) one["step_ms"] = *score.values.step_ms;
    if (score.identical) one["identical"] = *score.identical;
    one["problem"] = score.problem;
    one["thread"] = thread_of_map(score.map);
    one["header"] = one["picture"] = nullptr;
    if (!pane_areas_.empty()) {
      one["header"] = numbers_of(pane_areas_[index_of(score.map)].header);
      one["picture"] = numbers_of(pane_area(score.map));
    }
    compared[report_key(score.map)] = std::move(one);
  }
  own["compared"] = std::move(compared);
  own["comparison_done"] = !comparison_pending_;
}

namespace {

using Kind = ReportField::Kind;

Coord3 size_of(const RayEngine& now) {
  return now.config().fractal.size(now.config().level);
}

std::uint64_t tile_points_of(const RayEngine& now) {
  const SolidConfig& config = now.config();
  return make_tiled_fractal(config.fractal, config.level, config.tile_size).points_per_tile();
}

constexpr ReportValue<RayEngine> kSolid[] = {
    {"fractal", "name of the three-dimensional fractal", Kind::kText},
    {"level", "r, the level of the fractal", Kind::kNumber},
    {"map", "bounding-box, lambda or compact", Kind::kText},
    {"block", "ρ_x, the width of a tile in points", Kind::kNumber},
    {"replicas", "k, the number of replicas", [](auto& now) { return now.config().fractal.shape().k; }},
    {"width", "width of the cube in points, s_x^r", [](auto& now) { return size_of(now).x; }},
    {"height", "height of the cube in points, s_y^r", [](auto& now) { return size_of(now).y; }},
    {"depth", "depth of the cube in points, s_z^r", [](auto& now) { return size_of(now).z; }},
    {"points", "points of the cube", [](auto& now) { return volume(size_of(now)); }},
    {"cells", "cells of the fractal, k^r",
     [](auto& now) { return now.config().fractal.cells(now.config().level); }},
    {"tile_points", "points of a tile", [](auto& now) { return tile_points_of(now); }},
    {"generation", "generations since the start", [](auto& now) { return now.generation(); }},
    {"population", "living cells when they were last counted, while playing at most four times a second",
     [](auto& now) {
       return now.last_count() ? std::optional(now.last_count()->census.population) : std::nullopt;
     }},
    {"tiles_launched", "tiles launched per generation (counted)",
     [](auto& now) { return now.threads().tiles_launched; }},
    {"tiles_empty", "of these, without an active thread",
     [](auto& now) { return now.threads().tiles_empty(); }},
    {"threads_launched", "threads launched per generation (counted)",
     [](auto& now) { return now.threads().threads_launched; }},
    {"threads_active", "of these, with a cell", [](auto& now) { return now.threads().threads_active; }},
    {"bytes", "memory allocated for cells, both generations",
     [](auto& now) { return now.allocated_bytes(); }},
    {"step_ms", "milliseconds per generation: the median of the live timing",
     [](auto& now) { return now.step().median; }},
};

constexpr ReportValue<MapScoreValues> kSolidCompared[] = {
    {"tiles_launched", "tiles launched per generation (counted)",
     [](auto& score) { return score.threads ? std::optional(score.threads->tiles_launched) : std::nullopt; }},
    {"threads_launched", "threads launched per generation (counted)",
     [](auto& score) {
       return score.threads ? std::optional(score.threads->threads_launched) : std::nullopt;
     }},
    {"threads_active", "of these, with a cell",
     [](auto& score) { return score.threads ? std::optional(score.threads->threads_active) : std::nullopt; }},
    {"bytes", "memory allocated for cells, both generations", [](auto& score) { return score.bytes; }},
};

constexpr ReportValue<explain::SolidThreadLocation> kSolidThread[] = {
    {"cell_x", "the selected cell", [](auto& at) { return at.cell.x; }},
    {"cell_y", "its y", [](auto& at) { return at.cell.y; }},
    {"cell_z", "its z", [](auto& at) { return at.cell.z; }},
    {"omega_x", "index of the tile, ω; for the bounding box its position",
     [](auto& at) { return at.omega.x; }},
    {"omega_y", "its y", [](auto& at) { return at.omega.y; }},
    {"omega_z", "its z", [](auto& at) { return at.omega.z; }},
    {"place_x", "position of the tile in the cube, in tiles", [](auto& at) { return at.place.x; }},
    {"place_y", "its y", [](auto& at) { return at.place.y; }},
    {"place_z", "its z", [](auto& at) { return at.place.z; }},
    {"thread", "thread index in tile", [](auto& at) { return at.ref.thread; }},
    {"thread_block", "index of the thread block", [](auto& at) { return at.launch.block; }},
    {"byte", "byte offset of the cell in one generation", [](auto& at) { return at.address; }},
};

}  // namespace

std::string report_key(MapKind map) {
  std::string key(name_of(map));
  std::ranges::replace(key, '-', '_');
  return key;
}

void add_solid_report(nlohmann::ordered_json& json, const RayEngine& runner) {
  add_values(json, kSolid, &runner);
}

void add_solid_report(nlohmann::ordered_json& json, const MapScore& score) {
  add_values(json, kSolidCompared, &score.values);
}

void add_solid_report(nlohmann::ordered_json& json, const explain::SolidThreadLocation& location) {
  add_values(json, kSolidThread, &location);
}

void add_solid_fields(ReportFields& fields) {
  add_fields(fields, "solid.", kSolid);
  add_fields(fields, "solid.thread.", kSolidThread);
  for (const MapKind map : kMapKinds)
    add_fields(fields, fmt::format("solid.compared.{}.", report_key(map)), kSolidCompared);
}

}  // namespace loom::app
