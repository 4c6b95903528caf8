#include "app/life/life_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "compute/map/tiling.h"

namespace loom::app {
namespace {

nlohmann::ordered_json traffic(const teach::GlobalTraffic& traffic) {
  return {{"requests", traffic.requests},
          {"sectors", traffic.sectors},
          {"used", traffic.bytes_used},
          {"moved", traffic.bytes_moved()}};
}

}  // namespace

void add_launch(nlohmann::ordered_json& json, const Pane& pane) {
  const BlockedFractal& blocked = pane.space.blocked();
  json["block_height"] = blocked.rho_y;
  json["block_level"] = blocked.block_level;
  json["block_points"] = std::uint64_t{blocked.rho_x} * blocked.rho_y;
  json["block_cells"] = blocked.block_cells;
  json["map_level"] = blocked.coarse_level;
  const MapMethod& method = pane.host.config().method;
  const LaunchShape shape = pane.space.launch_shape(method.map);
  const GpuLaunch launch = gpu_launch(method, blocked, shape);
  json["grid_width"] = shape.blocks_x;
  json["grid_height"] = shape.blocks_y;
  json["thread_blocks"] = launch.thread_blocks();
  json["threads_of_thread_block"] = launch.threads;
  json["most_tiles"] = allowed_tiles(method, blocked).back();
  const auto& threads = pane.threads;
  const auto counted = [&](std::uint64_t count) -> nlohmann::ordered_json {
    if (!threads) return nullptr;
    return count;
  };
  const ThreadCount count = threads.value_or(ThreadCount{});
  json["blocks_launched"] = counted(count.blocks_launched);
  json["blocks_occupied"] = counted(count.blocks_occupied);
  json["blocks_empty"] = counted(count.blocks_empty());
  json["threads_launched"] = counted(count.threads_launched);
  json["threads_active"] = counted(count.threads_active);
  json["threads_idle"] = counted(count.threads_launched - count.threads_active);
  json["threads_misplaced"] = counted(count.threads_misplaced);
  json["bytes_held"] = pane.host.bytes_held();
  json["bytes_of_generation"] = pane.host.bytes_held() / 2;
  const StageFigures step = pane.generation_figures();
  json["step_ms"] = nullptr;
  if (step.samples > 0) json["step_ms"] = step.median;
}

nlohmann::ordered_json thread_numbers(const Explained& explained, const BlockSpace& space) {
  if (!explained.thread()) return nullptr;
  const Explained::Thread& thread = *explained.thread();
  const teach::ThreadPlace& place = thread.place;
  nlohmann::ordered_json json{{"block_x", place.ref.block.x},
                              {"block_y", place.ref.block.y},
                              {"number", place.ref.thread},
                              {"thread_block_x", place.thread_block.x},
                              {"thread_block_y", place.thread_block.y},
                              {"tile", place.tile},
                              {"warp", place.warp()},
                              {"lane", place.lane()}};
  std::uint64_t working = 0;
  for (const auto& lane : explained.space()->places_of(thread.warp)) {
    if (lane && lane->has_cell) ++working;
  }
  json["lanes_working"] = working;
  if (place.has_place) {
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
    for (const teach::LambdaStep& step : thread.lambda->steps) {
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
