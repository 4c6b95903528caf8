#pragma once

#include <imgui.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/explain/device_cells.h"
#include "app/gui/layout.h"
#include "render/camera.h"
#include "render/colour_texture.h"

namespace loom::app {

/// The cells of a picture coloured by the device that has them: each pixel with cells of one device has its
/// colour, exactly, however many cells a pixel covers. One with cells of several is left clear, as holes are.
/// Found from the fractal's tiles, from the largest on, in slices.
class DeviceRaster {
 public:
  void look_at(std::shared_ptr<const explain::DeviceCells> cells);
  /// Continues for about `budget`; starts over if the view has changed.
  void advance(const render::Camera& camera, std::chrono::duration<double, std::milli> budget);
  bool finished() const { return stack_.empty(); }
  /// Of each pixel, row by row: kNoDevice, a device from 0 on, or kSeveralDevices.
  static constexpr std::uint8_t kNoDevice = 255;
  static constexpr std::uint8_t kSeveralDevices = 254;
  const std::vector<std::uint8_t>& devices() const { return devices_; }
  /// Uploads the current result to the texture.
  void upload();
  /// The texture onto a picture's place.
  void draw(ImDrawList& list, const Area& area, std::uint8_t alpha) const;

 private:
  /// The pixels that a stretch of cells is seen in, on one axis; `inside`: they cover nothing else of it.
  struct Pixels {
    std::size_t first = 0;
    std::size_t end = 0;
    bool inside = false;  ///< one pixel, which covers all of the stretch
  };
  static Pixels pixels_of(const std::vector<std::int64_t>& edges, std::uint64_t first, std::uint64_t count);
  void begin(const render::Camera& camera);
  void visit(const explain::DeviceCells::Tile& tile);

  std::shared_ptr<const explain::DeviceCells> cells_;
  std::optional<render::Camera> camera_;  ///< that the edges are of
  std::vector<std::int64_t> x_edges_;
  std::vector<std::int64_t> y_edges_;
  std::size_t columns_ = 0;
  std::size_t rows_ = 0;
  std::vector<explain::DeviceCells::Tile> stack_;  ///< still to be looked at
  std::vector<std::uint8_t> devices_;
  std::vector<std::uint32_t> colours_;
  bool changed_ = false;  ///< since the last upload
  render::ColourTexture texture_;
};

}  // namespace loom::app
