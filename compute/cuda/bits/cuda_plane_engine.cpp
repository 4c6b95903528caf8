#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/cuda/bits/device_sums.h"
#include "compute/cuda/bits/plane_boundary.h"
#include "compute/cuda/bits/plane_cells.h"
#include "compute/cuda/bits/plane_resolve.h"
#include "compute/cuda/bits/plane_step.h"
#include "compute/cuda/distributed/cuda_partition.h"
#include "compute/cuda/engines.h"
#include "compute/cuda/life/cuda_fractal_engine.h"
#include "compute/engine/plane_tree.h"
#include "compute/workload/larger_planes.h"

namespace loom::cuda {
namespace {

/// Life in bit planes (geometry/bit_planes.h) on CUDA. Tile size and map arithmetic have no effect.
class CudaPlaneEngine : public CudaFractalEngine {
 public:
  /// `config` must be valid, with the compact map and bit-packed storage; `part`: its groups, all by default;
  /// `bytes`: per generation; `device` must be current. Throws CapacityError, DeviceFault.
  CudaPlaneEngine(const FractalConfig& config, GroupRange part, std::uint64_t bytes, int device,
                  const LaunchSlices& slices)
      : CudaFractalEngine(config, bytes, device, slices),
        planes_(part_of(make_bit_planes(fractal_), part)),
        tiles_(make_plane_tree(planes_)),
        step_(planes_),
        resolver_(tiles_) {
    stored_.part = part;
  }

  std::string backend_name() const override {
    const std::string why = step_.table_kernel_reason();
    return CudaFractalEngine::backend_name() +
           (why.empty() ? "" : fmt::format(", kernel driven by tables: {}", why));
  }
  void wait_for_compilation() const override { step_.wait_for_kernel(); }
  bool is_compilation_done() const override { return step_.kernel_is_final(); }
  ThreadCount count_threads() const override {
    use_device();
    ThreadCount count = sums_.count_threads(
        stream_, [&](unsigned long long* counts) { count_plane_threads(planes_, counts, stream_); });
    count.threads_without_tile = count.threads_launched - count.threads_active;
    return count;
  }

 private:
  void enqueue_random(std::uint64_t seed, std::uint64_t threshold, const ProgressScope& call) override {
    in_slices(call, planes_.words(), planes_.bits, [&](std::uint64_t first, std::uint64_t count) {
      fill_random_planes(tiles_, next_.data(), first, count, seed, threshold, stream_);
    });
  }
  void enqueue_work(std::uint32_t times, const Work& work) override {
    switch (work.workload) {
      case Workload::kSingleWrite:
        for (std::uint32_t i = 0; i < times; ++i)
          single_write_planes(tiles_, now_.data(), static_cast<std::uint32_t>(generation_++), slices_,
                              stream_);
        resolver_.set_count_state(CountState::kNothing);
        return;
      case Workload::kReduction:
        for (std::uint32_t i = 0; i < times; ++i)
          reduce_planes(tiles_, now_.data(), sums_.sum(), slices_, stream_);
        return;
      case Workload::kLife:
        break;
    }
    if (work.rule.is_larger()) return step_larger(times, work.rule);
    while (times > 0) {
      const std::uint32_t generations_per_launch = step_.generations_per_launch(times);
      times -= generations_per_launch;
      // Only the last generation can be displayed.
      const bool counts = times == 0 && resolver_.reserved();
      step_.step(now_.data(), next_.data(), counts ? resolver_.living() : nullptr, work.rule,
                 generations_per_launch, slices_, stream_);
      now_.swap(next_);
      generation_ += generations_per_launch;
      resolver_.set_count_state(counts ? CountState::kGroups : CountState::kNothing);
    }
  }
  void step_larger(std::uint32_t times, const LifeRule& rule) {
    if (!large_ || large_->tiles().radius != rule.larger.radius) {
      stream_.wait();  // a launch may still read the tables
      large_.emplace(planes_, rule.larger.radius);
      large_places_ = on_device(large_->places());
      large_near_ = on_device(large_->near());
    }
    const LargeTiles tiles = large_->tiles(large_places_.data(), large_near_.data());
    for (std::uint32_t i = 0; i < times; ++i) {
      step_larger_planes(tiles, now_.data(), next_.data(), rule, slices_, stream_);
      now_.swap(next_);
      ++generation_;
    }
    resolver_.set_count_state(CountState::kNothing);
  }
  void enqueue_sum_copy(unsigned long long* to) override { sums_.copy_sum(to, stream_); }
  void enqueue_census(unsigned long long* totals, const ProgressScope& call) const override {
    in_slices(call, planes_.words(), planes_.bits, [&](std::uint64_t first, std::uint64_t count) {
      add_census_of_planes(tiles_, now_.data(), first, count, totals, stream_);
    });
  }
  void reserve_resolve(const Viewport& viewport) override { resolver_.reserve(viewport); }
  void enqueue_resolve(const Viewport& viewport) override {
    resolver_.resolve(stored(now_), viewport, stream_);
  }
  const std::uint16_t* pixels() const override { return resolver_.pixels(); }

 protected:
  void cells_changed() override { resolver_.set_count_state(CountState::kNothing); }

  BitPlanes planes_;
  PlaneTree tiles_;
  PlaneStep step_;
  PlaneResolver resolver_;
  DeviceSums sums_;
  std::optional<LargeTileTables> large_;  ///< of the last radius
  DeviceBuffer<std::uint32_t> large_places_;
  DeviceBuffer<std::uint64_t> large_near_;
};

/// A partition of life in bit planes on one CUDA device: the boundary and the exchange use a stream of their
/// own, the interior uses the engine's stream.
class CudaPlanePartition final : public CudaPartition<CudaPlaneEngine, PlaneBoundary> {
 public:
  /// `config` as for CudaPlaneEngine; `device` must be current. Throws CapacityError, DeviceFault.
  CudaPlanePartition(const FractalConfig& config, const BitPlanes& part, GroupRange groups,
                     std::uint32_t number, int device, PlaneBoundary boundary)
      : CudaPartition(number, std::move(boundary), config, groups,
                      words_with_copies(part, boundary) * (part.wide() ? 8 : 4), device, slices_of(device)),
        boundary_is_patch_(step_.patches().can_hold(boundary_)),
        listed_(on_device(boundary_.listed)),
        sent_places_(on_device(boundary_.sent)),
        boundary_next_((boundary_.boundary.size() + BitPlanes::kInterleave) * bytes_of_thread()),
        sent_((boundary_.sent.size() + 1) * bytes_of_thread()),
        received_((boundary_.copies.size() + 1) * bytes_of_thread()) {
    std::vector<std::uint32_t> sent;
    for (const std::uint32_t place : boundary_.sent) sent.push_back(boundary_.boundary[place]);
    sent_threads_ = on_device(sent);
    if (boundary_is_patch_) {
      neighbours_in_patch_ = on_device(PlanePatches::patch_neighbours(boundary_));
    } else {
      neighbours_ = on_device(boundary_.beside);
    }
  }

  HaloBuffers messages() override {
    return {.sent = sent_.data(),
            .received = received_.data(),
            .element_bytes = bytes_of_thread(),
            .stream = {device_, boundary_stream().get()}};
  }
  void pack_boundary() override {
    wait_boundary_for_generation();
    pack_words(planes_, now_.data(),
               {.threads = sent_threads_.data(), .count = static_cast<std::uint32_t>(boundary_.sent.size())},
               sent_.data(), boundary_stream());
  }
  void unpack_halo() override {
    use_device();
    unpack_words(planes_, received_.data(), now_.data(), copies(), boundary_stream());
  }
  std::uint32_t max_generations_per_exchange() const override {
    return boundary_is_patch_ ? step_.generations_per_launch(generations_alone(planes_)) : 1;
  }
  void begin_generations(LifeRule rule, std::uint32_t times) override {
    wait_boundary_for_generation();
    if (boundary_.boundary.empty()) return signal_boundary_done();
    const auto inside = static_cast<std::uint32_t>(boundary_.boundary.size());
    const auto listed = static_cast<std::uint32_t>(boundary_.listed.size());
    const auto sent = static_cast<std::uint32_t>(boundary_.sent.size());
    if (boundary_is_patch_) {
      const BoundaryPatch patch{.groups = listed_.data(),
                                .beside = neighbours_in_patch_.data(),
                                .inside = inside,
                                .members = listed,
                                .sent = sent_places_.data(),
                                .sent_count = sent,
                                .messages = sent_.data()};
      step_.patches().step_boundary(now_.data(), boundary_next_.data(), patch, rule, times,
                                    boundary_stream());
    } else {
      step_.step_boundary(now_.data(), boundary_next_.data(),
                          {listed_.data(), neighbours_.data(), inside, listed}, rule, boundary_stream());
      pack_words(planes_, boundary_next_.data(), {.threads = sent_places_.data(), .count = sent},
                 sent_.data(), boundary_stream());
    }
    signal_boundary_done();
  }
  // Without the halo, only cells next to other partitions are wrong, and those are the boundary, which is
  // computed separately.
  void step_interior(LifeRule rule, std::uint32_t times, bool last) override {
    use_device();
    counts_ = last && resolver_.reserved();
    step_.step(now_.data(), next_.data(), counts_ ? resolver_.living() : nullptr, rule, times, slices_,
               stream_);
  }
  // Only the boundary stream waits for the halo: the next interior step does not read it.
  void end_generations(std::uint32_t times) override {
    use_device();
    wait_interior_for_boundary();
    scatter_boundary(
        planes_, boundary_next_.data(), next_.data(),
        {.threads = listed_.data(), .count = static_cast<std::uint32_t>(boundary_.boundary.size())},
        counts_ ? resolver_.living() : nullptr, stream_);
    signal_generation_done();
    unpack_words(planes_, received_.data(), next_.data(), copies(), boundary_stream());
    now_.swap(next_);
    generation_ += times;
    resolver_.set_count_state(counts_ ? CountState::kGroups : CountState::kNothing);
  }
  // The counts are enqueued on the interior's stream, after the interior.
  void count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                    std::span<std::uint64_t> living) override {
    use_device();
    const PlaneResolver::PixelSums sums = resolver_.count_pixels(stored(now_), viewport, stream_);
    sums_on_host_.reserve(2 * cells.size());
    LOOM_CUDA(cudaMemcpyAsync(sums_on_host_.data(), sums.cells, cells.size_bytes(), cudaMemcpyDeviceToHost,
                              stream_.get()));
    LOOM_CUDA(cudaMemcpyAsync(sums_on_host_.data() + cells.size(), sums.living, living.size_bytes(),
                              cudaMemcpyDeviceToHost, stream_.get()));
    stream_.wait();
    std::copy_n(sums_on_host_.data(), cells.size(), cells.begin());
    std::copy_n(sums_on_host_.data() + cells.size(), living.size(), living.begin());
  }
  void reserve_sums(const Viewport& viewport) override {
    use_device();
    resolver_.reserve(viewport);
  }
  DevicePixelSums enqueue_sums(const Viewport& viewport) override {
    use_device();
    const PlaneResolver::PixelSums sums = resolver_.count_pixels(stored(now_), viewport, stream_);
    return {sums.cells, sums.living, sums.other_cells};
  }

 private:
  std::size_t bytes_of_thread() const { return std::size_t{planes_.planes} * (planes_.wide() ? 8 : 4); }
  ThreadList copies() const {
    return {.first = boundary_.first_copy, .count = static_cast<std::uint32_t>(boundary_.copies.size())};
  }

  bool boundary_is_patch_ =
      false;             ///< one thread block computes several generations of the boundary per launch
  bool counts_ = false;  ///< the generation in progress counts the living cells of its groups
  DeviceBuffer<std::uint32_t> listed_;  ///< the boundary and the threads that it depends on
  DeviceBuffer<std::uint32_t> neighbours_;
  DeviceBuffer<std::uint16_t> neighbours_in_patch_;
  DeviceBuffer<std::uint32_t> sent_threads_;  ///< threads of the partition that are sent
  DeviceBuffer<std::uint32_t> sent_places_;   ///< their indices in the boundary
  DeviceBuffer<std::uint8_t> boundary_next_;  ///< rows of the boundary's next words
  DeviceBuffer<std::uint8_t> sent_;
  DeviceBuffer<std::uint8_t> received_;
  PinnedBuffer<unsigned long long> sums_on_host_;
};

}  // namespace

std::unique_ptr<FractalEngine> make_plane_engine(const FractalConfig& config, int device,
                                                 const LaunchSlices& slices) {
  return std::make_unique<CudaPlaneEngine>(config, GroupRange{}, bytes_needed(config) / 2, device, slices);
}

std::unique_ptr<FractalPartition> make_plane_partition(const FractalConfig& config,
                                                       const std::vector<GroupRange>& parts,
                                                       std::uint32_t number, int device) {
  const BitPlanes whole = make_bit_planes(config.fractal.shape(), config.level);
  return std::make_unique<CudaPlanePartition>(config, part_of(whole, parts[number]), parts[number], number,
                                              device, make_plane_boundary(whole, parts, number));
}

}  // namespace loom::cuda
