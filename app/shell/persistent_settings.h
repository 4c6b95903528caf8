#pragma once

#include <filesystem>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "app/shell/shell_settings.h"

namespace loom::app {

/// Settings of a user that persist between sessions.
struct PersistentSettings {
  std::optional<std::string> palette = {};  ///< palette name; the palette may no longer exist
  std::optional<double> text_scale = {};    ///< relative to the default for the screen
  std::optional<Theme> theme = {};
  std::optional<bool> animations = {};
  std::optional<glm::ivec2> window = {};
  std::optional<bool> show_timing = {};
  std::optional<bool> show_all_metrics = {};
  friend bool operator==(const PersistentSettings&, const PersistentSettings&) = default;
};

/// The text of the settings file. The reader throws InputError with the reason and skips unknown members.
std::string text_of(const PersistentSettings& settings);
PersistentSettings read_persistent_settings(std::string_view text);

/// The path of the settings file; nothing if there is no folder for it.
std::optional<std::filesystem::path> settings_file();
/// The saved settings. If the file cannot be read, returns the defaults, renames the file and reports the
/// reason in `problem`.
PersistentSettings load_settings(std::string& problem);
/// Saves the settings that differ from `before`, those of this window when it opened. All others keep what
/// the file says: options of the command line are in `before`, and another window may have written the file.
/// Returns why it failed; empty on success.
std::string save_settings(const PersistentSettings& before, const PersistentSettings& now);

}  // namespace loom::app
