#pragma once

#include <array>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/files/fractal_file.h"
#include "app/shell/shell_settings.h"
#include "app/workspaces/life/scene/cell_source.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/core/field.h"
#include "compute/device/device.h"
#include "compute/engine/fractal_engine.h"
#include "compute/engine/progress_monitor.h"
#include "compute/solid/solid_config.h"
#include "compute/solid/solid_engine.h"
#include "compute/solid/solid_view.h"
#include "render/palette.h"
#include "render/renderers.h"

namespace loom::app {

/// A camera that looks at a point of the cube from a distance. Lengths are in sides of the cube, the longest
/// one; x runs to the right, y down and z away from the viewer.
struct SolidCamera {
  glm::quat orientation = initial_orientation();
  glm::vec3 target{0};      ///< relative to the centre of the cube
  float distance = 2.8f;    ///< from the target
  bool perspective = true;  ///< false: orthographic

  /// Turns the camera around the target by a drag over a fraction of the picture's height. It does not go
  /// over the top or the bottom.
  void orbit(glm::vec2 drag);
  /// Moves the picture by a number of pixels.
  void pan(glm::vec2 pixels, glm::ivec2 picture);
  /// Magnifies; the point of the target plane under this pixel stays.
  void zoom(float factor, glm::vec2 pixel, glm::ivec2 picture);
  /// The rays of a picture of a fractal of this size.
  SolidView view(Coord3 size, glm::ivec2 picture) const;

  /// Where a point in the space of the cells is in the picture, in pixels; nothing behind the camera.
  std::optional<glm::vec2> project(glm::vec3 point, Coord3 size, glm::ivec2 picture) const;

  friend bool operator==(const SolidCamera&, const SolidCamera&) = default;

 private:
  static glm::quat initial_orientation();
  /// The length of a pixel in the target plane.
  float unit(glm::ivec2 picture) const;
};

/// The axis of a cut plane.
enum class CutAxis { kNone, kX, kY, kZ };
inline constexpr std::array kCutAxes = {CutAxis::kNone, CutAxis::kX, CutAxis::kY, CutAxis::kZ};
/// "none", "x", "y", "z".
std::string_view name_of(CutAxis axis);

/// How the cells are shown.
struct SolidLook {
  bool living_only = false;  ///< dead cells are transparent
  CutAxis cut_axis = CutAxis::kNone;
  float cut = 0.5f;    ///< the layers from this share of the axis on are visible, 0 to 1
  bool slice = false;  ///< only the first of these layers is visible
  SolidColouring colouring = SolidColouring::kState;
  bool empty_tiles = true;  ///< empty tiles of the launch are translucent boxes
  friend bool operator==(const SolidLook&, const SolidLook&) = default;
};

/// What runs on a three-dimensional fractal, and how it is shown.
struct SolidSettings {
  SolidConfig config;
  std::optional<SolidFile> from_file = {};  ///< the file of a custom fractal
  SolidWork work = {};
  RandomStart start = {};
  bool playing = true;
  SolidLook look = {};
  bool compare = false;               ///< the three maps side by side
  bool show_thread = false;           ///< explain the thread of the selected cell
  std::optional<Coord3> pinned = {};  ///< the selected cell; without it, the one under the cursor
  bool edit_cells = false;            ///< a click changes the state of a cell
};

/// Menger sponge, level 3, compact, with the fastest arithmetic and intra-block mapping, B5..7/S4..7.
SolidSettings default_solid_settings();

/// The settings of the workspace. The thread map has fields of its own (compute/map/map_method.h).
std::span<const Field<SolidSettings>> solid_fields();

/// The undo name of the changed setting; empty without a change. Playing is ignored.
std::string_view changed_setting(const SolidSettings& before, const SolidSettings& after);

/// The index of a map in lists by MapKind.
inline std::size_t index_of(MapKind map) {
  return static_cast<std::size_t>(map);
}

// Changes of a configuration that keep it valid.
void set_fractal(SolidConfig& config, const SolidFractal& fractal);
/// The level is limited to what has a picture.
void set_level(SolidConfig& config, int level);
void set_map(SolidConfig& config, MapKind map);
/// The configuration of another map beside an active one: the same but for the map, as far as the map has the
/// settings.
SolidConfig compared_config(const SolidConfig& active, MapKind map);

/// The view of a field by a camera, in a picture of this size.
SolidView view_of(const SolidConfig& config, const SolidLook& look, const SolidCamera& camera,
                  glm::ivec2 picture);

/// One-time commands of the user.
struct SolidCommands {
  std::uint32_t step = 0;  ///< generations to advance although paused
  bool restart = false;    ///< random start with the seed and density of the settings
  std::optional<SolidCamera> go_to = {};
  CellSourceOf<3> cells = {};     ///< of undo and redo of an edit; unknown: none
  bool draw_fractal = false;      ///< open the Fractal editor
  const char* problem = nullptr;  ///< why the pressed key has no effect now
};

using SolidSceneEdit = SceneEdit<SolidSettings, SolidCommands>;

/// The colours of pixels in a palette; those of colour values are for a colouring. `background`: where there
/// is no cell, and of the haze; lighter at the top of the picture and darker at the bottom.
render::SolidColours solid_colours(const render::Palette& palette, SolidColouring colouring,
                                   glm::u8vec3 background);

/// The colour of a pixel in a row of a picture of `rows`, as the shader computes it.
glm::u8vec3 colour_of_pixel(const render::SolidColours& colours, std::uint32_t pixel, int row, int rows);

}  // namespace loom::app
