#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/core/stopwatch.h"
#include "compute/cpu/cpu_partition.h"
#include "compute/cpu/engines.h"
#include "compute/cpu/life/cpu_fractal_engine.h"
#include "compute/cpu/life/life.h"
#include "compute/cpu/life/resolve.h"
#include "compute/cpu/thread_pool.h"
#include "compute/geometry/partition.h"
#include "compute/map/dispatch.h"
#include "compute/map/map_tables.h"
#include "compute/workload/cell_work.h"

namespace loom::cpu {
namespace {

/// Life with one byte per cell. It visits the same tiles and threads as the GPU.
class CpuByteEngine : public CpuFractalEngine {
 public:
  /// `config` must be valid, with byte storage; `bytes`: per generation. Throws std::bad_alloc.
  CpuByteEngine(const FractalConfig& config, std::uint64_t bytes)
      : CpuFractalEngine(config, bytes), tables_(fractal_) {}

  ThreadCount count_threads() const override {
    return cpu::count_threads(config_.method, fractal_, tables_.view());
  }
  Timeline record_timeline(const TimelineOptions& options) override {
    validate(options);
    const MapMethod& method = config_.method;
    const ProgressScope call(monitor_, 4 * launch_shape(method, fractal_).tiles());
    // Writes the next generation as a step would, without making it the current one.
    const auto step = [&](RunRecorder* recorder) {
      const Stopwatch stopwatch;
      step_life(method, fractal_, tables_.view(), now_.data(), next_.data(), options.rule, call, recorder);
      return stopwatch.milliseconds();
    };
    step(nullptr);
    const double plain_milliseconds = step(nullptr);
    RunRecorder first(options.max_spans);
    step(&first);
    RunRecorder recorder(options.max_spans);
    const double milliseconds = step(&recorder);
    call.check();
    Timeline timeline = recorder.timeline();
    timeline.plain_milliseconds = plain_milliseconds;
    timeline.milliseconds = milliseconds;
    std::uint64_t runs = 0;
    for (const TimelineWorker& worker : timeline.workers) runs += worker.spans;
    timeline.launches.push_back({"step_life", runs, {}, {}});
    return timeline;
  }

 protected:
  /// Computes the next generation of life without the halo of other partitions.
  void step_once(LifeRule rule, const ProgressScope& call) {
    step_life(config_.method, fractal_, tables_.view(), by_place(fractal_, now_.data()),
              by_place(fractal_, next_.data()), rule, call);
  }

  std::vector<std::uint64_t> pixel_counts_;

 private:
  std::uint64_t units_of_work() const override { return launch_shape(config_.method, fractal_).tiles(); }
  void paint(const Viewport& viewport, std::uint16_t* pixels) override {
    cpu::resolve(config_.method, fractal_, now_.data(), viewport, monitor_, pixels, pixel_counts_);
  }
  std::uint64_t run_once(const Work& work, bool, const ProgressScope& call) override {
    const MapMethod method = config_.method;
    switch (work.workload) {
      case Workload::kSingleWrite:
        begin_single_write(call);
        single_write(method, fractal_, tables_.view(), by_place(fractal_, next_.data()),
                     static_cast<std::uint32_t>(generation_), call);
        break;
      case Workload::kReduction:
        return reduce(method, fractal_, tables_.view(), by_place(fractal_, now_.data()), call);
      case Workload::kLife:
        step_once(work.rule, call);
        break;
    }
    return 0;
  }

  HostMapTables tables_;
};

/// A partition of life in bytes on the compact map, on this process's threads. Its tile rows are stepped with
/// all other cells dead; the few boundary cells are then computed from a list.
class CpuBytePartition final : public CpuPartition<CpuByteEngine, ByteBoundary> {
 public:
  /// `config` as for CpuByteEngine, on the compact map; `part`: the tile rows. Throws std::bad_alloc.
  CpuBytePartition(const FractalConfig& config, const TiledFractal& part, std::uint32_t number,
                   ByteBoundary boundary)
      : CpuPartition(number, std::move(boundary), config, bytes_with_copies(part, boundary)),
        copies_(part_bytes(part).copies),
        boundary_next_(boundary_.boundary.size()),
        sent_(boundary_.sent.size()),
        received_(boundary_.copies.size()) {
    fractal_.held = part.held;
  }

  HaloBuffers messages() override {
    return {.sent = sent_.data(), .received = received_.data(), .element_bytes = 1};
  }
  void pack_boundary() override {
    for (std::size_t i = 0; i < sent_.size(); ++i)
      sent_[i] = now_.data()[boundary_.boundary[boundary_.sent[i]]];
  }
  void unpack_halo() override { hear(now_.data()); }
  std::uint32_t max_generations_per_exchange() const override { return 1; }
  // Without the halo, only cells next to other partitions are wrong, and those are the boundary, which is
  // computed separately.
  void step_interior(LifeRule rule, std::uint32_t, bool) override { step_once(rule, {}); }
  void end_generations(std::uint32_t times) override {
    for (std::size_t i = 0; i < boundary_next_.size(); ++i)
      next_.data()[boundary_.boundary[i]] = boundary_next_[i];
    hear(next_.data());
    now_.swap(next_);
    generation_ += times;
  }
  void count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                    std::span<std::uint64_t> living) override {
    cpu::count_pixels(config_.method, fractal_, now_.data(), viewport, monitor_, pixel_counts_);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i] = pixel_counts_[i] >> 32;
      living[i] = pixel_counts_[i] & 0xffffffffu;
    }
  }
  void begin_generations(LifeRule rule, std::uint32_t) override {
    const auto count = static_cast<std::int64_t>(boundary_.boundary.size());
    with_states(rule, [&](const auto& of) {
#pragma omp parallel for schedule(static) if (count > 4096)
      for (std::int64_t i = 0; i < count; ++i) {
        const auto number = static_cast<std::uint64_t>(i);
        boundary_next_[number] =
            next_boundary_state(now_.data(), boundary_.boundary.data(), boundary_.beside.data(),
                                boundary_.boundary.size(), number, of);
      }
    });
    for (std::size_t i = 0; i < sent_.size(); ++i) sent_[i] = boundary_next_[boundary_.sent[i]];
  }

 private:
  void hear(std::uint8_t* cells) const {
    std::copy(received_.begin(), received_.end(), cells + copies_);
  }

  std::uint64_t copies_;                     ///< offset of the halo in a generation
  std::vector<std::uint8_t> boundary_next_;  ///< the boundary's states after the generation in progress
  std::vector<std::uint8_t> sent_;
  std::vector<std::uint8_t> received_;
};

}  // namespace

std::unique_ptr<FractalEngine> make_byte_engine(const FractalConfig& config) {
  return std::make_unique<CpuByteEngine>(config, bytes_needed(config) / 2);
}

std::unique_ptr<FractalPartition> make_byte_partition(const FractalConfig& config,
                                                      const std::vector<TileRows>& parts,
                                                      std::uint32_t number) {
  const TiledFractal whole = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  return std::make_unique<CpuBytePartition>(config, part_of(whole, parts[number]), number,
                                            make_byte_boundary(whole, parts, number));
}

}  // namespace loom::cpu
