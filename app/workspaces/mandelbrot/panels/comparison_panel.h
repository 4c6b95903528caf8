#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/gui/layout.h"
#include "app/widgets/diagram_painter.h"
#include "app/widgets/windows.h"
#include "app/workspaces/mandelbrot/panes/method_comparison.h"
#include "app/workspaces/mandelbrot/scene/dwell_runner.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {

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

/// Whether there is no room for the scores below the panes; then they are a section of the dock.
bool needs_comparison_section(const std::vector<PaneArea>& areas);
/// The verdict on the times of the methods; empty while one is unknown.
Text comparison_verdict(const MethodScores& scores);
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

}  // namespace loom::app
