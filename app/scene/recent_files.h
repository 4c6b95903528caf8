#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace loom::app::scene {

/// The scenes that were saved and opened last, the newest first, as the state folder keeps them.
inline constexpr std::size_t kMostRecent = 10;
std::vector<std::filesystem::path> recent_files();
/// Does nothing where the folder cannot be written.
void remember_file(const std::filesystem::path& file);

/// Where the scene of the program's last end is kept; nothing where there is no state folder.
std::optional<std::filesystem::path> last_scene_file();

}  // namespace loom::app::scene
