#pragma once

#include <cstdint>
#include <vector>

#include "compute/cuda/device_buffer.h"
#include "compute/mandelbrot/row_partition.h"

namespace loom::cuda {

/// Device memory for an image, row by row without gaps. If only a partition of the rows of a large image is
/// held, the addresses are those of the whole image, and physical memory is mapped only for the held rows (in
/// the device's pages of a few MiB). Kernels therefore find every row at its address, and a large image need
/// not fit on one device. If the driver does not support virtual memory management, all rows have memory.
class DwellMemory {
 public:
  explicit DwellMemory(int device) : device_(device) {}
  ~DwellMemory() { release(); }
  DwellMemory(const DwellMemory&) = delete;
  DwellMemory& operator=(const DwellMemory&) = delete;

  /// Allocates `bytes` for a whole image and discards the content. Throws CapacityError, DeviceFault.
  void reserve(std::uint64_t bytes);
  /// The same if only the given rows of an image with `rows_of_picture` rows are held. The content is kept if
  /// rows and row size are those of the last call. An image below kSmall has memory for all rows, so that
  /// another distribution of rows costs no time and there is space for rows of other partitions.
  void reserve_rows(std::uint64_t row_bytes, std::uint32_t rows_of_picture,
                    const std::vector<RowRange>& rows);

  /// Whether all rows of the last call's image have memory.
  bool has_all_rows() const { return address_ == 0; }

  std::uint8_t* data() const {
    return address_ != 0 ? reinterpret_cast<std::uint8_t*>(address_) : whole_.data();
  }
  /// Bytes of physical memory on the device.
  std::uint64_t size() const { return address_ != 0 ? mapped_bytes_ : whole_.size(); }

 private:
  static constexpr std::uint64_t kSmall = std::uint64_t{1} << 28;
  struct Piece {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };
  void map(std::uint64_t row_bytes, std::uint32_t rows_of_picture, const std::vector<RowRange>& rows);
  void map_piece(const Piece& piece);
  void release() noexcept;

  int device_;
  DeviceBuffer<std::uint8_t> whole_;
  std::uint64_t address_ = 0;  ///< the reserved address range; 0: none
  std::uint64_t reserved_bytes_ = 0;
  std::uint64_t mapped_bytes_ = 0;
  std::vector<Piece> mapped_;
  std::uint64_t row_bytes_ = 0;  ///< the mapped rows
  std::vector<RowRange> rows_;
};

}  // namespace loom::cuda
