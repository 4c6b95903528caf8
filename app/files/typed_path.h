#pragma once

#include <filesystem>
#include <string>

namespace loom::app {

/// A typed name as a path: "~" is the home, and what is relative is so to the folder.
std::filesystem::path typed_path(const std::filesystem::path& folder, const std::string& text);

/// Relative to the folder that the program was started in.
std::filesystem::path typed_path(const std::string& text);

}  // namespace loom::app
