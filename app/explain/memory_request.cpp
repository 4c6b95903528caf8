#include "app/explain/memory_request.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace loom::app::explain {
namespace {

constexpr std::uint32_t kBanks = 32;
constexpr std::uint32_t kBankBytes = 4;

/// The number of distinct units of `size` bytes that the lanes access.
std::uint32_t distinct_units(const MemoryRequest& request, std::uint32_t size) {
  std::array<std::uint64_t, kWarpLanes> begins;
  std::size_t lanes = 0;
  for (const auto& address : request.address) {
    if (address) begins[lanes++] = *address;
  }
  std::sort(begins.begin(), begins.begin() + static_cast<std::ptrdiff_t>(lanes));
  std::uint64_t count = 0;
  std::uint64_t next = 0;  // first unit that is not counted yet
  for (std::size_t i = 0; i < lanes; ++i) {
    const std::uint64_t end = (begins[i] + request.width - 1) / size + 1;
    const std::uint64_t begin = std::max(begins[i] / size, next);
    if (begin < end) count += end - begin;
    next = std::max(next, end);
  }
  return static_cast<std::uint32_t>(count);
}

/// Number of lanes that shared memory serves together.
std::uint32_t group_size(const MemoryRequest& request) {
  return request.width <= kBankBytes ? kWarpLanes : kWarpLanes * kBankBytes / request.width;
}

/// The largest number of distinct words that the lanes of a group access in one bank; 0 without active lanes.
std::uint32_t group_wavefronts(const MemoryRequest& request, std::uint32_t first, std::uint32_t size) {
  std::array<std::vector<std::uint64_t>, kBanks> words;
  for (std::uint32_t lane = first; lane < first + size; ++lane) {
    if (!request.address[lane]) continue;
    const std::uint64_t begin = *request.address[lane];
    for (std::uint64_t word = begin / kBankBytes; word <= (begin + request.width - 1) / kBankBytes; ++word) {
      auto& of_bank = words[word % kBanks];
      if (std::find(of_bank.begin(), of_bank.end(), word) == of_bank.end()) of_bank.push_back(word);
    }
  }
  std::size_t most = 0;
  for (const auto& of_bank : words) most = std::max(most, of_bank.size());
  return static_cast<std::uint32_t>(most);
}

}  // namespace

std::uint32_t MemoryRequest::lanes() const {
  return static_cast<std::uint32_t>(
      std::count_if(address.begin(), address.end(), [](const auto& at) { return at.has_value(); }));
}

std::uint32_t MemoryRequest::bytes_requested() const {
  return distinct_units(*this, 1);
}

std::uint32_t MemoryRequest::sectors() const {
  return distinct_units(*this, kSectorBytes);
}

std::uint32_t MemoryRequest::wavefronts() const {
  if (buffer != Buffer::kShared) return 0;
  const std::uint32_t size = group_size(*this);
  std::uint32_t sum = 0;
  for (std::uint32_t first = 0; first < kWarpLanes; first += size)
    sum += group_wavefronts(*this, first, size);
  return sum;
}

std::uint32_t MemoryRequest::bank_conflicts() const {
  if (buffer != Buffer::kShared) return 0;
  const std::uint32_t size = group_size(*this);
  std::uint32_t groups = 0;
  for (std::uint32_t first = 0; first < kWarpLanes; first += size) {
    groups += group_wavefronts(*this, first, size) > 0;
  }
  return wavefronts() - groups;
}

double GlobalTraffic::sectors_per_request() const {
  return requests == 0 ? 0.0 : static_cast<double>(sectors) / static_cast<double>(requests);
}

double GlobalTraffic::requested_fraction() const {
  return sectors == 0 ? 0.0 : static_cast<double>(bytes_requested) / static_cast<double>(bytes_moved());
}

GlobalTraffic& GlobalTraffic::operator+=(const GlobalTraffic& other) {
  requests += other.requests;
  sectors += other.sectors;
  bytes_requested += other.bytes_requested;
  return *this;
}

SharedTraffic& SharedTraffic::operator+=(const SharedTraffic& other) {
  requests += other.requests;
  wavefronts += other.wavefronts;
  bank_conflicts += other.bank_conflicts;
  return *this;
}

void WarpTraffic::add(const MemoryRequest& request) {
  if (request.buffer == Buffer::kShared) {
    shared += {1, request.wavefronts(), request.bank_conflicts()};
    return;
  }
  GlobalTraffic& sum = request.writes                       ? cells_written
                       : request.buffer == Buffer::kCurrent ? cells_read
                                                            : tables_read;
  sum += {1, request.sectors(), request.bytes_requested()};
}

WarpTraffic& WarpTraffic::operator+=(const WarpTraffic& other) {
  cells_read += other.cells_read;
  cells_written += other.cells_written;
  tables_read += other.tables_read;
  shared += other.shared;
  return *this;
}

}  // namespace loom::app::explain
