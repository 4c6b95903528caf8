#pragma once

#include <string>

#include "app/palette/window/palette_editor.h"
#include "app/shell/shell_settings.h"

namespace loom::app {

/// The row that selects a palette from groups, with a button that edits it.
void palette_choice(ShellSettings& shell, std::string& name, PaletteEditor& editor);

}  // namespace loom::app
