#include "compute/cuda/mandelbrot/dwell_memory.h"

#include <cuda.h>
#include <fmt/format.h>

#include <algorithm>

#include "compute/core/error.h"
#include "compute/cuda/available_memory.h"
#include "compute/cuda/shared_library.h"

namespace loom::cuda {
namespace {

/// The driver's functions for virtual memory management.
struct Driver {
  decltype(&cuMemGetAllocationGranularity) granularity = nullptr;
  decltype(&cuMemAddressReserve) reserve = nullptr;
  decltype(&cuMemAddressFree) free = nullptr;
  decltype(&cuMemCreate) create = nullptr;
  decltype(&cuMemRelease) release = nullptr;
  decltype(&cuMemMap) map = nullptr;
  decltype(&cuMemUnmap) unmap = nullptr;
  decltype(&cuMemSetAccess) set_access = nullptr;
  decltype(&cuGetErrorName) error_name = nullptr;
  bool whole = false;

  Driver() {
    SharedLibrary library("libcuda.so.1");
    library.find(granularity, "cuMemGetAllocationGranularity");
    library.find(reserve, "cuMemAddressReserve");
    library.find(free, "cuMemAddressFree");
    library.find(create, "cuMemCreate");
    library.find(release, "cuMemRelease");
    library.find(map, "cuMemMap");
    library.find(unmap, "cuMemUnmap");
    library.find(set_access, "cuMemSetAccess");
    library.find(error_name, "cuGetErrorName");
    whole = library.whole();
  }

  void check(CUresult result, const char* call) const {
    if (result == CUDA_SUCCESS) return;
    const char* name = nullptr;
    error_name(result, &name);
    throw DeviceFault(fmt::format("{}: {}", call, name != nullptr ? name : "an unknown error"));
  }
};

const Driver& driver() {
  static const Driver found;
  return found;
}

CUmemAllocationProp memory_of(int device) {
  CUmemAllocationProp wanted{};
  wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  wanted.location.id = device;
  return wanted;
}

/// Page size in bytes; 0 if the device does not support virtual memory management.
std::uint64_t page_of(int device) {
  if (!driver().whole) return 0;
  const CUmemAllocationProp wanted = memory_of(device);
  std::size_t page = 0;
  const CUresult result = driver().granularity(&page, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  return result == CUDA_SUCCESS ? page : 0;
}

}  // namespace

void DwellMemory::reserve(std::uint64_t bytes) {
  if (address_ != 0) release();
  whole_.reserve(bytes);
}

void DwellMemory::reserve_rows(std::uint64_t row_bytes, std::uint32_t rows_of_picture,
                               const std::vector<RowRange>& rows) {
  if (row_bytes * rows_of_picture <= kSmall) return reserve(row_bytes * rows_of_picture);
  if (address_ != 0 && row_bytes == row_bytes_ && rows == rows_) return;
  release();
  map(row_bytes, rows_of_picture, rows);
}

void DwellMemory::map(std::uint64_t row_bytes, std::uint32_t rows_of_picture,
                      const std::vector<RowRange>& rows) {
  const std::uint64_t page = page_of(device_);
  const std::uint64_t bytes = row_bytes * rows_of_picture;
  if (page == 0 || rows.empty()) return whole_.reserve(rows.empty() ? 1 : bytes);
  whole_ = DeviceBuffer<std::uint8_t>();
  reserved_bytes_ = (bytes + page - 1) / page * page;
  CUdeviceptr address = 0;
  driver().check(driver().reserve(&address, reserved_bytes_, 0, 0, 0), "cuMemAddressReserve");
  address_ = address;
  try {
    for (const RowRange& range : rows) {
      const std::uint64_t end_of_last = mapped_.empty() ? 0 : mapped_.back().offset + mapped_.back().bytes;
      const std::uint64_t first = std::max(range.first * row_bytes / page * page, end_of_last);
      const std::uint64_t end = (range.end * row_bytes + page - 1) / page * page;
      if (first < end) map_piece({first, end - first});
    }
  } catch (...) {
    release();
    throw;
  }
  row_bytes_ = row_bytes;
  rows_ = rows;
}

void DwellMemory::map_piece(const Piece& piece) {
  const CUmemAllocationProp wanted = memory_of(device_);
  CUmemGenericAllocationHandle memory = 0;
  const CUresult created = driver().create(&memory, piece.bytes, &wanted, 0);
  if (created == CUDA_ERROR_OUT_OF_MEMORY) {
    const std::uint64_t available = available_memory(device_);
    throw CapacityError(fmt::format("rows of an image need {}, but only {} are free",
                                    describe_bytes(piece.bytes), describe_bytes(available)),
                        piece.bytes, available);
  }
  driver().check(created, "cuMemCreate");
  const CUresult mapped = driver().map(address_ + piece.offset, piece.bytes, 0, memory, 0);
  driver().release(memory);  // it stays allocated while it is mapped
  driver().check(mapped, "cuMemMap");
  mapped_.push_back(piece);
  mapped_bytes_ += piece.bytes;
  CUmemAccessDesc access{};
  access.location = wanted.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  driver().check(driver().set_access(address_ + piece.offset, piece.bytes, &access, 1), "cuMemSetAccess");
}

void DwellMemory::release() noexcept {
  for (const Piece& piece : mapped_) driver().unmap(address_ + piece.offset, piece.bytes);
  if (address_ != 0) driver().free(address_, reserved_bytes_);
  address_ = reserved_bytes_ = mapped_bytes_ = row_bytes_ = 0;
  mapped_.clear();
  rows_.clear();
}

}  // namespace loom::cuda
