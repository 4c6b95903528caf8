#include "compute/distributed/process_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "compute/core/error.h"

namespace loom {

int ProcessGroup::started() {
  for (const char* const variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"}) {
    if (const char* const text = std::getenv(variable)) return std::atoi(text);
  }
  return 1;
}

void ProcessGroup::merge(std::span<std::byte> bytes) const {
  constexpr std::size_t kAtATime = std::size_t{1} << 24;
  std::vector<std::uint64_t> words;
  for (std::size_t first = 0; first < bytes.size(); first += kAtATime) {
    const std::span<std::byte> some = bytes.subspan(first, std::min(kAtATime, bytes.size() - first));
    words.assign((some.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t), 0);
    std::memcpy(words.data(), some.data(), some.size());
    sum(words);
    std::memcpy(some.data(), words.data(), some.size());
  }
}

std::vector<std::uint64_t> ProcessGroup::gather(std::span<const std::uint64_t> own) const {
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(count()));
  sizes[static_cast<std::size_t>(rank())] = own.size();
  sum(sizes);
  const auto total = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  std::vector<std::uint64_t> all(total);
  std::ranges::copy(own,
                    all.begin() + std::accumulate(sizes.begin(), sizes.begin() + rank(), std::ptrdiff_t{0}));
  merge(std::as_writable_bytes(std::span(all)));
  return all;
}

#ifndef LOOM_HAS_MPI
ProcessGroup* ProcessGroup::join() {
  if (started() <= 1) return nullptr;
  throw MachineError(fmt::format(
      "started as one of {} processes, but built without MPI; allowed: one process, or a build with MPI",
      started()));
}

void ProcessGroup::leave() {}

std::string ProcessGroup::library() {
  return {};
}
#endif

}  // namespace loom
