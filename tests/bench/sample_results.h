#pragma once

#include "app/bench/results.h"

namespace loom::test {

/// A measured row of the gasket whose times are all `ms`.
inline app::bench::Row measured_row(const std::string& map, int level, std::uint32_t tile_size, double ms) {
  app::bench::Row row(app::bench::SweepKind::kMaps);
  std::uint64_t cells = 1;
  for (int i = 0; i < level; ++i) cells *= 3;
  const std::uint64_t side = std::uint64_t{1} << level;
  row.set("fractal", "sierpinski-gasket");
  row.set("level", level);
  row.set("width", side);
  row.set("height", side);
  row.set("depth", 1);
  row.set("cells", cells);
  row.set("map", map);
  row.set("intra_block", "sub-box");
  row.set("tiles", 1);
  row.set("block", tile_size);
  if (map == "compact") row.set("halo", true);
  if (map != "bounding-box") row.set("arithmetic", "loop");
  row.set("workload", "life");
  row.set("backend", "cpu");
  row.set("device", 0);
  row.set("repeat", 0);
  row.set("devices", 1);
  set_times(row, {.median = ms, .min = ms, .p95 = ms, .mean = ms, .noise = 0.005, .samples = 10}, false);
  row.set("generations_per_sample", 4);
  row.set("tiles_launched", 3);
  row.set("threads_launched", map == "bounding-box" ? side * side : cells * 2 * tile_size);
  row.set("threads_active", cells);
  row.set("bytes_held", 2 * side * side);
  row.set("bytes_moved", 2 * cells);
  row.set("cells_per_second", static_cast<double>(cells) / ms * 1000);
  row.set("bytes_per_second", static_cast<double>(2 * cells) / ms * 1000);
  return row;
}

/// The row of a configuration that was not measured.
inline app::bench::Row skipped_row(const app::bench::Row& measured, const std::string& reason) {
  app::bench::Row row = measured;
  const auto columns = app::bench::columns(row.kind());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].is_measured) row.cells()[i] = nullptr;
  }
  row.set("skipped", reason);
  return row;
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
      results.rows.push_back(measured_row("bounding-box", level, tile_size, 8.0 * level));
      results.rows.push_back(measured_row("lambda", level, tile_size, 8.0));
    }
  }
  results.rows.push_back(
      skipped_row(measured_row("compact", 40, 4, 1), "level 40, \"too large\", with a comma"));
  results.planned = results.rows.size();
  results.complete = true;
  return results;
}

}  // namespace loom::test
