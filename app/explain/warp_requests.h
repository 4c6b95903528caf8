#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/explain/thread_space.h"
#include "app/explain/warp_memory_access.h"

namespace loom::app::explain {

// Parts from which warp_memory_access() composes its requests.

/// Names of the nine cells of a neighbourhood, row by row.
inline constexpr std::array kNeighbourNames = {
    "above left", "above", "above right", "left", "itself", "right", "below left", "below", "below right"};

/// The byte offset that a lane accesses; empty if the lane does not take part.
using Address = std::optional<std::uint64_t>;

/// A list of requests with at least one active lane.
class Requests {
 public:
  /// `address_of(lane)` is an optional address.
  template <typename AddressOf>
  void add(std::string name, Buffer buffer, bool writes, std::uint32_t width, const AddressOf& address_of) {
    MemoryRequest request{
        .name = std::move(name), .buffer = buffer, .writes = writes, .width = width, .address = {}};
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) request.address[lane] = address_of(lane);
    if (request.lanes() > 0) list_.push_back(std::move(request));
  }
  std::vector<MemoryRequest> take() { return std::move(list_); }

 private:
  std::vector<MemoryRequest> list_;
};

/// The lanes of a warp of a launch, by the index of the warp in its thread block.
struct LaunchWarp {
  const ThreadSpace& space;
  std::uint32_t number = 0;
  std::uint32_t rank(std::uint32_t lane) const { return number * kWarpLanes + lane; }
  /// True if CUDA launches the thread; the last warp of a thread block may be partial.
  bool is_launched(std::uint32_t lane) const { return rank(lane) < space.launch().threads; }
  std::uint32_t slot(std::uint32_t lane) const { return rank(lane) / space.threads_per_tile(); }
  std::uint32_t thread(std::uint32_t lane) const { return rank(lane) % space.threads_per_tile(); }
};

}  // namespace loom::app::explain
