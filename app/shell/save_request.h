#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace loom::app {

/// A request to save something other than a scene to a file that the user chooses.
struct SaveRequest {
  const char* title = "";      ///< dialog title: "Save benchmark results"
  const char* nothing = "";    ///< text shown for a folder without such files
  std::string name = {};       ///< suggested file name
  const char* extension = "";  ///< ".json"
  /// Starts to write the file and may replace an existing one. Throws InputError, FileError.
  std::function<void(const std::filesystem::path&)> save = {};
};

}  // namespace loom::app
