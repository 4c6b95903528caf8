#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "render/extent.h"

namespace loom::render {

/// RGB, 8 bits a channel, rows from the top.
struct RgbImage {
  Extent size;
  std::vector<std::uint8_t> rgb;  ///< 3 * width * height bytes
};

/// Reads the bound framebuffer back.
RgbImage read_framebuffer(unsigned framebuffer, Extent size);
/// A PNG file's bytes. Throws std::runtime_error where the image's size and bytes do not agree.
std::string png_bytes(const RgbImage& image);
/// Throws std::runtime_error with the file's name and the reason.
RgbImage read_png(const std::filesystem::path& file);

}  // namespace loom::render
