#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loom::render {

/// RGB, 8 bits per channel, rows from the top.
struct RgbImage {
  glm::ivec2 size{0};
  std::vector<std::uint8_t> rgb;  ///< 3 * size.x * size.y bytes
};

/// Throws std::runtime_error with the file's name and the reason.
RgbImage read_png(const std::filesystem::path& file);
/// The same for a file in memory.
RgbImage read_png(std::span<const unsigned char> bytes);

/// A tEXt chunk of a PNG, both ASCII; the keyword has 1 to 79 characters.
struct PngText {
  const char* keyword;
  const char* text;
  std::string_view data = {};  ///< anything; a chunk kPngData of its own, which empty data needs not
};

/// A PNG encoder (RGB, 8 bits per channel) that writes row by row, so that only a few rows are in memory.
class PngWriter {
 public:
  /// Receives the file's bytes, in order. Its exceptions propagate to the caller of the writing function.
  using Sink = std::function<void(std::string_view)>;

  /// Writes what precedes the rows. Sides from 1 to 2^30. Throws std::runtime_error for others and for a text
  /// that is too long for a PNG, std::bad_alloc.
  PngWriter(glm::ivec2 size, Sink sink, std::optional<PngText> text = std::nullopt);
  ~PngWriter();
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;

  /// Writes the next rows from the top, 3 * width bytes each. Throws std::runtime_error if these are not
  /// whole rows or more than remain.
  void rows(std::span<const std::uint8_t> rgb);
  /// Ends the file after the last row. Throws std::runtime_error if rows are missing.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Whether the bytes begin like a PNG.
bool is_png(std::string_view bytes);

/// Chunk for data that belong to a text: ancillary, private, safe to copy.
inline constexpr const char* kPngData = "loOm";

/// The text of the first tEXt chunk with this keyword, before or after the image data; empty if there is
/// none. If there is a chunk kPngData before the image data, a zero byte and its data follow. The pixels are
/// not decompressed. Throws std::runtime_error if the PNG ends early or is damaged, std::bad_alloc.
std::optional<std::string> read_png_text(std::string_view png, std::string_view keyword);

}  // namespace loom::render
