#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/code/window/code_editor.h"
#include "app/code/window/map_step_view.h"
#include "app/document/scene/window/file_browser.h"
#include "app/gui/input_queue.h"
#include "app/gui/layout.h"
#include "app/palette/window/palette_editor.h"
#include "app/shell/shell_settings.h"
#include "app/shell/shortcuts.h"
#include "app/shell/toasts.h"
#include "app/widgets/diagram_painter.h"
#include "app/widgets/picture.h"
#include "app/widgets/windows.h"
#include "app/workspaces/mandelbrot/panes/method_comparison.h"
#include "app/workspaces/mandelbrot/scene/dwell_runner.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"
#include "compute/device/device.h"
#include "render/palette.h"

namespace loom::app {

/// The keys of the Mandelbrot workspace, and the help for its mouse gestures.
Shortcuts<MandelbrotEdit> mandelbrot_shortcuts();
std::span<const KeyHelp> mandelbrot_gestures();

/// The fields of the view's centre, width and angle.
struct PlaceFields {
  std::array<std::string, 4> texts;  ///< re, im, width and angle
  std::optional<ComplexView> shown;  ///< the view of the texts, unless one is being typed
  std::string problem;               ///< why a typed text is invalid, and what is allowed
  std::array<Area, 4> areas;         ///< for tests
};

/// State of the side panel between frames.
struct MandelbrotPanelState {
  PlaceFields place;
  Area formula;                                     ///< of the choice of formulas, for tests
  std::array<Area, kFormulas.size() + 1> formulas;  ///< of its rows while it is open
  Area precision;                                   ///< of the choice of precisions, for tests
  std::vector<DeviceCountOption> devices;
  std::size_t devices_available = 0;  ///< number of devices that `devices` was built for
  bool simulated = true;              ///< whether `devices` was built for simulated devices
  Area method_header;                 ///< of Method details, for tests
  bool method_open = false;           ///< whether it is unfolded
  TextSizeState text_size;
};

/// What most users never set: tuning, subdivision, scheme, block shape, devices, backend. Folded at first,
/// with a summary.
void mandelbrot_method(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now);

/// What every user needs: the place and the tour, the dwell limit, the precision and the colouring.
void mandelbrot_basics(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now);

/// Colours, overlays of the picture, what is shown beside it, and the text size.
void mandelbrot_view(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now,
                     PaletteEditor& palette);

/// What is computed for each pixel, and the comparison of the result with the exhaustive method.
void mandelbrot_workload(MandelbrotEdit& edit, const MandelbrotStats& now);

/// The groups of the toolbar: the method, one of three buttons, and Compare. The widths of its groups are in
/// font sizes.
std::span<const float> mandelbrot_toolbar_groups(bool brief);
void mandelbrot_toolbar_group(std::size_t group, bool brief, MandelbrotEdit& edit, const Device& device);

/// One thread block for a region, or several. `no_blocks`: why there is no choice.
void scheme_choice(RegionScheme& scheme, const MandelbrotStats& now, const char* no_blocks);
/// Initial regions g, subdivision r and smallest side B. `no_regions`: the method has none.
void subdivision_choice(std::uint32_t& g, std::uint32_t& r, std::uint32_t& b, bool no_regions);

// The same of a set in space.
/// The constants of the set, its samples, its surface and the part of it that is computed.
void volume_basics(MandelbrotEdit& edit, const MandelbrotStats& now);
void volume_method(MandelbrotEdit& edit, const MandelbrotStats& now);
void volume_workload(MandelbrotEdit& edit, const MandelbrotStats& now);
/// Colours, cut plane, boxes and misses.
void volume_view_rows(MandelbrotEdit& edit, const MandelbrotStats& now);
void volume_legend(PictureLegend& legend, const Area& picture, const MandelbrotSettings& settings,
                   const MandelbrotStats& now, const render::Palette& palette);
/// A sentence about the picture.
Text volume_caption(const MandelbrotStats& now);

/// Draws the legend over the picture: colours, and marks of the regions. `inset`: the area of the Julia set.
void mandelbrot_legend(PictureLegend& legend, const Area& picture, const Area& inset,
                       const MandelbrotSettings& settings, const MandelbrotStats& now,
                       const render::Palette& palette);

/// Says at the top of the picture that there is nothing to see in it and why, with a button that leads back:
/// `steps_back` views, or with 0 to the whole set. Returns the button's area.
Area nothing_here(const Area& picture, std::string_view why, MandelbrotEdit& edit, std::size_t steps_back);
/// The same for a picture whose computation was cancelled or failed.
Area incomplete_here(const Area& picture, MandelbrotEdit& edit);

/// Describes the point under the cursor at the bottom of `area`, or the state of the computation. Returns its
/// height in ImGui units, 0 if it does not fit into `area`. `one_line`: for a lecture.
float mandelbrot_caption(const Area& area, const MandelbrotSettings& settings, const MandelbrotStats& now,
                         bool one_line = false);

/// The cost of a computation: method, work and levels; median, p95 and ratio to the exhaustive method; the
/// times of the program.
void mandelbrot_metrics(MandelbrotEdit& edit, const MandelbrotStats& now);

/// A table row and a timeline bar for each device that computed a part of the image. Draws nothing for a
/// single device.
void dwell_devices(const MandelbrotStats& now);

/// Arranges the panes of the three methods, by MandelbrotMethod. Their pictures have the same size, so that
/// times are comparable.
void layout_comparison(const Area& area, float font_size, std::vector<PaneArea>& areas);

/// The headers of the panes: the method, and whether its dwells agree with the exhaustive ones. A click makes
/// the method the active one.
void comparison_headers(MandelbrotEdit& edit, const MethodScores& scores, const Device& device,
                        const std::vector<PaneArea>& areas);
/// Below each pane: time, pixels computed, launches and regions as bars, with one scale for all panes. The
/// best value is marked.
void comparison_scores(const MethodScores& scores, const Device& device, const std::vector<PaneArea>& areas);

/// The verdict on the times of the methods; empty while one is unknown.
Text comparison_verdict(const MethodScores& scores);
/// The scores as a section of the dock, where there is no room below the panes.
void comparison_section(const MethodScores& scores, const Device& device);

/// The heat maps of the section between frames.
struct CostModelPanelState {
  struct HeatMaps {
    std::vector<std::optional<double>> values;  ///< as drawn
    CostCut marked;
    LandscapePlot plot;
  };
  HeatMaps predicted;
  HeatMaps measured;
};

/// The cost model, the measurement, and the landscapes of both over g, r and B.
void cost_model_panel(CostModelPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now);

/// The timeline of one recorded computation: which thread block ran when on which multiprocessor, and which
/// grid launched which. It is placed next to or below the picture.
class TimelineStrip {
 public:
  TimelineStrip() { view_.colour = diagram::SpanColour::kLevel; }

  /// Cuts its area from `picture`, which keeps the rest. Returns an empty area if there is no room.
  Area split(Area& picture) const;
  /// The data to show in this frame.
  struct Subject {
    DwellRequest request;  ///< request of the current picture
    const std::string& backend_name;
    bool recording = false;
  };
  /// Draws the strip as a window at `area` and sets the commands in `edit` whose buttons are pressed.
  void show(const Area& area, MandelbrotEdit& edit, const Subject& now);
  /// Takes over a finished recording, once.
  void follow(const std::optional<DwellRecording>& recorded);

  /// The level of the span or grid under the cursor.
  const std::optional<int>& level() const { return level_; }
  const TimelineView& view() const { return view_; }

 private:
  TimelineView view_;
  std::optional<DwellRequest> of_;
  std::string backend_name_;
  std::uint64_t number_ = 0;  ///< number of the recording shown
  std::optional<int> level_;
};

/// The custom formula, in the plane or in space: an editor for its code beside the picture, which follows
/// what the user types. Code of a file waits for Run. A step of the orbits of 32 pixels is stepped as a warp
/// of a map is.
class FormulaPanel {
 public:
  static constexpr const char* kExtension = ".cu";
  FormulaPanel();
  /// Keeps the text in the settings, and takes what a scene or an undo step has set. Call every frame.
  void update(MandelbrotSettings& settings);
  /// Draws the panel. `pixels`: the points of 32 neighbouring pixels, whose orbits are stepped in the plane.
  void show(const Area& area, MandelbrotSettings& settings, const std::array<glm::dvec2, 32>& pixels);
  /// As MapCodePanel::press().
  bool press(const KeyPress& press, MandelbrotSettings& settings);
  void focus() { editor_.focus(); }
  Message take_message() { return std::exchange(message_, {}); }
  bool is_animating() const { return steps_.is_recording() || waits_; }
  void add_state(nlohmann::ordered_json& json) const;

 private:
  void load(const CustomFormula& formula);
  void keep(MandelbrotSettings& settings);
  /// 2 or 3, by the type of next(); 0 if the code has problems.
  int dimensions();
  void run(MandelbrotSettings& settings);
  void command(code::EditorCommand command, MandelbrotSettings& settings);
  void step(code::EditorCommand command, const MandelbrotSettings& settings);
  void bar(MandelbrotSettings& settings);
  void status_row(const MandelbrotSettings& settings);
  bool button(const char* label, const char* hint, bool is_primary = false, std::string_view reason = {});

  code::CodeEditor editor_{CodeLanguage::kDoubleFormula};
  CustomFormula kept_;  ///< as in the settings
  std::uint64_t kept_version_ = 0;
  std::uint64_t seen_version_ = 0;
  double changed_at_ = 0;                    ///< seconds
  bool waits_ = false;                       ///< for a pause in typing
  std::set<std::string, std::less<>> runs_;  ///< texts on which the user has pressed Run
  MapStepView steps_;
  std::uint64_t stepped_version_ = 0;
  std::array<glm::dvec2, 32> pixels_ = {};
  scene::FileBrowser browser_;
  Message message_;
  std::string status_;
  std::map<std::string, Area, std::less<>> areas_;
};

}  // namespace loom::app
