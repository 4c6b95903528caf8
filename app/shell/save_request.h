#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace loom::app {

/// Something other than a scene that is to be saved to a file that the user chooses.
struct SaveRequest {
  const char* title = "";      ///< of the dialog: "Save benchmark results"
  const char* nothing = "";    ///< text for a folder without such files
  std::string name = {};       ///< suggested
  const char* extension = "";  ///< ".json"
  /// Begins to write the file, which may replace one that is there. Throws InputError, FileError.
  std::function<void(const std::filesystem::path&)> save = {};
};

}  // namespace loom::app
