#pragma once

#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace loom::render {

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

}  // namespace loom::render
