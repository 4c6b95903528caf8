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

/// Colours each pixel by the device that owns its cells. The colour is exact however many cells a pixel
/// covers; pixels with cells of several devices stay transparent, as holes do. Computed from the tiles, the
/// largest first, in time slices.
class DeviceRaster {
 public:
  void look_at(std::shared_ptr<const explain::DeviceCells> cells);
  /// Continues for about `budget`; starts over if the view has changed.
  void advance(const render::Camera& camera, std::chrono::duration<double, std::milli> budget);
  bool finished() const { return stack_.empty(); }
  /// Per pixel, row by row: kNoDevice, a device index, or kSeveralDevices.
  static constexpr std::uint8_t kNoDevice = 255;
  static constexpr std::uint8_t kSeveralDevices = 254;
  const std::vector<std::uint8_t>& devices() const { return devices_; }
  /// Uploads the current result to the texture.
  void upload();
  /// Draws the texture over the picture.
  void draw(ImDrawList& list, const Area& area, std::uint8_t alpha) const;

 private:
  /// The pixels that show a range of cells on one axis.
  struct Pixels {
    std::size_t first = 0;
    std::size_t end = 0;
    bool inside = false;  ///< a single pixel, which covers the whole range
  };
  static Pixels pixels_of(const std::vector<std::int64_t>& edges, std::uint64_t first, std::uint64_t count);
  void begin(const render::Camera& camera);
  void visit(const explain::DeviceCells::Tile& tile);

  std::shared_ptr<const explain::DeviceCells> cells_;
  std::optional<render::Camera> camera_;  ///< whose edges are stored
  std::vector<std::int64_t> x_edges_;
  std::vector<std::int64_t> y_edges_;
  std::size_t columns_ = 0;
  std::size_t rows_ = 0;
  std::vector<explain::DeviceCells::Tile> stack_;  ///< tiles still to be visited
  std::vector<std::uint8_t> devices_;
  std::vector<std::uint32_t> colours_;
  bool changed_ = false;  ///< since the last upload
  render::ColourTexture texture_;
};

}  // namespace loom::app
