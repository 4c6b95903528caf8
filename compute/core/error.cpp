#include "compute/core/error.h"

#include <fmt/format.h>

#include <limits>

namespace loom {

InputError unknown_name(std::string_view what, std::string_view text, std::string_view allowed) {
  return InputError(fmt::format("unknown {} '{}'; allowed: {}", what, text, allowed));
}

std::string describe_bytes(std::uint64_t bytes) {
  if (bytes == std::numeric_limits<std::uint64_t>::max())
    return fmt::format("more than {} bytes (16 EiB)", bytes);
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  for (; value >= 1024 && unit < 6; ++unit) value /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes)
                   : fmt::format("{} bytes ({:.1f} {})", bytes, value, kUnits[unit]);
}

}  // namespace loom
