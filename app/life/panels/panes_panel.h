#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "app/gui/layout.h"
#include "app/life/panels/pane_method.h"
#include "app/life/panes/panes_beside.h"
#include "app/life/scene/life_facts.h"
#include "app/life/scene/life_settings.h"
#include "app/text/text.h"

namespace loom::app {

/// In rows and columns, so that the pictures are as large as they can be. One pane alone has no header.
void pane_places(const Area& area, std::size_t count, float font_size, std::vector<PanePlace>& places);

/// The controls' section: the presets, and one more pane.
void panes_section(LifeEdit& edit, const LifeFacts& report);
/// State of the headers between frames.
struct PaneHeaderState {
  std::optional<std::size_t> method_of;  ///< the pane whose own method is shown
  std::size_t next = 0;                  ///< that the key opens next
  PaneMethodPlaces method_places;
  std::array<Text, kMostPanes> shown = {};  ///< text of each header
  std::array<bool, kMostPanes> cut = {};    ///< and whether that is cut off
};
/// The lines over the panes: what each runs, whether it agrees with the scene, and buttons that show its own
/// method, make that the scene's, or close it.
void pane_headers(PaneHeaderState& state, LifeEdit& edit, const LifeFacts& report, const PanesBeside& beside,
                  const std::vector<PanePlace>& places);
/// The dock's section: step times, threads and bytes of all panes as bars; nothing for one pane.
void panes_figures(const LifeFacts& report, const PanesBeside& beside);
/// Height in font sizes with `beside` secondary panes.
float panes_figures_lines(std::size_t beside);

}  // namespace loom::app
