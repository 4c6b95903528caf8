#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

namespace loom::app {

/// Writes a NumPy array (height, width) of uint32, little-endian, C order (format version 1.0). `read` fills
/// complete rows from the given one on and is called with a few rows at a time. Throws as OutputFile does.
void write_npy(const std::filesystem::path& file, std::uint32_t width, std::uint32_t height,
               const std::function<void(std::uint32_t first_row, std::span<std::uint32_t> rows)>& read);

}  // namespace loom::app
