#include "app/workspaces/solid/solid_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace loom::app {
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

constexpr ReportValue<MapScore> kSolidCompared[] = {
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
  add_values(json, kSolidCompared, &score);
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
