#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "render/extent.h"

namespace loom::render {

/// RGB, 8 bits per channel, rows from the top.
struct RgbImage {
  Extent size;
  std::vector<std::uint8_t> rgb;  ///< 3 * width * height bytes
};

/// Reads back the framebuffer object `framebuffer`.
RgbImage read_framebuffer(unsigned framebuffer, Extent size);
/// Throws std::runtime_error with the file's name and the reason.
RgbImage read_png(const std::filesystem::path& file);

}  // namespace loom::render
