#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "render/extent.h"

namespace loom::render {

/// A PNG (RGB, 8 bits a channel) that is written row by row, so that no more of it is held than a few rows.
class PngWriter {
 public:
  /// Takes the file's bytes, in order. What it throws comes out of the call that wrote.
  using Sink = std::function<void(std::string_view)>;

  /// Sides from 1 to 2^30. Throws std::runtime_error for others, std::bad_alloc.
  PngWriter(Extent size, Sink sink);
  ~PngWriter();
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;

  /// The next rows from the top, 3 * width bytes each. Throws std::runtime_error where these are no whole
  /// rows or more than there are left.
  void rows(std::span<const std::uint8_t> rgb);
  /// After the last row: the end. Throws std::runtime_error where rows are missing.
  void finish();
  /// The same with a text chunk before it, ASCII.
  void finish(std::string_view keyword, std::string_view text);

 private:
  void check_whole() const;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace loom::render
