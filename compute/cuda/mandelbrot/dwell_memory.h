#pragma once

#include <cstdint>
#include <vector>

#include "compute/cuda/device_buffer.h"
#include "compute/mandelbrot/dwell_share.h"

namespace loom::cuda {

/// Device memory of a picture, row by row without gaps. Where a share of the rows of a large one is held
/// alone, the addresses are those of the whole picture, and memory lies only behind the rows that are held
/// (in the device's pages of some MiB), so that kernels find every row in its place and a large picture need
/// not fit on one device. Where the driver knows no such addresses there is memory behind all of them.
class DwellMemory {
 public:
  explicit DwellMemory(int device) : device_(device) {}
  ~DwellMemory() { release(); }
  DwellMemory(const DwellMemory&) = delete;
  DwellMemory& operator=(const DwellMemory&) = delete;

  /// Room for `bytes`, and nothing of what was there; all of it is held. Throws CapacityError, DeviceFault.
  void reserve(std::uint64_t bytes);
  /// The same where of `rows_of_picture` rows of so many bytes these alone are held. What was there stays
  /// where the rows and their bytes are the last call's. Of a picture below kSmall there is memory behind all
  /// rows: another deal of them then takes no time, and others' rows have a place.
  void reserve_rows(std::uint64_t row_bytes, std::uint32_t rows_of_picture,
                    const std::vector<RowRange>& rows);

  /// Whether there is memory behind all rows of the last call's picture.
  bool has_all_rows() const { return address_ == 0; }

  std::uint8_t* data() const {
    return address_ != 0 ? reinterpret_cast<std::uint8_t*>(address_) : whole_.data();
  }
  /// That lie on the device.
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
  std::uint64_t address_ = 0;  ///< of the reserved range; 0: none
  std::uint64_t reserved_bytes_ = 0;
  std::uint64_t mapped_bytes_ = 0;
  std::vector<Piece> mapped_;
  std::uint64_t row_bytes_ = 0;  ///< what is mapped, in rows
  std::vector<RowRange> rows_;
};

}  // namespace loom::cuda
