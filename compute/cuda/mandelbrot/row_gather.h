#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compute/core/image_view.h"
#include "compute/cuda/device_buffer.h"
#include "compute/cuda/stream.h"
#include "compute/mandelbrot/row_partition.h"

namespace loom::cuda {

/// An image with the rows that it contains.
struct PartitionImage {
  ImageView image;
  std::span<const RowRange> rows;
};

/// Gathers rows of images on other devices into one image on this device, by a kernel that reads them through
/// peer access.
class RowGather {
 public:
  /// `device` must be current, and `stream` must belong to it.
  RowGather(int device, const Stream& stream) : device_(device), stream_(stream) {}

  /// Enables access to another device's memory. Returns whether this device can access it.
  bool can_access_peer(int other);
  /// Enqueues the copies of all images' rows to their positions in `to`, which has `row_bytes` bytes per row,
  /// as the images have. The copies are ordered after earlier work on the images' own streams, and before
  /// later work on them. All images must be on devices for which can_access_peer() returns true.
  void gather(std::span<const PartitionImage> from, void* to, std::uint64_t row_bytes);

 private:
  struct Source {
    int device = -1;
    std::optional<Event> written;  ///< belongs to the other device
    std::vector<RowRange> rows;    ///< the rows in the table
    DeviceBuffer<RowRange> table;  ///< on this device
  };
  Source& source(std::size_t number, int device);

  int device_;
  const Stream& stream_;
  std::vector<int> peers_;
  std::vector<Source> sources_;
  Event read_;
};

}  // namespace loom::cuda
