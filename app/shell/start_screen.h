#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/gui/layout.h"
#include "app/shell/shell_settings.h"

namespace loom::app {

/// One choice of the start screen.
struct StartCard {
  std::string title;
  std::string text;  ///< one or two sentences
  std::function<void(ShellEdit&)> choose;
};

/// Shows the cards side by side over the picture, or in a column if the picture is narrow. Choosing a card
/// runs its action and sets `shown` to false. `areas` receives the areas of the cards.
void start_screen(const Area& area, const std::vector<StartCard>& cards, ShellEdit& edit, bool& shown,
                  std::vector<Area>& areas);

}  // namespace loom::app
