#include "app/bench/duration_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loom::app::bench {

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(std::min(seconds, 1e9)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole % 3600 / 60);
}

}  // namespace loom::app::bench
