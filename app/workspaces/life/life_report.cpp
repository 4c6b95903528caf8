#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "app/bench/cell_config.h"
#include "app/workspaces/life/panes/panes.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "compute/engine/fractal_engine.h"
#include "compute/map/tiling.h"
#include "compute/map_code/run.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

using Kind = ReportField::Kind;

const FractalConfig& config_of(const Pane& pane) {
  return pane.async_engine->config();
}

LaunchShape grid_of(const Pane& pane) {
  return pane.space.launch_shape(config_of(pane).method.map);
}

GpuLaunch gpu_launch_of(const Pane& pane) {
  return gpu_launch(config_of(pane).method, pane.space.tiled(), grid_of(pane));
}

/// Nothing beyond 64 bits, which the highest levels exceed.
std::optional<std::uint64_t> points_of(const TiledFractal& square) {
  if (square.width > std::numeric_limits<std::uint64_t>::max() / square.height) return std::nullopt;
  return square.width * square.height;
}

std::optional<double> step_ms_of(const Pane& pane) {
  const StageStats step = pane.generation_stats();
  return step.samples > 0 ? std::optional(step.median) : std::nullopt;
}

constexpr ReportValue<LifeScene> kScene[] = {
    {"fractal", "name of the fractal", Kind::kText},
    {"replicas", "k, the number of replicas",
     [](auto& scene) { return config_of(scene.pane).fractal.shape().k; }},
    {"scale_x", "s_x", [](auto& scene) { return config_of(scene.pane).fractal.shape().s_x; }},
    {"scale_y", "s_y", [](auto& scene) { return config_of(scene.pane).fractal.shape().s_y; }},
    {"level", "r, the level of the fractal", Kind::kNumber},
    {"width", "width of the square in points, s_x^r",
     [](auto& scene) { return scene.pane.space.tiled().width; }},
    {"height", "height of the square in points, s_y^r",
     [](auto& scene) { return scene.pane.space.tiled().height; }},
    {"points", "points of the square", [](auto& scene) { return points_of(scene.pane.space.tiled()); }},
    {"cells", "cells of the fractal, k^r", [](auto& scene) { return scene.pane.async_engine->cell_count(); }},
    {"workload", "life, single-write or reduction",
     [](auto& scene) { return name_of(scene.settings.workload); }},
    {"rule", "the rule, B…/S…", [](auto& scene) { return to_string(scene.settings.rule); }},
    {"states", "states of the rule", [](auto& scene) { return scene.settings.rule.states; }},
    {"radius", "R of a rule of Larger than Life, 1 for other rules",
     [](auto& scene) {
       return scene.settings.rule.is_larger() ? std::uint32_t{scene.settings.rule.larger.radius} : 1u;
     }},
    {"seed", "seed of the random start", [](auto& scene) { return scene.settings.start.seed; }},
    {"density", "density of the random start", [](auto& scene) { return scene.settings.start.density; }},
    {"population", "living cells",
     [](auto& scene) { return scene.census ? std::optional(scene.census->population) : std::nullopt; }},
    {"code_passed", "1 if the code of the custom map passes its exercise, 0 if not",
     [](auto& scene) { return scene.code_passed ? 1u : 0u; }},
    {"playing", "the simulation is playing", [](auto& scene) { return scene.settings.playing; }},
    {"wrong", "why the picture is wrong; empty if it is right",
     [](auto& scene) { return scene.pane.wrong(); }},
};

// Of the active pane, and of a secondary one with the prefix pane#.
constexpr ReportValue<Pane> kPane[] = {
    {"map", "bounding-box, lambda or compact", Kind::kText},
    {"arithmetic", "map arithmetic: how λ and ν are computed", Kind::kText},
    {"intra_block", "intra-block mapping: how a tile's threads find their cells", Kind::kText},
    {"block", "ρ_x, the width of a tile in points", Kind::kNumber},
    {"tiles", "tiles per thread block", Kind::kNumber},
    {"tile_height", "ρ_y, the height of a tile in points",
     [](auto& pane) { return pane.space.tiled().rho_y; }},
    {"tile_level", "j, the level of the fractal in a tile",
     [](auto& pane) { return pane.space.tiled().tile_level; }},
    {"tile_points", "points of a tile, ρ_x times ρ_y",
     [](auto& pane) { return std::uint64_t{pane.space.tiled().rho_x} * pane.space.tiled().rho_y; }},
    {"tile_cells", "cells of a tile, k^j", [](auto& pane) { return pane.space.tiled().tile_cells; }},
    {"map_level", "r − j, the number of levels of the map",
     [](auto& pane) { return pane.space.tiled().coarse_level; }},
    {"grid_width", "width in tiles of the grid that the map launches",
     [](auto& pane) { return grid_of(pane).tiles_x; }},
    {"grid_height", "its height in tiles", [](auto& pane) { return grid_of(pane).tiles_y; }},
    {"thread_blocks", "thread blocks of this grid on a GPU",
     [](auto& pane) { return gpu_launch_of(pane).thread_blocks(); }},
    {"threads_of_thread_block", "threads per thread block",
     [](auto& pane) { return gpu_launch_of(pane).threads; }},
    {"most_tiles", "the largest allowed number of tiles per thread block",
     [](auto& pane) { return allowed_tiles(config_of(pane).method, pane.space.tiled()).back(); }},
    {"bytes_held", "memory allocated for cells, both generations",
     [](auto& pane) { return pane.async_engine->allocated_bytes(); }},
    {"bytes_of_generation", "memory for one generation",
     [](auto& pane) { return pane.async_engine->allocated_bytes() / 2; }},
    {"step_ms", "milliseconds per generation: the median of the live timing",
     [](auto& pane) { return step_ms_of(pane); }},
    {"generation", "generations since the start", [](auto& pane) { return pane.async_engine->generation(); }},
    {"backend", "cpu or cuda", [](auto& pane) { return name_of(pane.async_engine->backend().device.kind); }},
};

constexpr ReportValue<ThreadCount> kThreadCount[] = {
    {"tiles_launched", "tiles that were launched (counted)",
     [](auto& count) { return count.tiles_launched; }},
    {"tiles_occupied", "of these, tiles with cells (counted)",
     [](auto& count) { return count.tiles_occupied; }},
    {"tiles_empty", "of these, empty tiles", [](auto& count) { return count.tiles_empty(); }},
    {"threads_launched", "threads launched in one generation (counted)",
     [](auto& count) { return count.threads_launched; }},
    {"threads_active", "of these, active threads, which had a cell (counted)",
     [](auto& count) { return count.threads_active; }},
    {"threads_idle", "of these, idle threads",
     [](auto& count) { return count.threads_launched - count.threads_active; }},
    {"threads_misplaced", "of these, threads that tensor-fp16 sent to a wrong position (counted)",
     [](auto& count) { return count.threads_misplaced; }},
};

constexpr ReportValue<PaneAgreement> kAgreement[] = {
    {"equal", "its cells are identical to those of the scene",
     [](auto& one) { return one.known ? std::optional(one.equal) : std::nullopt; }},
    {"cells_that_differ", "cells that differ from those of the scene",
     [](auto& one) { return one.known && one.equal ? std::optional<std::uint64_t>(0) : one.count; }},
};

struct ExplainedThread {
  const ThreadExplanation::Thread& thread;
  const TileGrid& space;
  const explain::ThreadLocation& place() const { return thread.place; }
};

constexpr ReportValue<ExplainedThread> kThread[] = {
    {"tile_x", "ω_x of its tile", [](auto& one) { return one.place().ref.tile.x; }},
    {"tile_y", "ω_y of its tile", [](auto& one) { return one.place().ref.tile.y; }},
    {"number", "its thread index in the tile", [](auto& one) { return one.place().ref.thread; }},
    {"thread_block_x", "blockIdx.x", [](auto& one) { return one.place().thread_block.x; }},
    {"thread_block_y", "blockIdx.y", [](auto& one) { return one.place().thread_block.y; }},
    {"tile", "the index of its tile in the thread block", [](auto& one) { return one.place().tile; }},
    {"warp", "the index of its warp in the thread block", [](auto& one) { return one.place().warp(); }},
    {"lane", "its lane in the warp", [](auto& one) { return one.place().lane(); }},
    {"lanes_working", "active lanes of its warp",
     [](auto& one) {
       return std::ranges::count_if(one.thread.lanes,
                                    [](const auto& lane) { return lane && lane->has_cell; });
     }},
    {"at_x", "its x in the tile", [](auto& one) { return one.place().at.x; }},
    {"at_y", "its y in the tile", [](auto& one) { return one.place().at.y; }},
    {"works", "its point is a cell", [](auto& one) { return one.place().has_cell; }},
};

// Of a thread with a position in the square.
constexpr ReportValue<ExplainedThread> kPosition[] = {
    {"place_x", "tile position: the column of its tile in the square, in tiles",
     [](auto& one) { return one.place().place.x; }},
    {"place_y", "the row of its tile, in tiles", [](auto& one) { return one.place().place.y; }},
    {"tile_occupied", "its tile has cells",
     [](auto& one) { return one.space.holds_cells(one.place().place); }},
    {"cell_x", "x of its point in the square", [](auto& one) { return one.place().cell.x; }},
    {"cell_y", "y of its point in the square", [](auto& one) { return one.place().cell.y; }},
};

// Of a thread whose cell has an address.
constexpr ReportValue<ExplainedThread> kMemory[] = {
    {"address", "byte offset of the cell", [](auto& one) { return one.place().address; }},
    {"line", "its cache line (128 bytes)", [](auto& one) { return one.place().line(); }},
    {"sector", "its sector (32 bytes)", [](auto& one) { return one.place().sector(); }},
};

constexpr ReportValue<explain::LambdaStep> kLambdaStep[] = {
    {"digit", "λ: the digit of ω at level # (1 is the finest)", [](auto& step) { return step.digit; }},
    {"from_x", "λ: the digit is one of ω_x, otherwise of ω_y", [](auto& step) { return step.from_x; }},
    {"offset_x", "λ: τ_x, the offset of the replica that the digit selects",
     [](auto& step) { return step.offset.x; }},
    {"offset_y", "λ: τ_y", [](auto& step) { return step.offset.y; }},
    {"width", "λ: the width of a replica of that level, in tiles", [](auto& step) { return step.weight.x; }},
    {"sum_x", "λ: x of the sum up to this level", [](auto& step) { return step.sum.x; }},
    {"sum_y", "λ: y of it", [](auto& step) { return step.sum.y; }},
};

// Of the cells that a warp reads, and of those that it writes.
constexpr ReportValue<explain::GlobalTraffic> kTraffic[] = {
    {"requests", "memory requests with which its warp reads, or writes, cells",
     [](auto& cells) { return cells.requests; }},
    {"sectors", "sectors of 32 bytes that they transfer", [](auto& cells) { return cells.sectors; }},
    {"used", "bytes of these sectors that are used", [](auto& cells) { return cells.bytes_requested; }},
    {"moved", "bytes transferred: 32 times the sectors", [](auto& cells) { return cells.bytes_moved(); }},
};

// Of the custom map's code as it was run last, while the user types or on Run.
constexpr ReportValue<MapResult> kCode[] = {
    {"warps", "custom map: warps of the launch", [](auto& ran) { return ran.coverage.warps; }},
    {"instructions", "custom map: instructions that these executed, by the interpreter's count",
     [](auto& ran) { return ran.counts.instructions; }},
    {"divergent", "custom map: branches at which active lanes of a warp went both ways",
     [](auto& ran) { return ran.counts.divergent; }},
};
constexpr ReportValue<LineCounts> kCodeLine[] = {
    {"executions", "custom map: how often warps executed line #", [](auto& line) { return line.executions; }},
    {"lanes", "custom map: active lanes of these executions", [](auto& line) { return line.executed_lanes; }},
    {"branches", "custom map: conditions on line # that warps tested",
     [](auto& line) { return line.branches; }},
    {"divergent", "custom map: of these, those at which active lanes went both ways",
     [](auto& line) { return line.divergent; }},
};

void add_thread_fields(ReportFields& fields, const std::string& prefix) {
  add_fields(fields, prefix, kThread);
  add_fields(fields, prefix, kPosition);
  add_fields(fields, prefix, kMemory);
  add_fields(fields, prefix + "level#.", kLambdaStep);
  add_fields(fields, prefix + "reads.", kTraffic);
  add_fields(fields, prefix + "writes.", kTraffic);
}

}  // namespace

void add_scene(nlohmann::ordered_json& json, const LifeScene& scene) {
  add_pane(json, scene.pane);
  add_values(json, kScene, &scene);
}

void add_pane(nlohmann::ordered_json& json, const Pane& pane) {
  bench::add_config(json, config_of(pane));
  add_values(json, kPane, &pane);
  add_values(json, kThreadCount, pane.threads ? &*pane.threads : nullptr);
}

void add_agreement(nlohmann::ordered_json& json, const PaneAgreement& agreement) {
  add_values(json, kAgreement, &agreement);
}

nlohmann::ordered_json thread_numbers(const ThreadExplanation& explanation, const TileGrid& space) {
  if (!explanation.thread()) return nullptr;
  const ThreadExplanation::Thread& thread = *explanation.thread();
  const ExplainedThread explained{thread, space};
  auto json = nlohmann::ordered_json::object();
  add_values(json, kThread, &explained);
  if (thread.place.has_position) add_values(json, kPosition, &explained);
  if (thread.place.address) add_values(json, kMemory, &explained);
  if (thread.lambda) {
    for (const explain::LambdaStep& step : thread.lambda->steps)
      add_values(json[fmt::format("level{}", step.level)], kLambdaStep, &step);
  }
  if (thread.traffic) {
    add_values(json["reads"], kTraffic, &thread.traffic->cells_read);
    add_values(json["writes"], kTraffic, &thread.traffic->cells_written);
  }
  return json;
}

void add_code_counts(nlohmann::ordered_json& json, const MapResult* ran) {
  add_values(json, kCode, ran);
  if (ran == nullptr) return;
  for (std::size_t line = 1; line < ran->lines.size(); ++line)
    add_values(json[fmt::format("line{}", line)], kCodeLine, &ran->lines[line]);
}

void add_life_fields(ReportFields& fields) {
  add_fields(fields, "", kScene);
  add_fields(fields, "", kPane);
  add_fields(fields, "", kThreadCount);
  add_thread_fields(fields, "thread.");
  add_fields(fields, "code.", kCode);
  add_fields(fields, "code.line#.", kCodeLine);
  add_fields(fields, "pane#.", kPane);
  add_fields(fields, "pane#.", kThreadCount);
  add_fields(fields, "pane#.", kAgreement);
  add_thread_fields(fields, "pane#.thread.");
}

}  // namespace loom::app
