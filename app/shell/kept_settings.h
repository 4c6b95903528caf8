#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "app/shell/shell_settings.h"
#include "render/extent.h"

namespace loom::app {

/// What the window remembers of a person from one time to the next.
struct KeptSettings {
  std::optional<std::string> palette = {};  ///< by its name, whether or not there is one
  std::optional<double> text_scale = {};    ///< of what suits the screen
  std::optional<render::Extent> window = {};
  std::optional<bool> show_timing = {};
  std::optional<bool> all_figures = {};
  friend bool operator==(const KeptSettings&, const KeptSettings&) = default;
};

/// As a file. The reader throws InputError that says what is wrong; members that it does not know are
/// skipped.
std::string text_of(const KeptSettings& settings);
KeptSettings read_kept_settings(std::string_view text);

/// Where they are kept; nothing where there is no folder for it.
std::optional<std::filesystem::path> settings_file();
/// What was kept; nothing of it where it cannot be read: then the file is set aside, and `problem` says so.
KeptSettings load_settings(std::string& problem);
/// Keeps what is no longer as it was in `before`, where this window began; of the rest, what the file has by
/// now stays: another window may have kept it. Where that cannot be, nothing happens.
void keep_settings(const KeptSettings& before, const KeptSettings& now);

}  // namespace loom::app
