#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/core/error.h"
#include "compute/cuda/distributed/cuda_partition.h"
#include "compute/cuda/engines.h"
#include "compute/cuda/life/byte_boundary.h"
#include "compute/cuda/life/byte_kernels.h"
#include "compute/cuda/life/cuda_fractal_engine.h"
#include "compute/cuda/life/life.h"
#include "compute/cuda/life/resolve.h"
#include "compute/geometry/partition.h"
#include "compute/map/dispatch.h"
#include "compute/map/tiling.h"

namespace loom::cuda {
namespace {

/// Life with one byte per cell, for every map and arithmetic.
class CudaByteEngine : public CudaFractalEngine {
 public:
  /// `config` must be valid, with byte storage, `bytes`: per generation; `device` must be current. Throws
  /// CapacityError, DeviceFault.
  CudaByteEngine(const FractalConfig& config, std::uint64_t bytes, int device, const LaunchSlices& slices)
      : CudaFractalEngine(config, bytes, device, slices), tables_(fractal_) {}

  ThreadCount count_threads() const override {
    use_device();
    return cuda::count_threads(config_.method, fractal_, tables_.view(), slices_, stream_);
  }
  Timeline record_timeline(const TimelineOptions& options) override {
    validate(options);
    if (!can_record(fractal_)) {
      throw InputError(fmt::format(
          "no timeline for {} level {}: its coordinates need 64 bits; allowed: levels with sides below 2^32",
          config_.fractal.name(), config_.level));
    }
    use_device();
    const MapMethod& method = config_.method;
    const std::uint64_t blocks = gpu_launch(method, fractal_, launch_shape(method, fractal_)).thread_blocks();
    const SpanWindow window(blocks, options.max_spans);
    DeviceRecording recording(device_, window.size(), stream_);
    // Writes the next generation as a step would, without making it the current one.
    const auto plain = [&] {
      step_life(method, method.halo, fractal_, tables_.view(), now_.data(), next_.data(), options.rule,
                slices_, stream_);
    };
    const auto recorded = [&] {
      return record_life(method, method.halo, fractal_, tables_.view(), now_.data(), next_.data(),
                         options.rule, recording.view(), window, slices_, stream_);
    };
    // Alternately, so that both find code, memory and clock rates in the same state.
    plain();
    recorded();
    events_.mark(kStart, stream_);
    plain();
    events_.mark(kEdited, stream_);
    recording.clear(stream_);
    events_.mark(kStepped, stream_);
    const Occupancy recorded_occupancy = recorded();
    events_.mark(kResolved, stream_);
    Timeline timeline = recording.read(window, stream_);
    timeline.plain_milliseconds = events_.milliseconds(kStart, kEdited);
    timeline.milliseconds = events_.milliseconds(kStepped, kResolved);
    const KernelInfo timed = life_info(method, fractal_, tables_.view(), options.rule);
    timeline.launches.push_back({timed.name, blocks, timed.occupancy, recorded_occupancy});
    return timeline;
  }

 protected:
  /// Enqueues the next generation of life without the halo of other partitions.
  void enqueue_step(LifeRule rule) {
    step_life(config_.method, config_.method.halo, fractal_, tables_.view(), by_place(fractal_, now_.data()),
              by_place(fractal_, next_.data()), rule, slices_, stream_);
  }

  Resolver resolver_;

 private:
  void enqueue_work(std::uint32_t times, const Work& work) override {
    const MapMethod& method = config_.method;
    for (std::uint32_t i = 0; i < times; ++i) {
      switch (work.workload) {
        case Workload::kSingleWrite:
          single_write(method, fractal_, tables_.view(), by_place(fractal_, now_.data()),
                       static_cast<std::uint32_t>(generation_), slices_, stream_);
          ++generation_;
          break;
        case Workload::kReduction:
          reducer_.reduce(work.reduction, method, fractal_, tables_.view(), by_place(fractal_, now_.data()),
                          slices_, stream_);
          break;
        case Workload::kLife:
          enqueue_step(work.rule);
          now_.swap(next_);
          ++generation_;
          break;
      }
    }
  }
  void enqueue_sum_copy(unsigned long long* to) override { reducer_.copy_sum(to, stream_); }
  void reserve_resolve(const Viewport& viewport) override { resolver_.reserve(viewport); }
  void enqueue_resolve(const Viewport& viewport) override {
    resolver_.resolve(stored(now_), viewport, monitor_, slices_, stream_);
  }
  const std::uint16_t* pixels() const override { return resolver_.pixels(); }

  DeviceMapTables tables_;
  Reducer reducer_;
};

std::vector<std::uint64_t> places_sent(const ByteBoundary& boundary) {
  std::vector<std::uint64_t> places;
  for (const std::uint32_t number : boundary.sent) places.push_back(boundary.boundary[number]);
  return places;
}

/// A partition of life in bytes on the compact map on one CUDA device. Its tile rows are stepped by the
/// regular kernel with all other cells dead; the few boundary cells are then computed from a list, on a
/// stream of their own.
class CudaBytePartition final : public CudaPartition<CudaByteEngine, ByteBoundary> {
 public:
  /// `config` as for CudaByteEngine, on the compact map; `part`: the tile rows; `device` must be current.
  /// Throws CapacityError, DeviceFault.
  CudaBytePartition(const FractalConfig& config, const TiledFractal& part, std::uint32_t number, int device,
                    ByteBoundary boundary)
      : CudaPartition(number, std::move(boundary), config, bytes_with_copies(part, boundary), device,
                      slices_of(device)),
        copies_(part_bytes(part).copies),
        boundary_places_(on_device(boundary_.boundary)),
        neighbours_(on_device(boundary_.beside)),
        sent_places_(on_device(places_sent(boundary_))),
        sent_numbers_(on_device(std::vector<std::uint64_t>(boundary_.sent.begin(), boundary_.sent.end()))),
        boundary_next_(boundary_.boundary.size() + 1),
        sent_(boundary_.sent.size() + 1),
        received_(boundary_.copies.size() + 1) {
    fractal_.held = part.held;
  }

  HaloBuffers messages() override {
    return {.sent = sent_.data(),
            .received = received_.data(),
            .element_bytes = 1,
            .stream = {device_, boundary_stream().get()}};
  }
  void pack_boundary() override {
    wait_boundary_for_generation();
    gather_bytes(now_.data(), sent_places_.data(), boundary_.sent.size(), sent_.data(), boundary_stream());
  }
  void unpack_halo() override {
    use_device();
    hear(now_.data());
  }
  std::uint32_t max_generations_per_exchange() const override { return 1; }
  void begin_generations(LifeRule rule, std::uint32_t) override {
    wait_boundary_for_generation();
    step_boundary(boundary_cells(), now_.data(), boundary_next_.data(), rule, boundary_stream());
    gather_bytes(boundary_next_.data(), sent_numbers_.data(), boundary_.sent.size(), sent_.data(),
                 boundary_stream());
    signal_boundary_done();
  }
  // Without the halo, only cells next to other partitions are wrong, and those are the boundary, which is
  // computed separately.
  void step_interior(LifeRule rule, std::uint32_t, bool) override {
    use_device();
    enqueue_step(rule);
  }
  // Only the boundary stream waits for the halo: the next interior step does not read it.
  void end_generations(std::uint32_t times) override {
    use_device();
    wait_interior_for_boundary();
    scatter_boundary(boundary_cells(), boundary_next_.data(), next_.data(), stream_);
    signal_generation_done();
    hear(next_.data());
    now_.swap(next_);
    generation_ += times;
  }
  void count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                    std::span<std::uint64_t> living) override {
    use_device();
    const unsigned long long* const counts =
        resolver_.count_pixels(stored(now_), viewport, monitor_, slices_, stream_);
    counts_on_host_.reserve(cells.size());
    LOOM_CUDA(cudaMemcpyAsync(counts_on_host_.data(), counts, cells.size_bytes(), cudaMemcpyDeviceToHost,
                              stream_.get()));
    stream_.wait();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i] = counts_on_host_.data()[i] >> 32;
      living[i] = counts_on_host_.data()[i] & 0xffffffffu;
    }
  }
  void reserve_sums(const Viewport& viewport) override {
    use_device();
    resolver_.reserve(viewport);
    pixel_cells_.reserve(ImageBuffer::area_of(viewport));
    pixel_living_.reserve(ImageBuffer::area_of(viewport));
  }
  DevicePixelSums enqueue_sums(const Viewport& viewport) override {
    reserve_sums(viewport);
    const unsigned long long* const counts =
        resolver_.count_pixels(stored(now_), viewport, nullptr, slices_, stream_);
    take_counts_apart(counts, ImageBuffer::area_of(viewport), pixel_cells_.data(), pixel_living_.data(),
                      stream_);
    return {pixel_cells_.data(), pixel_living_.data()};
  }

 private:
  /// Unpacks the receive buffer into the halo of a generation.
  void hear(std::uint8_t* cells) {
    if (boundary_.copies.empty()) return;
    LOOM_CUDA(cudaMemcpyAsync(cells + copies_, received_.data(), boundary_.copies.size(),
                              cudaMemcpyDeviceToDevice, boundary_stream().get()));
  }
  BoundaryCells boundary_cells() const {
    return {boundary_places_.data(), neighbours_.data(), boundary_.boundary.size()};
  }

  std::uint64_t copies_;
  DeviceBuffer<std::uint64_t> boundary_places_;
  DeviceBuffer<std::uint64_t> neighbours_;
  DeviceBuffer<std::uint64_t> sent_places_;   ///< positions in a generation
  DeviceBuffer<std::uint64_t> sent_numbers_;  ///< indices in the boundary
  DeviceBuffer<std::uint8_t> boundary_next_;
  DeviceBuffer<std::uint8_t> sent_;
  DeviceBuffer<std::uint8_t> received_;
  DeviceBuffer<unsigned long long> pixel_cells_;
  DeviceBuffer<unsigned long long> pixel_living_;
  PinnedBuffer<unsigned long long> counts_on_host_;
};

}  // namespace

std::unique_ptr<FractalEngine> make_byte_engine(const FractalConfig& config, int device,
                                                const LaunchSlices& slices) {
  return std::make_unique<CudaByteEngine>(config, bytes_needed(config) / 2, device, slices);
}

std::unique_ptr<FractalPartition> make_byte_partition(const FractalConfig& config,
                                                      const std::vector<TileRows>& parts,
                                                      std::uint32_t number, int device) {
  const TiledFractal whole = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  return std::make_unique<CudaBytePartition>(config, part_of(whole, parts[number]), number, device,
                                             make_byte_boundary(whole, parts, number));
}

}  // namespace loom::cuda
