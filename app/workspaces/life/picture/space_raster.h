#pragma once

#include <imgui.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/explain/space_layout.h"
#include "app/workspaces/life/picture/picture_view.h"
#include "app/workspaces/life/scene/cell_states.h"
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

}  // namespace loom::app
