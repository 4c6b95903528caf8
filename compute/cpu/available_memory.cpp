#include "compute/cpu/available_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace loom::cpu {
namespace {

/// The number in a one-line file; nothing that limits where the file is missing or says "max".
std::uint64_t read_number(const char* file, std::uint64_t otherwise) {
  std::ifstream in(file);
  std::uint64_t value = 0;
  return in >> value ? value : otherwise;
}

}  // namespace

std::uint64_t available_memory() {
  constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t available = kUnlimited;
  std::ifstream meminfo("/proc/meminfo");
  for (std::string line; std::getline(meminfo, line);) {
    if (line.rfind("MemAvailable:", 0) == 0) available = std::stoull(line.substr(13)) * 1024;
  }
  const std::uint64_t limit = read_number("/sys/fs/cgroup/memory.max", kUnlimited);
  const std::uint64_t used = read_number("/sys/fs/cgroup/memory.current", 0);
  if (limit != kUnlimited) available = std::min(available, limit > used ? limit - used : 0);
  return available;
}

}  // namespace loom::cpu
