#pragma once

#include <imgui.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/explain/space_layout.h"
#include "app/explain/unfolding.h"
#include "app/gui/layout.h"
#include "app/widgets/picture.h"
#include "app/workspaces/life/scene/cell_statistics.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "compute/engine/fractal_config.h"
#include "compute/engine/fractal_engine.h"
#include "compute/geometry/nbb_fractal.h"
#include "compute/map/map_method.h"
#include "render/camera.h"
#include "render/colour_texture.h"

namespace loom::app {

/// Mouse input over the picture: wheel, pan, box zoom, zoom while held, painting. Stores the current gesture.
class PictureMouse {
 public:
  /// The next drag with the left button draws a zoom box.
  void arm_box_zoom() { box_armed_ = true; }
  void cancel() { box_armed_ = false; }

  enum class Gesture { kNone, kPan, kBox, kPaint, kSelect, kZoom };
  Gesture gesture() const { return gesture_; }

  /// Settings of painting with the left button.
  struct Brush {
    const TileGrid& space;
    std::function<std::uint8_t(Coord64)> state_of;  ///< of a cell; 0 if it is not known
    std::uint8_t state;                             ///< to paint; from a cell in this state on, 0
    std::vector<CellEdit>& painted;                 ///< receives the painted cells
  };
  /// Reads ImGui's mouse. Moves the camera, paints if there is a brush, and selects on Ctrl and drag.
  void update(const Area& picture, float scale, render::Camera& camera, const Brush* brush = nullptr);

  /// The units that a drag selects: from the first one to the one under the cursor. Nothing before the mouse
  /// has moved.
  struct Selecting {
    Coord<std::int64_t> from;
    Coord<std::int64_t> to;
  };
  const std::optional<Selecting>& selecting() const { return selecting_; }

  /// The unit under the cursor if that is over the picture and over no panel; may lie outside the field.
  const std::optional<Coord<std::int64_t>>& hovered() const { return hovered_; }
  /// Whether a turn of the wheel still moves the view.
  bool is_zooming() const { return wheel_.active(); }
  /// Draws the rubber band of a box zoom under way.
  void draw(ImDrawList& list) const;

 private:
  void begin(const Brush* brush);
  void paint(const Brush& brush);

  WheelZoom wheel_;
  Gesture gesture_ = Gesture::kNone;
  int button_ = 0;
  bool box_armed_ = false;
  std::uint8_t painted_state_ = 0;
  glm::vec2 start_{};                        ///< of the box, in screen coordinates
  Coord<std::int64_t> first_{};              ///< the first cell of a selection
  std::optional<Selecting> selecting_;       ///< also set in the frame of the button release
  std::optional<Coord<std::int64_t>> last_;  ///< the previous cell of the brush
  Coord<std::int64_t> cursor_cell_{};
  std::optional<Coord<std::int64_t>> hovered_;
};

/// "none", "pan", "box", "paint", "select", "zoom".
std::string_view name_of(PictureMouse::Gesture gesture);

/// The picture on the screen: its camera, in framebuffer pixels relative to the picture's corner, and its
/// area in ImGui units. `scale`: framebuffer pixels per ImGui unit, 1 except on some high-density displays.
struct PictureView {
  const render::Camera& camera;
  Area area;
  float scale = 1;
  bool is_light = false;  ///< the background of the picture is light (theme::overlay())

  /// The screen position of a field coordinate.
  glm::vec2 screen(glm::dvec2 field) const { return area.corner + glm::vec2(camera.pixel_at(field)) / scale; }
  /// The framebuffer pixel, relative to the picture, of a screen position.
  glm::dvec2 pixel(glm::vec2 screen_point) const { return glm::dvec2((screen_point - area.corner) * scale); }
};

/// The part of a field of width x height units that the camera shows; nothing if it shows all of it.
std::optional<explain::UnitRect> visible_part(const render::Camera& camera, std::uint64_t width,
                                              std::uint64_t height);

/// True if a replica of level `of`, or a part of one, lies in this part of the field: level 0 is a cell,
/// `level` the square. 0 <= of <= level.
bool has_replicas(const NbbFractal& fractal, int level, int of, const render::Rect<double>& part);

/// Grids are drawn from this size on, in ImGui units.
inline constexpr float kMinGridSpacing = 8;

/// Smaller areas without cells are not tinted, in ImGui units.
inline constexpr float kMinAreaSide = 3;

/// Legend text when tiles are too small to be drawn one by one; areas are drawn instead.
inline constexpr std::string_view kTilesTooSmall = "zoom in to see the tiles";

/// The shorter side of a cell or tile on the screen, in pixels.
float cell_side(const PictureView& view);
float tile_side(const PictureView& view, const TileGrid& space);

/// Draws lines between the cells of the square if cells are large enough.
void draw_cell_grid(ImDrawList& list, const PictureView& view, const TileGrid& space);

/// Draws the launch of `map`: an outline around each launched tile, a tint on empty tiles, and, where cells
/// are large enough, a dot on each idle thread in tiles with cells. Where tiles are too small (tile_side),
/// the empty tiles of the bounding box are tinted as areas: the holes of the replicas, from the coarsest
/// down, as long as they are whole tiles with sides of at least kMinAreaSide. The time depends on the size of
/// the picture, not on the level. `memory` is scratch memory that is reused between frames.
void draw_tile_grid(ImDrawList& list, const PictureView& view, const TileGrid& space, MapKind map,
                    std::vector<std::uint8_t>& memory);

/// Outlines the cell under the cursor and its tile.
void draw_hovered(ImDrawList& list, const PictureView& view, const TileGrid& space, const PointInfo& place,
                  MapKind map);

/// Marks a thread in one of the three spaces: tints its tile, fills the units of the lanes of its warp in
/// increasing brightness, and rings its own unit.
void draw_thread(ImDrawList& list, const PictureView& view, const explain::SpaceLayout& layout,
                 const ThreadExplanation::Thread& thread);
/// Outlines thread blocks or cache lines where they are large enough.
void draw_groups(ImDrawList& list, const PictureView& view, const explain::SpaceLayout& layout);
/// Outlines a rectangle of cells: a level of lambda.
void draw_square(ImDrawList& list, const PictureView& view, const explain::CellRect& square);
/// Draws a ring around a cell, visible at every zoom.
void draw_ring(ImDrawList& list, const PictureView& view, Coord64 cell);

/// Ages are drawn from this size of a cell on, in ImGui units.
inline constexpr float kMinAgeCellSide = 2;

/// Legend of the colours: just born, then by powers of two of the age; dead cells fade.
inline constexpr std::string_view kAgeLegend =
    "From white (just born) through yellow, orange and red to violet (64 or more generations). Blue: dead "
    "cells, which fade within 16 generations";

/// The colours of the ages 1, 2 to 3, 4 to 7, ... 64 and more.
inline constexpr std::size_t kAgeSteps = 7;
ImU32 age_colour(std::size_t step);
/// The colour over a cell that died `dead` generations ago, 1 to CellAges::kTrail.
ImU32 trail_colour(std::uint32_t dead);

/// Fills living cells with the colour of their age, and cells that died with a fading trail.
void draw_ages(ImDrawList& list, const PictureView& view, const CellAges& ages);

/// The way of the explained thread from its tile index over tile and cell to its byte, as an arrow that
/// travels when a thread is pinned.
class ThreadPath {
 public:
  static constexpr double kSeconds = 1.5;

  /// A stage of the way.
  enum class Stage { kOmega, kTile, kCell, kByte };
  static constexpr std::array kStages = {Stage::kOmega, Stage::kTile, Stage::kCell, Stage::kByte};

  /// Starts to travel when another thread is pinned, if `on`; a hovered thread has its whole way at once.
  void follow(const ThreadExplanation& explanation, bool is_pinned, bool on, double seconds);
  bool is_traveling() const { return seconds_ < kSeconds; }
  /// The share of the way to `stage` that is done, from the stage before it: 0 to 1.
  float share_to(Stage stage) const;

  /// Draws an arrow from point to point: the places of the thread in the launch, of its cell and of its byte,
  /// as far as panes show them.
  void draw(ImDrawList& list, const std::optional<glm::vec2>& launch, const std::optional<glm::vec2>& cell,
            const std::optional<glm::vec2>& byte) const;

 private:
  std::optional<Coord64> point_;
  double seconds_ = kSeconds;
};

/// The stages as a line of boxes with arrows between them, in the current window.
void thread_path_row(const ThreadPath& path, const ThreadExplanation::Thread& thread);

/// Plays explain::MapTransition over the picture when the engine's map changes. After that it holds no
/// memory.
class MapMorph {
 public:
  /// Starts when `config` differs from that of the previous call by the map and not by fractal, level or tile
  /// size; a config of another scene ends it. Advances by `seconds`. `on`: the user has not switched it off.
  void follow(const FractalConfig& config, bool on, double seconds);
  bool is_running() const { return transition_.has_value(); }
  /// The share of the time, 0 to 1.
  double share() const { return seconds_ / explain::MapTransition::kSeconds; }
  void draw(ImDrawList& list, const PictureView& view, const TileGrid& space, glm::u8vec3 background) const;

 private:
  std::optional<FractalConfig> config_;
  std::optional<explain::MapTransition> transition_;
  double seconds_ = 0;
};

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
  /// `states` must outlive the raster. `colours`: of dead and living cells.
  void set_states(const CellStates& states, const std::array<glm::u8vec3, 2>& colours);
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
  std::array<std::uint32_t, 2> state_colours_{};
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
