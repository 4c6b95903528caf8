#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "compute/engine/progress_monitor.h"
#include "render/png.h"

namespace loom::app::image {

/// Largest side of an image in pixels.
inline constexpr int kMostSide = 32768;

/// An image produced in bands of rows, so that its size is not limited by memory.
class ImageRows {
 public:
  virtual ~ImageRows() = default;
  virtual glm::ivec2 size() const = 0;
  /// Writes rows [first, first + count) to `rgb`, 3 bytes per pixel. Throws OperationCancelled,
  /// CapacityError, MachineError, std::bad_alloc.
  virtual void rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) = 0;
};

/// Rows of an image that is already in memory.
class StoredRows final : public ImageRows {
 public:
  explicit StoredRows(const render::RgbImage& image) : image_(image) {}
  glm::ivec2 size() const override { return image_.size; }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor*) override {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(image_.size.x) * 3;
    rgb.assign(image_.rgb.begin() + first * row, image_.rgb.begin() + (first + count) * row);
  }

 private:
  const render::RgbImage& image_;
};

/// Number of rows of a band, which has about as many pixels as a frame of a window.
int rows_of_band(glm::ivec2 size);

/// Keyword of the PNG text chunk that contains the JSON of a scene. Its cells are in a chunk of their own.
inline constexpr const char* kSceneKeyword = "fractal-loom-scene";

/// Writes an image as a PNG that contains the bytes of the scene (document/scene/scene.h), one band at a
/// time; the file appears complete or not at all. Returns its size in bytes. Throws as the rows and
/// OutputFile, OperationCancelled.
std::uint64_t write_image(const std::filesystem::path& file, ImageRows& rows, const std::string& scene,
                          ProgressMonitor* watch = nullptr);

}  // namespace loom::app::image
