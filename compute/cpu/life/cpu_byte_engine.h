#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/cpu/life/cpu_fractal_engine.h"
#include "compute/map/map_tables.h"

namespace loom::cpu {

/// Life with a byte a cell: the same blocks and threads as on the GPU are walked.
class CpuByteEngine : public CpuFractalEngine {
 public:
  /// `config` is valid, with bytes as its storage. Throws std::bad_alloc.
  explicit CpuByteEngine(const FractalConfig& config);

  ThreadCount count_threads() const override;
  Timeline record_timeline(const TimelineWish& wish) override;

 protected:
  /// Of a part's rows of blocks, `bytes` a generation (geometry/byte_parts.h).
  CpuByteEngine(const FractalConfig& config, BlockRows rows, std::uint64_t bytes);
  /// A generation of life into the next, without hearing of others.
  void step_once(LifeRule rule, const WatchedCall& call);
  /// Of each pixel the cells held and the living ones.
  void count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                    std::span<std::uint64_t> living);

 private:
  void run_times(std::uint32_t times, const Work& work, const WatchedCall& call, std::uint32_t& done,
                 std::uint64_t& sum) override;
  std::uint64_t units_of_work() const override;
  void paint(const Viewport& viewport, std::uint16_t* pixels) override;

  /// Does the work once; false, with the cells and `sum` as they were, where it was cancelled.
  bool run_once(const Work& work, const WatchedCall& call, std::uint64_t& sum);

  HostMapTables tables_;
  std::vector<std::uint64_t> pixel_counts_;
};

}  // namespace loom::cpu
