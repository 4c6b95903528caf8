#pragma once

#include <map>
#include <string>

#include "app/gui/layout.h"
#include "app/life/scene/life_facts.h"
#include "app/life/scene/life_settings.h"

namespace loom::app {

/// Where the rows of a pane's own controls are, for tests; empty while they are not shown.
using PaneMethodPlaces = std::map<std::string, Area, std::less<>>;

/// The rows of a pane's own method: every choice that a method has, by the same table as the command line's
/// options, with block size and backend. What does not go with the rest is disabled and says why.
void pane_method_rows(PaneWish& wish, const FractalConfig& scene, const LifeFacts& report,
                      PaneMethodPlaces& places);

}  // namespace loom::app
