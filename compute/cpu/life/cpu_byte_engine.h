#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/cpu/life/cpu_fractal_engine.h"
#include "compute/map/map_tables.h"

namespace loom::cpu {

/// Life with one byte per cell. It visits the same tiles and threads as the GPU.
class CpuByteEngine : public CpuFractalEngine {
 public:
  /// `config` must be valid, with byte storage. Throws std::bad_alloc.
  explicit CpuByteEngine(const FractalConfig& config);

  ThreadCount count_threads() const override;
  Timeline record_timeline(const TimelineOptions& options) override;

 protected:
  /// For a partition's tile rows, with `bytes` per generation (geometry/byte_parts.h).
  CpuByteEngine(const FractalConfig& config, TileRows rows, std::uint64_t bytes);
  /// Computes the next generation of life without the halo of other partitions.
  void step_once(LifeRule rule, const ProgressScope& call);
  /// Counts held cells and living ones per pixel.
  void count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                    std::span<std::uint64_t> living);

 private:
  void run_times(std::uint32_t times, const Work& work, const ProgressScope& call, std::uint32_t& done,
                 std::uint64_t& sum) override;
  std::uint64_t units_of_work() const override;
  void paint(const Viewport& viewport, std::uint16_t* pixels) override;

  /// Runs the work once. Returns false if cancelled; the cells and `sum` are then unchanged.
  bool run_once(const Work& work, const ProgressScope& call, std::uint64_t& sum);

  HostMapTables tables_;
  std::vector<std::uint64_t> pixel_counts_;
};

}  // namespace loom::cpu
