#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/scene/window/draft_editor.h"
#include "app/explain/space_layout.h"
#include "app/files/fractal_file.h"
#include "app/gui/layout.h"
#include "app/report/report_value.h"
#include "app/shell/dock.h"
#include "app/shell/frame_times.h"
#include "app/widgets/picture.h"
#include "app/widgets/windows.h"
#include "app/workspaces/life/panels/life_panels.h"
#include "app/workspaces/solid/panes/ray_pane.h"
#include "app/workspaces/solid/scene/solid_settings.h"
#include "compute/geometry/solid_fractal.h"
#include "compute/map/map_method.h"
#include "render/colour_texture.h"
#include "render/palette.h"

namespace loom::app {

/// The thread of the selected cell under a configuration. Updated when the cell or the configuration changes.
class SelectedThread {
 public:
  void update(const SolidConfig& config, const std::optional<Coord3>& cell);
  /// Empty without a selected cell.
  const std::optional<explain::SolidThreadLocation>& location() const { return location_; }
  /// "tile ω (2, 0, 1), thread 37, thread block 5, byte 12,345"; empty without a selected cell.
  const std::string& text() const { return text_; }
  const std::vector<explain::SolidLambdaStep>& steps() const { return steps_; }
  /// The launch; only with a location.
  const explain::SolidThreadSpace& space() const { return *space_; }

 private:
  std::unique_ptr<explain::SolidThreadSpace> space_;
  std::optional<explain::SolidThreadLocation> location_;
  std::vector<explain::SolidLambdaStep> steps_;
  std::string text_;
};

/// The selected cell under each map.
using SelectedThreads = std::array<SelectedThread, kMapKinds.size()>;  ///< by MapKind

/// The state of the panels between frames.
struct SolidPanelState {
  RuleField<SolidRule> rule = {};
  SolidConfig listed = {};  ///< whose tile sizes these are
  std::vector<std::uint32_t> tile_sizes = {};
};

// `runs`: the engine of the active map. `selected`: the thread of the selected cell under that map.

/// The controls column. `problem`: why the selected configuration does not run; empty if it does.
void solid_panel(SolidPanelState& state, SolidSceneEdit& edit, const RayEngine& runs,
                 std::string_view problem, SolidCamera& camera);
/// The rows that set a cut plane: its axis, and its position from 0 to 1. Returns whether there is one.
bool cut_plane_rows(CutAxis& selected, float& cut, const char* hint);
/// Draws the legend over the picture: colours and launch.
void solid_legend(PictureLegend& legend, const Area& picture, const SolidSceneEdit& edit,
                  const render::Palette& palette, const RayEngine& runs);
/// The line below the picture, on the cell under the cursor; returns its height. `divisor`: of the picture's
/// resolution.
float solid_caption(const Area& area, const SolidSceneEdit& edit, const SelectedThread& selected,
                    int divisor);
/// The thread of the selected cell, and lambda level by level for its tile.
void solid_thread_panel(const SolidSceneEdit& edit, const SelectedThread& selected);
/// The metrics, and times of the program.
void solid_metrics(SolidSceneEdit& edit, const RayEngine& runs, const FrameTimes& frames, bool on_host);

/// One map in a comparison.
struct MapScore {
  MapKind map = MapKind::kBoundingBox;
  MapScoreValues values = {.is_live = true};
  std::optional<bool> identical = {};  ///< its cells to those of the active pane; empty while not counted
  std::string_view problem = {};       ///< why there are no cells
};
using MapScores = std::array<MapScore, kMapKinds.size()>;  ///< by MapKind

/// Arranges the panes of the three maps, by MapKind. Their pictures have the same size.
void layout_maps(const Area& area, float font_size, std::vector<PaneArea>& areas);

/// The headers of the panes: the map, and whether its cells are those of the active one. A click makes the
/// map the active one.
void map_headers(SolidSceneEdit& edit, const MapScores& scores, const std::vector<PaneArea>& areas);
/// The scores with the selected cell's thread, below the panes, or in the dock where there is no room.
void map_scores(const MapScores& scores, const SelectedThreads& selected, const std::vector<PaneArea>& areas);

/// The key of a map in the state report: "bounding_box", since expressions of lessons read "-" as minus.
std::string report_key(MapKind map);

/// Adds what the state report has of the cells and the launch of the active map.
void add_solid_report(nlohmann::ordered_json& json, const RayEngine& runner);
/// Of one map in a comparison.
void add_solid_report(nlohmann::ordered_json& json, const MapScore& score);
/// Of the selected cell's thread.
void add_solid_report(nlohmann::ordered_json& json, const explain::SolidThreadLocation& location);

/// The fields of the 3-D workspace for lessons.
void add_solid_fields(ReportFields& fields);

/// The generator of a three-dimensional fractal while it is drawn; it may not be a fractal yet.
struct SolidDraft {
  std::string name = "custom";
  Coord3 scale{2, 2, 2};       ///< each side 1 to kMaxSolidScale
  std::uint64_t replicas = 0;  ///< bit x + 4 y + 16 z: a replica at this offset

  bool at(Coord3 offset) const { return (replicas >> bit_of(offset) & 1u) != 0; }
  void set(Coord3 offset, bool on);
  /// Another scale keeps the replicas that are inside it.
  void set_scale(Coord3 changed);
  /// The offsets within the scale, row by row: x fastest, then y, then z.
  std::vector<Coord3> offsets() const;
  friend bool operator==(const SolidDraft&, const SolidDraft&) = default;

 private:
  static std::uint32_t bit_of(Coord3 offset) { return offset.x + 4 * offset.y + 16 * offset.z; }
};

SolidDraft draft_of(const SolidFractal& fractal);
/// The fractal of a draft. Throws InputError with what is allowed.
SolidFractal fractal_of(const SolidDraft& draft);

/// The Fractal editor of the 3-D workspace: a dialog with the generator slice by slice along z, and a preview
/// of level 2.
class SolidEditor final : public DraftEditor<SolidDraft, SolidFile> {
 public:
  /// Draws one frame. Returns once the fractal to apply, with the rule of the file that it came from. Save
  /// writes that rule, otherwise `runs`.
  std::optional<SolidFile> show(const render::Palette& palette, SolidRule runs);

 private:
  SolidDraft draft_of(const SolidFractal& fractal) const override { return app::draft_of(fractal); }
  std::optional<SolidFractal> fractal() const override;
  SolidFile read(const std::filesystem::path& file) const override;
  void slices(float side);
  void rows();
  void preview(float side, const render::Palette& palette);

  std::optional<SolidDraft> previewed_;
  render::ColourTexture texture_;
};

}  // namespace loom::app
