#pragma once

#include <cstdint>

namespace loom {

/// Of a list of what a part tells others, or is told, the stretch that is one other part's.
struct PartStretch {
  std::uint32_t part = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  friend bool operator==(const PartStretch&, const PartStretch&) = default;
};

}  // namespace loom
