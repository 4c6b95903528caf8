#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace loom::app::scene {

/// Something in a folder.
struct FolderEntry {
  std::string name;
  bool is_folder = false;
  friend bool operator==(const FolderEntry&, const FolderEntry&) = default;
};

/// A folder of more is listed in part.
inline constexpr std::size_t kMostEntries = 5000;

/// Its folders, then its files with one of the endings (none given: all files), each by name; hidden ones are
/// left out. Throws InputError with the system's reason.
std::vector<FolderEntry> list_folder(const std::filesystem::path& folder,
                                     const std::vector<std::string>& endings);

/// What a typed name begins, continued as far as all entries agree that begin so; a folder gets its slash.
/// The text itself where none does.
std::string completed(const std::filesystem::path& folder, const std::string& text,
                      const std::vector<std::string>& endings);

}  // namespace loom::app::scene
