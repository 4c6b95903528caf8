#pragma once

#include <string>

#include "app/palette/window/palette_editor.h"
#include "app/shell/shell_settings.h"

namespace loom::app {

/// The row of a panel in which a palette is chosen, from groups, with a button that edits it.
void palette_choice(ShellSettings& shell, std::string& name, PaletteEditor& editor);

}  // namespace loom::app
