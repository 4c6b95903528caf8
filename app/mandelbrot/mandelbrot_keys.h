#pragma once

#include <vector>

#include "app/shell/shortcuts.h"

namespace loom::app {

/// The Mandelbrot workspace's shortcuts: its own, and those of `life` that hold everywhere.
std::vector<Shortcut> explorer_shortcuts(const std::vector<Shortcut>& life);

}  // namespace loom::app
