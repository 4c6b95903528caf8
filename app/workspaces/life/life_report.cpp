#include "app/workspaces/life/life_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "compute/map/tiling.h"

namespace loom::app {
namespace {

nlohmann::ordered_json traffic(const explain::GlobalTraffic& traffic) {
  return {{"requests", traffic.requests},
          {"sectors", traffic.sectors},
          {"used", traffic.bytes_requested},
          {"moved", traffic.bytes_moved()}};
}

}  // namespace

void add_launch(nlohmann::ordered_json& json, const Pane& pane) {
  const TiledFractal& tiled = pane.space.tiled();
  json["block_height"] = tiled.rho_y;
  json["block_level"] = tiled.tile_level;
  json["block_points"] = std::uint64_t{tiled.rho_x} * tiled.rho_y;
  json["block_cells"] = tiled.tile_cells;
  json["map_level"] = tiled.coarse_level;
  const MapMethod& method = pane.async_engine->config().method;
  const LaunchShape shape = pane.space.launch_shape(method.map);
  const GpuLaunch launch = gpu_launch(method, tiled, shape);
  json["grid_width"] = shape.blocks_x;
  json["grid_height"] = shape.blocks_y;
  json["thread_blocks"] = launch.thread_blocks();
  json["threads_of_thread_block"] = launch.threads;
  json["most_tiles"] = allowed_tiles(method, tiled).back();
  const auto& threads = pane.threads;
  const auto counted = [&](std::uint64_t count) -> nlohmann::ordered_json {
    if (!threads) return nullptr;
    return count;
  };
  const ThreadCount count = threads.value_or(ThreadCount{});
  json["blocks_launched"] = counted(count.tiles_launched);
  json["blocks_occupied"] = counted(count.tiles_occupied);
  json["blocks_empty"] = counted(count.tiles_empty());
  json["threads_launched"] = counted(count.threads_launched);
  json["threads_active"] = counted(count.threads_active);
  json["threads_idle"] = counted(count.threads_launched - count.threads_active);
  json["threads_misplaced"] = counted(count.threads_misplaced);
  json["bytes_held"] = pane.async_engine->allocated_bytes();
  json["bytes_of_generation"] = pane.async_engine->allocated_bytes() / 2;
  const StageStats step = pane.generation_stats();
  json["step_ms"] = nullptr;
  if (step.samples > 0) json["step_ms"] = step.median;
}

nlohmann::ordered_json thread_numbers(const ThreadExplanation& explanation, const TileGrid& space) {
  if (!explanation.thread()) return nullptr;
  const ThreadExplanation::Thread& thread = *explanation.thread();
  const explain::ThreadLocation& place = thread.place;
  nlohmann::ordered_json json{{"block_x", place.ref.block.x},
                              {"block_y", place.ref.block.y},
                              {"number", place.ref.thread},
                              {"thread_block_x", place.thread_block.x},
                              {"thread_block_y", place.thread_block.y},
                              {"tile", place.tile},
                              {"warp", place.warp()},
                              {"lane", place.lane()}};
  std::uint64_t working = 0;
  for (const auto& lane : explanation.space()->locations_of(thread.warp)) {
    if (lane && lane->has_cell) ++working;
  }
  json["lanes_working"] = working;
  if (place.has_position) {
    json["place_x"] = place.place.x;
    json["place_y"] = place.place.y;
    json["block_works"] = space.holds_cells(place.place);
    json["cell_x"] = place.cell.x;
    json["cell_y"] = place.cell.y;
  }
  json["at_x"] = place.at.x;
  json["at_y"] = place.at.y;
  json["works"] = place.has_cell;
  if (place.address) {
    json["address"] = *place.address;
    json["line"] = place.line();
    json["sector"] = place.sector();
  }
  if (thread.lambda) {
    for (const explain::LambdaStep& step : thread.lambda->steps) {
      json[fmt::format("level{}", step.level)] = {{"digit", step.digit},       {"from_x", step.from_x},
                                                  {"offset_x", step.offset.x}, {"offset_y", step.offset.y},
                                                  {"width", step.weight.x},    {"sum_x", step.sum.x},
                                                  {"sum_y", step.sum.y}};
    }
  }
  if (thread.traffic) {
    json["reads"] = traffic(thread.traffic->cells_read);
    json["writes"] = traffic(thread.traffic->cells_written);
  }
  return json;
}

}  // namespace loom::app
