#pragma once

#include "app/bench/results.h"

namespace loom::test {

/// A measured entry of the gasket whose times are all `ms`.
inline app::bench::MapEntry measured_entry(const std::string& map, int level, std::uint32_t tile_size,
                                           double ms) {
  app::bench::MapEntry entry;
  entry.fractal = "sierpinski-gasket";
  entry.level = level;
  entry.width = entry.height = std::uint64_t{1} << level;
  for (int i = 0; i < level; ++i) entry.cells *= 3;
  entry.method = {{"map", map}, {"intra_block", "sub-box"}, {"tiles", "1"}};
  entry.tile_size = tile_size;
  if (map == "compact") entry.method["halo"] = "on";
  if (map != "bounding-box") entry.method["arithmetic"] = "loop";
  entry.workload = "life";
  entry.backend = "cpu";
  app::bench::MapResult measured;
  measured.milliseconds = {.median = ms, .min = ms, .p95 = ms, .mean = ms, .noise = 0.005, .samples = 10};
  measured.generations_per_sample = 4;
  measured.tiles_launched = 3;
  measured.threads_launched =
      map == "bounding-box" ? entry.width * entry.height : entry.cells * 2 * tile_size;
  measured.threads_active = entry.cells;
  measured.allocated_bytes = 2 * entry.width * entry.height;
  measured.bytes_moved = 2 * entry.cells;
  entry.measured = measured;
  return entry;
}

/// Bounding box and lambda at levels 4 to 6 and tile sizes 1, 2 and 4: lambda is `level` times as fast.
inline app::bench::Results sample_results() {
  app::bench::Results results;
  results.program = "fractal-loom 0.0.0";
  results.commit = "abc1234";
  results.date = "2026-11-20T12:00:00Z";
  results.machine.cpu = "Test CPU \"quoted\"";
  results.machine.threads = 2;
  results.machine.gpus = {{0, "Test GPU", "9.0", 132, std::uint64_t{1} << 37}};
  results.machine.cuda_driver = "13.0";
  results.machine.cuda_runtime = "13.0";
  results.machine.nvidia_smi = {"580.1, 1980 MHz"};
  results.settings = {{"preset", "paper-lambda"}, {"rule", "B2/S23"}, {"density", 0.5}};
  for (int level = 4; level <= 6; ++level) {
    for (std::uint32_t tile_size : {1u, 2u, 4u}) {
      results.maps().push_back(measured_entry("bounding-box", level, tile_size, 8.0 * level));
      results.maps().push_back(measured_entry("lambda", level, tile_size, 8.0));
    }
  }
  app::bench::MapEntry skipped = measured_entry("compact", 40, 4, 1);
  skipped.measured.reset();
  skipped.skipped = "level 40, \"too large\", with a comma";
  results.maps().push_back(skipped);
  results.planned = results.maps().size();
  results.complete = true;
  return results;
}

}  // namespace loom::test
