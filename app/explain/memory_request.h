#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "app/explain/thread_space.h"

namespace loom::app::explain {

/// The buffer that a request accesses. Addresses are offsets from its start, which is aligned to 128 bytes.
enum class Buffer {
  kCurrent,        ///< the generation that is read
  kNext,           ///< the generation that is written
  kPositionTable,  ///< the table of the intra-block mapping `lookup`
  kHaloList,       ///< list of the halo cells of a tile
  kShared,         ///< staged cells or states of the thread block
};

/// One load or store instruction of a warp.
struct MemoryRequest {
  std::string name;  ///< its purpose: "reads the cell above"
  Buffer buffer = Buffer::kCurrent;
  bool writes = false;
  std::uint32_t width = 1;  ///< bytes that each lane reads or writes at its address: 1, 4, 8 or 16
  /// Byte offset per lane; empty if the lane does not take part.
  std::array<std::optional<std::uint64_t>, kWarpLanes> address;

  std::uint32_t lanes() const;
  /// Number of distinct bytes that the lanes access.
  std::uint32_t bytes_requested() const;
  /// Number of distinct 32-byte sectors: the unit of transfer of the caches.
  std::uint32_t sectors() const;
  /// Number of passes over the 32 banks of shared memory, each 4 bytes wide. Lanes that access different
  /// words of one bank need separate passes. Accesses of 8 bytes are split into two groups of 16 lanes, of 16
  /// bytes into four groups of 8. 0 for global memory.
  std::uint32_t wavefronts() const;
  /// Wavefronts beyond one for each group of active lanes.
  std::uint32_t bank_conflicts() const;
};

/// Sums over requests to global memory.
struct GlobalTraffic {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t bytes_requested = 0;
  std::uint64_t bytes_moved() const { return sectors * kSectorBytes; }
  double sectors_per_request() const;  ///< 0 without requests
  double requested_fraction() const;   ///< bytes requested over bytes moved; 0 without requests
  GlobalTraffic& operator+=(const GlobalTraffic& other);
  friend bool operator==(const GlobalTraffic&, const GlobalTraffic&) = default;
};
/// Sums over requests to shared memory.
struct SharedTraffic {
  std::uint64_t requests = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t bank_conflicts = 0;
  SharedTraffic& operator+=(const SharedTraffic& other);
  friend bool operator==(const SharedTraffic&, const SharedTraffic&) = default;
};
struct WarpTraffic {
  GlobalTraffic cells_read;
  GlobalTraffic cells_written;
  GlobalTraffic tables_read;
  SharedTraffic shared;
  void add(const MemoryRequest& request);
  WarpTraffic& operator+=(const WarpTraffic& other);
  friend bool operator==(const WarpTraffic&, const WarpTraffic&) = default;
};

}  // namespace loom::app::explain
