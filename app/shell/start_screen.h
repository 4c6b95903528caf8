#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/gui/layout.h"
#include "app/shell/shell_settings.h"

namespace loom::app {

/// One way to begin.
struct StartCard {
  std::string title;
  std::string text;  ///< a sentence or two
  std::function<void(ShellEdit&)> choose;
};

/// The cards side by side over the picture, or one below the other where it is narrow. A card that is chosen,
/// by mouse or by its number, acts; `shown` is then false. Where the cards are goes to `places`.
void start_screen(const Area& area, const std::vector<StartCard>& cards, ShellEdit& edit, bool& shown,
                  std::vector<Area>& areas);

}  // namespace loom::app
