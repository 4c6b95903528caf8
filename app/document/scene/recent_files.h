#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace loom::app::scene {

/// The scenes saved and opened last, newest first, stored in the state folder.
inline constexpr std::size_t kMaxRecent = 10;
std::vector<std::filesystem::path> recent_files();
/// Adds a file; does nothing if the folder is not writable.
void add_recent_file(const std::filesystem::path& file);

/// The file of the last session's scene; empty without a state folder.
std::optional<std::filesystem::path> last_scene_file();

}  // namespace loom::app::scene
