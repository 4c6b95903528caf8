#pragma once

#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <type_traits>

namespace loom::render {

/// A rectangle with sides parallel to the axes, y down from its top-left corner.
template <typename T>
struct Rect {
  glm::vec<2, T> corner{0};
  glm::vec<2, T> size{0};

  /// The bottom-right corner.
  constexpr glm::vec<2, T> end() const { return corner + size; }
  constexpr glm::vec<2, T> centre() const { return corner + size / T{2}; }
  /// Whether a side is shorter than one unit.
  constexpr bool empty() const { return size.x < 1 || size.y < 1; }
  /// The right and the bottom edge are outside.
  constexpr bool contains(const glm::vec<2, T>& point) const {
    return point.x >= corner.x && point.y >= corner.y && point.x < end().x && point.y < end().y;
  }
  friend constexpr bool operator==(const Rect&, const Rect&) = default;
};

/// The intersection of two rectangles, with sides of 0 if they are apart. Integers are computed in 64 bits,
/// because a rectangle's end may not fit in an int.
template <typename T>
Rect<T> intersect(const Rect<T>& a, const Rect<T>& b) {
  using Wide = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;
  using WideVec = glm::vec<2, Wide>;
  const WideVec corner(glm::max(a.corner, b.corner));
  const WideVec end = glm::min(WideVec(a.corner) + WideVec(a.size), WideVec(b.corner) + WideVec(b.size));
  return {glm::vec<2, T>(corner), glm::vec<2, T>(glm::max(end - corner, Wide{0}))};
}

}  // namespace loom::render
