#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "app/gui/layout.h"
#include "app/palette/window/palette_editor.h"
#include "app/widgets/picture.h"
#include "app/workspaces/mandelbrot/panels/mandelbrot_method.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"
#include "compute/device/device.h"
#include "render/palette.h"

namespace loom::app {

/// Colours, overlays of the picture, what is shown beside it, and the text size.
void mandelbrot_view(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now,
                     PaletteEditor& palette);

/// What is computed for each pixel, and the comparison of the result with the exhaustive method.
void mandelbrot_workload(MandelbrotEdit& edit, const MandelbrotStats& now);

/// The groups of the toolbar: the method, one of three buttons, and Compare. The widths of its groups are in
/// font sizes.
std::span<const float> mandelbrot_toolbar_groups(bool brief);
void mandelbrot_toolbar_group(std::size_t group, bool brief, MandelbrotEdit& edit, const Device& device);

/// Draws the legend over the picture: colours, and marks of the regions. `inset`: the area of the Julia set.
void mandelbrot_legend(PictureLegend& legend, const Area& picture, const Area& inset,
                       const MandelbrotSettings& settings, const MandelbrotStats& now,
                       const render::Palette& palette);

/// Says at the top of the picture that there is nothing to see in it and why, with a button that leads back:
/// to the previous view, or without one to the whole set. Returns the button's area.
Area nothing_here(const Area& picture, std::string_view why, MandelbrotEdit& edit,
                  const MandelbrotStats& now);

/// Describes the point under the cursor at the bottom of `area`, or the state of the computation. Returns its
/// height in ImGui units, 0 if it does not fit into `area`. `one_line`: for a lecture.
float mandelbrot_caption(const Area& area, const MandelbrotSettings& settings, const MandelbrotStats& now,
                         bool one_line = false);

}  // namespace loom::app
