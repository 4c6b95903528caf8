#pragma once

#include <vector>

#include "app/widgets/windows.h"
#include "app/workspaces/mandelbrot/panes/method_comparison.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"

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
void comparison_section(const MethodScores& scores, const Device& device);

}  // namespace loom::app
