#include "app/explain/map_metrics.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "app/explain/memory.h"
#include "app/text/format.h"
#include "compute/core/error.h"
#include "compute/core/integer_math.h"

namespace loom::app::explain {
namespace {

std::uint64_t checked(std::uint64_t number) {
  if (number == ~std::uint64_t{0}) throw InputError("the launch of this map exceeds 64-bit numbers");
  return number;
}

std::uint64_t scaled(std::uint64_t number, double factor) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(number) * factor));
}

using Value = MetricRow::Value;

Value counted(std::uint64_t number) {
  return {static_cast<double>(number), format_count(number)};
}
Value in_bytes(std::uint64_t number) {
  return {static_cast<double>(number), format_bytes(number)};
}
Value fraction(double share) {
  return {share, format_percent(share)};
}

/// "8.12 GB/s": as profilers print it, in powers of ten.
std::string bandwidth(double bytes_per_second) {
  return bytes_per_second >= 1e12 ? fmt::format("{:.2f} TB/s", bytes_per_second / 1e12)
                                  : fmt::format("{:.2f} GB/s", bytes_per_second / 1e9);
}

}  // namespace

GlobalTraffic MapMetrics::global() const {
  GlobalTraffic all = traffic.sum.cells_read;
  all += traffic.sum.tables_read;
  all += traffic.sum.cells_written;
  if (traffic.exact || traffic.warps == 0) return all;
  const double factor = static_cast<double>(warps) / static_cast<double>(traffic.warps);
  all.requests = scaled(all.requests, factor);
  all.sectors = scaled(all.sectors, factor);
  all.bytes_requested = scaled(all.bytes_requested, factor);
  return all;
}

MapMetrics map_metrics(const FractalConfig& config, std::uint64_t most_warps) {
  if (!has_tiles(config)) throw InputError(std::string(kByteStorageOnly));
  const ThreadSpace space(config);
  const GpuLaunch& launch = space.launch();
  if (!space.threads() || !space.bytes()) throw InputError("the launch of this map exceeds 64-bit numbers");
  MapMetrics metrics{.config = config,
                     .kernel = life_kernel_of(space),
                     .threads = *space.threads(),
                     .active = config.fractal.cells(config.level),
                     .bytes = *space.bytes()};
  const std::uint64_t blocks = checked(saturating_multiply(launch.blocks_x, launch.blocks_y));
  metrics.warps = checked(saturating_multiply(blocks, warps_of_thread_block(space)));
  const std::uint64_t rounds = (launch.tiling.tiles() + launch.tiling.parallel - 1) / launch.tiling.parallel;
  metrics.lanes = checked(saturating_multiply(metrics.warps, rounds * kWarpLanes));
  metrics.traffic = launch_traffic(space, most_warps);
  return metrics;
}

std::vector<MetricRow> metric_rows(const std::vector<MapMetrics>& maps, const MapStepTimes& times) {
  std::vector<MetricRow> rows;
  const auto add = [&](const char* name, std::string origin, const char* tip,
                       const std::function<Value(const MapMetrics&)>& value) {
    MetricRow row{name, std::move(origin), tip, {}};
    for (const MapMetrics& map : maps) row.values.push_back(value(map));
    rows.push_back(std::move(row));
  };
  const auto ms_of = [&](const MapMetrics& map) {
    return times.ms[static_cast<std::size_t>(map.config.method.map)];
  };
  const std::string computed = "computed";
  std::string traffic = computed;
  for (const MapMetrics& map : maps) {
    if (!map.traffic.exact) traffic = fmt::format("computed from {} warps", format_count(map.traffic.warps));
  }
  add("Step time", times.benchmarked ? "measured, benchmark" : "measured, live",
      "Median time of one generation on the active backend; K benchmarks the maps with rendering paused",
      [&](const MapMetrics& map) {
        const auto ms = ms_of(map);
        return ms ? Value{*ms, format_time(*ms)} : Value{{}, "press K"};
      });
  add("Launched threads", computed, "Threads of the launch: the positions of all its tiles",
      [](const MapMetrics& map) { return counted(map.threads); });
  add("Active threads", computed, "Threads with a cell",
      [](const MapMetrics& map) { return counted(map.active); });
  add("Idle threads", computed, "Threads whose position is a hole",
      [](const MapMetrics& map) { return counted(map.idle()); });
  add("Thread utilization", computed, kUtilizationMeaning,
      [](const MapMetrics& map) { return fraction(thread_utilization(map.active, map.threads)); });
  add("Idle lanes", computed, kIdleLanesMeaning,
      [](const MapMetrics& map) { return fraction(map.idle_lanes()); });
  add("Requests", traffic, "Load and store instructions of warps to global memory in one generation",
      [](const MapMetrics& map) { return counted(map.global().requests); });
  add("Sectors/request", traffic, "Sectors of 32 bytes that a request touches; less is better coalesced",
      [](const MapMetrics& map) {
        const double sectors = map.global().sectors_per_request();
        return Value{sectors, fmt::format("{:.2f}", sectors)};
      });
  add("Bytes requested", traffic, "Distinct bytes that the lanes of each request access",
      [](const MapMetrics& map) { return in_bytes(map.global().bytes_requested); });
  add("Bytes transferred", traffic, "Sectors times 32 bytes; the rest beyond the requested bytes is wasted",
      [](const MapMetrics& map) { return in_bytes(map.global().bytes_moved()); });
  add("Bandwidth", "computed / measured", "Bytes transferred, computed, divided by the measured step time",
      [&](const MapMetrics& map) {
        const auto ms = ms_of(map);
        if (!times.on_gpu) return Value{{}, "no GPU"};
        if (!ms || *ms <= 0) return Value{{}, "press K"};
        const double rate = static_cast<double>(map.global().bytes_moved()) / *ms * 1e3;
        return Value{rate, bandwidth(rate)};
      });
  add("Occupancy", "device", "Resident threads of a multiprocessor, by CUDA's occupancy calculator",
      [](const MapMetrics& map) {
        return map.occupancy ? fraction(map.occupancy->share()) : Value{{}, map.no_occupancy};
      });
  add("Limited by", "device", "The resource that limits the resident thread blocks",
      [](const MapMetrics& map) {
        return Value{{}, map.occupancy ? limited_by(*map.occupancy) : map.no_occupancy};
      });
  add("Registers", "device", "Registers per thread of the kernel", [](const MapMetrics& map) {
    return map.occupancy ? counted(map.occupancy->kernel.registers) : Value{{}, map.no_occupancy};
  });
  add("Bytes per generation", computed, "The engine allocates two generations",
      [](const MapMetrics& map) { return in_bytes(map.bytes); });
  return rows;
}

}  // namespace loom::app::explain
