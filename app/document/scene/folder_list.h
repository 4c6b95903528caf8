#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace loom::app::scene {

/// An entry of a folder.
struct FolderEntry {
  std::string name;
  bool is_folder = false;
  friend bool operator==(const FolderEntry&, const FolderEntry&) = default;
};

/// Largest number of listed entries.
inline constexpr std::size_t kMaxFolderEntries = 5000;

/// Its folders, then its files with one of the endings (all files if none is given), sorted by name, without
/// hidden ones. Throws InputError with the system's reason.
std::vector<FolderEntry> list_folder(const std::filesystem::path& folder,
                                     const std::vector<std::string>& extensions);

/// Completes a typed name as far as all matching entries agree; a folder gets a slash. Returns the text
/// itself if nothing matches.
std::string complete_name(const std::filesystem::path& folder, const std::string& text,
                          const std::vector<std::string>& extensions);

}  // namespace loom::app::scene
