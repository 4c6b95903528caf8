#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "compute/core/image_view.h"
#include "compute/cuda/device_buffer.h"
#include "compute/cuda/mandelbrot/dwell_state.h"
#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/cuda/stream.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom::cuda {

/// Results from existing dwells: images, histograms, smooth dwells, differences. Owns the
/// additional memory for them. The device must be current, and `held` is the engine's state.
class DwellImages {
 public:
  /// `slices` are those of single precision; both must outlive this object.
  DwellImages(int device, const LaunchSlices& slices, const Stream& stream)
      : device_(device), slices_(slices), stream_(stream) {}

  std::uint64_t allocated_bytes() const;
  /// A kDwell16 image; empty if `held` is null.
  ImageView image(const DwellState* held, MemorySpace space);
  /// Reads the held rows from `first_row` on.
  void read(const DwellState& held, std::uint32_t first_row, std::span<std::uint32_t> out) const;
  void count(const DwellState& held, std::span<std::uint64_t> counts) const;
  void compute_smooth(const DwellState& held, const DwellSlices& slices);
  /// A kSmoothDwell32 image of the last computation.
  ImageView smooth_image(MemorySpace space);
  /// A host copy of one of these images, with all rows.
  ImageView on_host(const ImageView& image);
  DwellDifferences differences(const DwellState& held, std::size_t max_places,
                               const DwellSlices& slices) const;

 private:
  /// An image with this number of pixels, or its copy in `host` if `space` is host memory.
  template <typename Value>
  ImageView view_of(const Value* pixels, PixelFormat format, Coord32 size, const std::vector<RowRange>& rows,
                    MemorySpace space, PinnedBuffer<Value>& host);

  /// Calls launch(first, end) for the pixels of each contiguous range of held rows, which are only read, in
  /// launches of limited length.
  template <typename Launch>
  void for_pixels(const DwellState& held, const Launch& launch) const;

  int device_;
  const LaunchSlices& slices_;
  const Stream& stream_;
  DeviceBuffer<std::uint16_t> narrowed_;
  PinnedBuffer<std::uint16_t> host_pixels_;
  mutable DeviceBuffer<unsigned long long> counts_;  ///< pixels of each dwell
  DeviceBuffer<std::uint32_t> smooth_;
  std::uint32_t smooth_width_ = 0;  ///< width of the smooth image; 0: none
  std::uint32_t smooth_height_ = 0;
  std::vector<RowRange> smooth_rows_;  ///< rows of the smooth image
  PinnedBuffer<std::uint32_t> host_smooth_;
};

}  // namespace loom::cuda
