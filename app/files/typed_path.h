#pragma once

#include <filesystem>
#include <string>

namespace loom::app {

/// Converts a typed name to a path: "~" is the home folder; relative names are relative to `folder`.
std::filesystem::path typed_path(const std::filesystem::path& folder, const std::string& text);

/// The same, relative to the working directory.
std::filesystem::path typed_path(const std::string& text);

}  // namespace loom::app
