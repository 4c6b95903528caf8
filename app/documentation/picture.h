#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace loom::app::documentation {

/// The PNG file of a picture of the documentation, by its path below the source folder. The program contains
/// them; empty if it has none with this path.
std::span<const unsigned char> picture_file(std::string_view path);
/// The size of a PNG file in pixels; nothing if it is none.
std::optional<glm::ivec2> picture_size(std::span<const unsigned char> png);
/// The picture in this size, as render::ColourTexture takes it: each pixel is the mean of the pixels that it
/// covers. Throws std::runtime_error if the file is damaged.
std::vector<std::uint32_t> read_picture(std::span<const unsigned char> png, glm::ivec2 size);

}  // namespace loom::app::documentation
