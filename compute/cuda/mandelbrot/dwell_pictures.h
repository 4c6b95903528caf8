#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "compute/core/image_view.h"
#include "compute/cuda/device_buffer.h"
#include "compute/cuda/mandelbrot/held_dwells.h"
#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/cuda/stream.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom::cuda {

/// What is made of dwells that are there: images, counts, smooth dwells, differences; and Julia sets. Holds
/// the memory that these take beside the dwells. The device is current, and `held` the engine's.
class DwellPictures {
 public:
  /// `slices` are those of single precision; both outlive this.
  DwellPictures(int device, const LaunchSlices& slices, const Stream& stream)
      : device_(device), slices_(slices), stream_(stream) {}

  std::uint64_t bytes_held() const;
  /// kDwell16; empty where `held` is null.
  ImageView image(const HeldDwells* held, MemorySpace space);
  /// The rows that are held from `first_row` on.
  void read(const HeldDwells& held, std::uint32_t first_row, std::span<std::uint32_t> out) const;
  void count(const HeldDwells& held, std::span<std::uint64_t> counts) const;
  void compute_smooth(const HeldDwells& held, const LaunchSlices& slices);
  /// kSmoothDwell32, of what was computed last.
  ImageView smooth_image(MemorySpace space);
  /// A copy on the host of one of the images above, with all rows.
  ImageView on_host(const ImageView& image);
  void compute_julia(const JuliaView& view, std::span<std::uint16_t> out);
  DwellDifferences differences(const HeldDwells& held, std::size_t most_places,
                               const LaunchSlices& slices) const;

 private:
  /// An image of this many pixels; a copy of it on the host, in `host`, where `space` is there.
  template <typename Value>
  ImageView view_of(const Value* pixels, PixelFormat format, Coord32 size, const std::vector<RowRange>& rows,
                    MemorySpace space, PinnedBuffer<Value>& host);

  /// Calls launch(first, end) for the pixels of each stretch of rows that are held, which are only looked at,
  /// in launches that are not too long.
  template <typename Launch>
  void for_pixels(const HeldDwells& held, const Launch& launch) const;

  int device_;
  const LaunchSlices& slices_;
  const Stream& stream_;
  DeviceBuffer<std::uint16_t> narrowed_;
  PinnedBuffer<std::uint16_t> host_pixels_;
  mutable DeviceBuffer<unsigned long long> counts_;  ///< pixels of each dwell
  DeviceBuffer<std::uint32_t> smooth_;
  std::uint32_t smooth_width_ = 0;  ///< of the image there; 0: none
  std::uint32_t smooth_height_ = 0;
  std::vector<RowRange> smooth_rows_;  ///< of it
  PinnedBuffer<std::uint32_t> host_smooth_;
  DeviceBuffer<std::uint16_t> julia_;
};

}  // namespace loom::cuda
