#pragma once

#include <algorithm>
#include <cstdint>

namespace loom::render {

/// A size in framebuffer pixels.
struct Extent {
  int width = 0;
  int height = 0;
  friend constexpr bool operator==(const Extent&, const Extent&) = default;
};

/// A rectangle in framebuffer pixels, y down from the top-left corner.
struct Rect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  friend constexpr bool operator==(const Rect&, const Rect&) = default;
};

/// The intersection of two rectangles. Computed in 64 bits, because a rectangle's far edge may not fit in an
/// int.
inline Rect intersect(const Rect& a, const Rect& b) {
  const auto left = std::max<std::int64_t>(a.x, b.x);
  const auto top = std::max<std::int64_t>(a.y, b.y);
  const auto right = std::min(std::int64_t{a.x} + a.width, std::int64_t{b.x} + b.width);
  const auto bottom = std::min(std::int64_t{a.y} + a.height, std::int64_t{b.y} + b.height);
  return {static_cast<int>(left), static_cast<int>(top),
          static_cast<int>(std::max<std::int64_t>(right - left, 0)),
          static_cast<int>(std::max<std::int64_t>(bottom - top, 0))};
}

inline bool empty(const Rect& rect) {
  return rect.width <= 0 || rect.height <= 0;
}

}  // namespace loom::render
