#include "compute/cpu/available_memory.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "compute/core/error.h"

namespace loom::cpu {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
/// For thread stacks, page rounding, drivers and output buffers.
constexpr std::uint64_t kReserve = std::uint64_t{32} << 20;

std::uint64_t less(std::uint64_t limit, std::uint64_t used) {
  return limit > used ? limit - used : 0;
}

/// The number in a one-line file; `otherwise` if the file is missing or contains "max".
std::uint64_t read_number(const fs::path& file, std::uint64_t otherwise) {
  std::ifstream in(file);
  std::uint64_t value = 0;
  return in >> value ? value : otherwise;
}

/// The number after a word at the beginning of a line.
std::uint64_t read_field(const fs::path& file, std::string_view name, std::uint64_t otherwise) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream rest(line.substr(name.size()));
    std::uint64_t value = 0;
    if (rest >> value) return value;
  }
  return otherwise;
}

/// The file names of a version of control groups.
struct GroupFiles {
  const char* limit;
  const char* used;
  const char* reclaimable;  ///< in memory.stat: cached files, which the kernel drops before it refuses memory
};
constexpr GroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", "inactive_file "};

std::uint64_t left_in_group(const fs::path& group, const GroupFiles& files) {
  const std::uint64_t limit = read_number(group / files.limit, kUnlimited);
  if (limit == kUnlimited) return kUnlimited;
  const std::uint64_t used = read_number(group / files.used, 0);
  return less(limit, less(used, read_field(group / "memory.stat", files.reclaimable, 0)));
}

/// The remaining memory of a group and of its parent groups. `path` is the group's path, `seen_from` that of
/// the mounted group.
std::uint64_t left_in_groups(const fs::path& mount, const fs::path& path, const fs::path& seen_from,
                             const GroupFiles& files) {
  fs::path below = path.lexically_relative(seen_from);
  // A container that only sees its own group sees it as the root.
  if (below.empty() || *below.begin() == "..") below = ".";
  std::uint64_t left = left_in_group(mount, files);
  fs::path group = mount;
  for (const fs::path& part : below) {
    group /= part;
    left = std::min(left, left_in_group(group, files));
  }
  return left;
}

bool has_word(const std::string& list, std::string_view word) {
  std::istringstream words(list);
  for (std::string one; std::getline(words, one, ',');) {
    if (one == word) return true;
  }
  return false;
}

/// The path of this process's group: that of the memory controller in version 1, of all controllers in
/// version 2.
std::string group_path(const fs::path& root, bool version_1) {
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (version_1 ? has_word(controllers, "memory") : controllers.empty()) return line.substr(second + 1);
  }
  return "/";
}

std::uint64_t left_in_control_groups(const fs::path& root) {
  std::uint64_t left = kUnlimited;
  std::ifstream mounts(root / "proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    // 36 35 98:0 /root /mount/point options ... - type source options
    const auto dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream before(line.substr(0, dash));
    std::istringstream after(line.substr(dash + 3));
    std::string skipped, seen_from, point, type, options;
    before >> skipped >> skipped >> skipped >> seen_from >> point;
    after >> type >> skipped >> options;
    const bool version_1 = type == "cgroup" && has_word(options, "memory");
    if (!version_1 && type != "cgroup2") continue;
    const fs::path mount = root / fs::path(point).relative_path();
    left = std::min(left, left_in_groups(mount, group_path(root, version_1), seen_from,
                                         version_1 ? kVersion1 : kVersion2));
  }
  return left;
}

std::uint64_t left_of_machine(const fs::path& root) {
  constexpr std::uint64_t kNoUnit = kUnlimited / 1024;
  const fs::path meminfo = root / "proc/meminfo";
  std::uint64_t left = read_field(meminfo, "MemAvailable:", kNoUnit);
  // If the kernel does not overcommit, committed memory counts.
  constexpr std::uint64_t kNeverOvercommit = 2;
  if (read_number(root / "proc/sys/vm/overcommit_memory", 0) == kNeverOvercommit) {
    left = std::min(
        left, less(read_field(meminfo, "CommitLimit:", kNoUnit), read_field(meminfo, "Committed_AS:", 0)));
  }
  return left >= kNoUnit ? kUnlimited : left * 1024;
}

std::uint64_t left_of_limit(decltype(RLIMIT_AS) which, const char* used_kib) {
  rlimit limit{};
  if (getrlimit(which, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  return less(limit.rlim_cur, 1024 * read_field("/proc/self/status", used_kib, 0));
}

std::uint64_t keep_reserve(std::uint64_t left) {
  return left == kUnlimited ? left : less(left, kReserve);
}

}  // namespace

std::uint64_t available_memory_below(const fs::path& root) {
  return keep_reserve(std::min(left_of_machine(root), left_in_control_groups(root)));
}

std::uint64_t available_memory() {
  const std::uint64_t own =
      std::min(left_of_limit(RLIMIT_AS, "VmSize:"), left_of_limit(RLIMIT_DATA, "VmData:"));
  return std::min(available_memory_below("/"), keep_reserve(own));
}

std::uint64_t orbit_memory() {
  constexpr std::uint64_t kUnknown = kUnlimited / 1024;
  return std::min(available_memory(), read_field("/proc/meminfo", "MemTotal:", kUnknown) * 1024 / 4);
}

void check_available(std::uint64_t needed, std::string_view what) {
  const std::uint64_t available = available_memory();
  if (needed <= available) return;
  throw CapacityError(fmt::format("{} needs {}, but only {} are free", what, describe_bytes(needed),
                                  describe_bytes(available)),
                      needed, available);
}

}  // namespace loom::cpu
