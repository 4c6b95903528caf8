#pragma once

#include <filesystem>
#include <optional>

namespace loom::app {

/// The program's folder for what it remembers between starts: $XDG_STATE_HOME/fractal-loom, else
/// ~/.local/state/fractal-loom; nothing where neither is set. It need not exist.
std::optional<std::filesystem::path> state_folder();

/// Whether the window was opened before, as far as the folder says; where there is none, it was.
bool was_here_before();
/// From now on it was. Does nothing where the folder cannot be written.
void remember_visit();

}  // namespace loom::app
