#pragma once

#include <imgui.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/explain/space_layout.h"
#include "app/gui/layout.h"
#include "app/workspaces/life/picture/picture_mouse.h"
#include "app/workspaces/life/scene/cell_ages.h"
#include "render/camera.h"
#include "render/colour_texture.h"

namespace loom::app {

/// Spaces with more units are not coloured by state.
inline constexpr std::uint64_t kMaxStateUnits = CellStates::kMaxCells;

/// One of the three spaces as an image: each pixel has the colour of the unit at its centre. Computed on the
/// host from the model alone, in slices: first every eighth pixel of every eighth row, then all.
class SpaceRaster {
 public:
  /// Sets the space and its colours. `layout` must outlive the raster or the next call.
  void look_at(const explain::SpaceLayout& layout, const explain::Colouring& colouring);
  /// True: units without a value are transparent, for an overlay. False: they are dark.
  void set_clear_without_value(bool clear) { clear_ = clear; }
  /// `states` must outlive the raster.
  void set_states(const CellStates& states);
  /// Continues for about `budget`; starts over if view, layout, colours or states have changed.
  void advance(const render::Camera& camera, std::chrono::duration<double, std::milli> budget);
  bool finished() const { return stride_ == 0; }
  /// One packed ImGui colour per pixel of the camera's picture; 0: transparent.
  const std::vector<std::uint32_t>& pixels() const { return pixels_; }
  /// Uploads the current result to the texture.
  void upload();
  /// Draws the texture over the picture.
  void draw(ImDrawList& list, const Area& area, std::uint8_t alpha) const;

 private:
  void begin(const render::Camera& camera);
  void fill_row(std::size_t row);
  std::uint32_t colour_at(Coord64 unit);
  std::uint32_t colour_by_state(Coord64 unit);

  const explain::SpaceLayout* layout_ = nullptr;
  explain::Colouring colouring_;
  bool clear_ = false;
  const CellStates* states_ = nullptr;
  std::uint64_t states_version_ = 0;        ///< of the states that the image shows
  std::vector<std::int32_t> cell_of_unit_;  ///< canonical index, or a negative code (see the .cpp file)
  bool begun_ = false;

  std::optional<render::Camera> camera_;  ///< whose edges are stored
  std::vector<std::int64_t> x_edges_;
  std::vector<std::int64_t> y_edges_;
  std::size_t columns_ = 0;
  std::size_t rows_ = 0;
  std::size_t stride_ = 0;    ///< of the current pass; 0 when finished
  std::size_t next_row_ = 0;  ///< of the current pass
  std::vector<std::uint32_t> pixels_;
  bool changed_ = false;  ///< since the last upload
  render::ColourTexture texture_;
};

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
