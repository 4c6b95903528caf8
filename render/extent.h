#pragma once

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

}  // namespace loom::render
