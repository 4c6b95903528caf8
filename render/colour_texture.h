#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <vector>

namespace loom::render {

/// An image of colours for the panels to draw: 8 bits each of red, green, blue and alpha, red in the lowest
/// byte, rows from the top. Neither filtered nor repeated. The GL context must be current for every call and
/// for the destructor.
class ColourTexture {
 public:
  ColourTexture();
  ~ColourTexture();
  ColourTexture(ColourTexture&&) noexcept;
  ColourTexture& operator=(ColourTexture&&) noexcept;

  /// Uploads size.x * size.y colours. Throws std::invalid_argument for another number of colours,
  /// and for sides outside 1 .. the driver's limit.
  void upload(glm::ivec2 size, const std::vector<std::uint32_t>& colours);
  /// 0 before the first upload.
  unsigned gl_name() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace loom::render
