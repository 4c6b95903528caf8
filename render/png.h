#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <span>
#include <vector>

namespace loom::render {

/// RGB, 8 bits per channel, rows from the top.
struct RgbImage {
  glm::ivec2 size{0};
  std::vector<std::uint8_t> rgb;  ///< 3 * size.x * size.y bytes
};

/// Reads back the framebuffer object `framebuffer`.
RgbImage read_framebuffer(unsigned framebuffer, glm::ivec2 size);
/// Throws std::runtime_error with the file's name and the reason.
RgbImage read_png(const std::filesystem::path& file);
/// The same for a file in memory.
RgbImage read_png(std::span<const unsigned char> bytes);

}  // namespace loom::render
