#include <algorithm>
#include <cstdint>
#include <vector>

#include "compute/core/stopwatch.h"
#include "compute/distributed/image_compositor.h"
#include "compute/engine/pixel_lookup.h"

namespace loom {
namespace {

/// Fewer pixels are added by a single thread.
constexpr std::size_t kPixelsOfOneThread = std::size_t{1} << 14;

class HostCompositor final : public ImageCompositor {
 public:
  HostCompositor(HaloExchange& exchange, PartitionThreads* threads)
      : exchange_(exchange), threads_(threads) {}

  void reserve(std::span<FractalPartition* const> parts, const Viewport& viewport, MemorySpace) override {
    const std::size_t area = area_of(viewport);
    // The sums of all partitions, followed by those of each partition that counts concurrently.
    const std::size_t sums = (1 + (threads_ != nullptr ? parts.size() : 1)) * 2 * area;
    if (pixels_.size() < area) pixels_.resize(area);
    if (pixel_sums_.size() < sums) pixel_sums_.resize(sums);
  }

  void begin(std::span<FractalPartition* const> parts, const Viewport& viewport, MemorySpace space,
             ProgressMonitor* monitor) override {
    const Stopwatch stopwatch;
    reserve(parts, viewport, space);
    const std::size_t area = area_of(viewport);
    const std::size_t sums = 2 * area;
    const auto sums_of = [&](std::size_t place) {
      return std::span(pixel_sums_).subspan((1 + place) * sums, sums);
    };
    const std::span<std::uint64_t> of_all = std::span(pixel_sums_).first(sums);
    std::fill(of_all.begin(), of_all.end(), 0);
    const auto add = [&](std::span<const std::uint64_t> of_part) {
#pragma omp parallel for schedule(static) if (area > kPixelsOfOneThread)
      for (std::size_t i = 0; i < sums; ++i) of_all[i] += of_part[i];
    };
    const auto count = [&](FractalPartition& part, std::span<std::uint64_t> into) {
      part.count_pixels(viewport, into.first(area), into.last(area));
    };
    if (threads_ != nullptr && monitor == nullptr && area > 0) {
      threads_->run([&](std::size_t part) { count(*parts[part], sums_of(part)); });
      for (std::size_t part = 0; part < parts.size(); ++part) add(sums_of(part));
    } else if (area > 0) {
      const ProgressScope call(monitor, parts.size());
      for (FractalPartition* const part : parts) {
        const ScopedMonitor watched(part->engine(), monitor);
        call.part(1, [&] { count(*part, sums_of(0)); });
        add(sums_of(0));
      }
    }
    exchange_.sum(of_all);
#pragma omp parallel for schedule(static) if (area > kPixelsOfOneThread)
    for (std::size_t i = 0; i < area; ++i)
      pixels_[i] = density_value(of_all[i] * (viewport.states - 1), of_all[area + i]);
    made_.image = {.pixels = pixels_.data(),
                   .format = PixelFormat::kDensity16,
                   .width = viewport.width(),
                   .height = viewport.height(),
                   .row_bytes = static_cast<std::size_t>(viewport.width()) * sizeof(std::uint16_t)};
    made_.milliseconds = stopwatch.milliseconds();
  }

  Result end() override {
    return made_;
  }
  bool is_enqueued() const override {
    return false;
  }

 private:
  static std::size_t area_of(const Viewport& viewport) {
    return static_cast<std::size_t>(viewport.width()) * static_cast<std::size_t>(viewport.height());
  }

  HaloExchange& exchange_;
  PartitionThreads* threads_;
  Result made_;
  /// Cells, then living ones; of all partitions, then of one or of each.
  std::vector<std::uint64_t> pixel_sums_;
  std::vector<std::uint16_t> pixels_;
};

}  // namespace

std::unique_ptr<ImageCompositor> make_host_compositor(HaloExchange& exchange, PartitionThreads* threads) {
  return std::make_unique<HostCompositor>(exchange, threads);
}

}  // namespace loom
