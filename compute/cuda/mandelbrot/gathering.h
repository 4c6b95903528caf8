#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compute/core/image_view.h"
#include "compute/cuda/device_buffer.h"
#include "compute/cuda/event.h"
#include "compute/cuda/stream.h"
#include "compute/mandelbrot/dwell_share.h"

namespace loom::cuda {

/// An image with the rows that are there of it.
struct PartImage {
  ImageView image;
  std::span<const RowRange> rows;
};

/// Brings rows of images that lie on other devices into one on this device, by one kernel that reads them
/// where they lie.
class RowGathering {
 public:
  /// `device` is current, and `stream` one of it.
  RowGathering(int device, const Stream& stream) : device_(device), stream_(stream) {}

  /// Whether this device can read another's memory, which lets it from then on.
  bool reaches(int other);
  /// Enqueues the copies of all images' rows to their places in `to`, whose rows have `row_bytes` bytes as
  /// theirs; what the images' own streams have enqueued comes before, and what comes on them after. All are
  /// on devices that it reaches.
  void gather(std::span<const PartImage> from, void* to, std::uint64_t row_bytes);

 private:
  struct Source {
    int device = -1;
    std::optional<Event> written;  ///< of that device
    std::vector<RowRange> rows;    ///< as the table has them
    DeviceBuffer<RowRange> table;  ///< on this device
  };
  Source& source(std::size_t number, int device);

  int device_;
  const Stream& stream_;
  std::vector<int> reached_;
  std::vector<Source> sources_;
  Event read_;
};

}  // namespace loom::cuda
