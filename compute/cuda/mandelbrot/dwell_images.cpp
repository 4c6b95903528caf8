#include "compute/cuda/mandelbrot/dwell_images.h"

#include <algorithm>
#include <tuple>

#include "compute/core/error.h"
#include "compute/cuda/available_memory.h"
#include "compute/cuda/check.h"
#include "compute/cuda/mandelbrot/colours.h"
#include "compute/mandelbrot/mandelbrot_memory.h"

namespace loom::cuda {
namespace {

/// Calls use(first, end) with the pixels of each contiguous range of rows.
template <typename Use>
void for_segments(const DwellState& held, const Use& use) {
  for (const RowRange& rows : held.rows) {
    use(std::uint64_t{rows.first} * held.view.width, std::uint64_t{rows.end} * held.view.width);
  }
}

}  // namespace

template <typename Launch>
void DwellImages::for_pixels(const DwellState& held, const Launch& launch) const {
  constexpr std::uint64_t kStepsOfPixel = 8;
  for_segments(held, [&](std::uint64_t first, std::uint64_t end) {
    slices_.each(end - first, kStepsOfPixel,
                 [&](std::uint64_t from, std::uint64_t to) { launch(first + from, first + to); });
  });
}

std::uint64_t DwellImages::allocated_bytes() const {
  return narrowed_.size() * sizeof(std::uint16_t) + counts_.size() * sizeof(unsigned long long) +
         smooth_.size() * sizeof(std::uint32_t);
}

template <typename Value>
ImageView DwellImages::view_of(const Value* pixels, PixelFormat format, Coord32 size,
                               const std::vector<RowRange>& rows, MemorySpace space,
                               PinnedBuffer<Value>& host) {
  ImageView image{.pixels = pixels,
                  .format = format,
                  .width = static_cast<int>(size.x),
                  .height = static_cast<int>(size.y),
                  .row_bytes = size.x * sizeof(Value),
                  .stream = {device_, stream_.get()}};
  if (space == MemorySpace::kCudaDevice) return image;
  const std::size_t count = std::size_t{size.x} * size.y;
  host.reserve(count);
  if (count > 0) {
    for (const RowRange& range : rows) {
      const std::size_t first = std::size_t{range.first} * size.x;
      LOOM_CUDA(cudaMemcpyAsync(host.data() + first, pixels + first, range.count() * image.row_bytes,
                                cudaMemcpyDeviceToHost, stream_.get()));
    }
    stream_.wait();
  }
  image.pixels = host.data();
  image.stream = {};
  return image;
}

ImageView DwellImages::image(const DwellState* held, MemorySpace space) {
  if (held == nullptr) {
    return view_of<std::uint16_t>(nullptr, PixelFormat::kDwell16, {0, 0}, {}, space, host_pixels_);
  }
  if (!fits_narrow(held->config)) {
    return view_of(reinterpret_cast<const std::uint32_t*>(held->dwells), PixelFormat::kDwell32,
                   {held->view.width, held->view.height}, held->rows, space, host_smooth_);
  }
  const auto* dwells = reinterpret_cast<const std::uint16_t*>(held->dwells);
  if (!held->narrow()) {
    narrowed_.reserve(held->view.pixels());
    for_pixels(*held, [&](std::uint64_t first, std::uint64_t end) {
      narrow_dwells(reinterpret_cast<const std::uint32_t*>(held->dwells) + first, narrowed_.data() + first,
                    end - first, stream_);
    });
    dwells = narrowed_.data();
  }
  return view_of(dwells, PixelFormat::kDwell16, {held->view.width, held->view.height}, held->rows, space,
                 host_pixels_);
}

void DwellImages::read(const DwellState& held, std::uint32_t first_row, std::span<std::uint32_t> out) const {
  std::vector<std::uint16_t> narrow(held.narrow() ? out.size() : 0);
  for_rows_within(
      held.rows, held.view, first_row, out, [&](std::uint32_t row, std::span<std::uint32_t> into) {
        const std::size_t first = std::size_t{row} * held.view.width;
        if (!held.narrow()) {
          const auto* from = reinterpret_cast<const std::uint32_t*>(held.dwells) + first;
          LOOM_CUDA(
              cudaMemcpyAsync(into.data(), from, into.size_bytes(), cudaMemcpyDeviceToHost, stream_.get()));
          return;
        }
        const auto* from = reinterpret_cast<const std::uint16_t*>(held.dwells) + first;
        LOOM_CUDA(cudaMemcpyAsync(narrow.data() + (into.data() - out.data()), from,
                                  into.size() * sizeof(std::uint16_t), cudaMemcpyDeviceToHost,
                                  stream_.get()));
      });
  stream_.wait();
  if (narrow.empty()) return;
  for_rows_within(held.rows, held.view, first_row, out, [&](std::uint32_t, std::span<std::uint32_t> into) {
    std::copy_n(narrow.data() + (into.data() - out.data()), into.size(), into.data());
  });
}

void DwellImages::count(const DwellState& held, std::span<std::uint64_t> counts) const {
  const std::size_t used = held.config.dwell_limit + std::size_t{1};
  counts_.reserve(used);
  LOOM_CUDA(cudaMemsetAsync(counts_.data(), 0, used * sizeof(unsigned long long), stream_.get()));
  held.with_task([&](const auto& task) {
    for_pixels(held, [&](std::uint64_t first, std::uint64_t end) {
      count_dwells(task, first, end, counts_.data(), stream_);
    });
  });
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  LOOM_CUDA(cudaMemcpyAsync(counts.data(), counts_.data(), used * sizeof(std::uint64_t),
                            cudaMemcpyDeviceToHost, stream_.get()));
  stream_.wait();
}

void DwellImages::compute_smooth(const DwellState& held, const DwellSlices& slices) {
  const MandelbrotView& view = held.view;
  smooth_width_ = smooth_height_ = 0;
  try {
    smooth_.reserve(view.pixels());
  } catch (const CapacityError&) {
    throw make_capacity_error(view, view.pixels() * sizeof(std::uint32_t), available_memory(device_));
  }
  held.with_task([&](const auto& task) {
    for_segments(held, [&](std::uint64_t first, std::uint64_t end) {
      smooth_dwells(task, first, end, smooth_.data(), slices, stream_);
    });
  });
  smooth_rows_ = held.rows;
  smooth_width_ = view.width;
  smooth_height_ = view.height;
}

ImageView DwellImages::smooth_image(MemorySpace space) {
  return view_of(smooth_.data(), PixelFormat::kSmoothDwell32, {smooth_width_, smooth_height_}, smooth_rows_,
                 space, host_smooth_);
}

ImageView DwellImages::on_host(const ImageView& image) {
  const Coord32 size{static_cast<std::uint32_t>(image.width), static_cast<std::uint32_t>(image.height)};
  const std::vector<RowRange> all{{0, size.y}};
  if (image.format != PixelFormat::kDwell16) {
    return view_of(static_cast<const std::uint32_t*>(image.pixels), image.format, size, all,
                   MemorySpace::kHost, host_smooth_);
  }
  return view_of(static_cast<const std::uint16_t*>(image.pixels), image.format, size, all, MemorySpace::kHost,
                 host_pixels_);
}

DwellDifferences DwellImages::differences(const DwellState& held, std::size_t max_places,
                                          const DwellSlices& slices) const {
  DwellDifferences found;
  const std::uint64_t capacity = std::max<std::uint64_t>(max_places, kMaxDifferencesInOrder);
  const DeviceBuffer<DwellDifference> places(std::min(capacity, held.view.pixels()));
  const DeviceBuffer<unsigned long long> count(1);
  LOOM_CUDA(cudaMemsetAsync(count.data(), 0, sizeof(unsigned long long), stream_.get()));
  held.with_task<true>([&](const auto& task) {
    for_segments(held, [&](std::uint64_t first, std::uint64_t end) {
      find_differences(task, first, end, count.data(), places.data(), places.size(), slices, stream_);
    });
  });
  unsigned long long total = 0;
  LOOM_CUDA(cudaMemcpyAsync(&total, count.data(), sizeof(total), cudaMemcpyDeviceToHost, stream_.get()));
  stream_.wait();
  found.count = total;
  found.places.resize(std::min<std::uint64_t>(total, places.size()));
  LOOM_CUDA(cudaMemcpyAsync(found.places.data(), places.data(), found.places.size() * sizeof(DwellDifference),
                            cudaMemcpyDeviceToHost, stream_.get()));
  stream_.wait();
  std::sort(found.places.begin(), found.places.end(), [](const DwellDifference& a, const DwellDifference& b) {
    return std::tie(a.pixel.y, a.pixel.x) < std::tie(b.pixel.y, b.pixel.x);
  });
  if (found.places.size() > max_places) found.places.resize(max_places);
  return found;
}

}  // namespace loom::cuda
