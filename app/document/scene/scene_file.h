#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/document/scene/scene.h"

namespace loom::app::scene {

inline constexpr const char* kExtension = ".loom";

/// The scene of a file, or of a PNG that contains one. Throws InputError "FILE: what is wrong", what `check`
/// throws, OperationCancelled, std::bad_alloc.
Scene read_file(const std::filesystem::path& file, Formats formats, const CapacityCheck& check,
                ProgressMonitor* watch = nullptr);

/// Writes atomically: a reader sees the old or the new content, complete. Returns the size in bytes. Throws
/// as OutputFile, OperationCancelled, std::bad_alloc; the old content then stays.
std::uint64_t save_file(const std::filesystem::path& file, const Scene& scene,
                        ProgressMonitor* watch = nullptr);

/// check_fits() for a backend.
CapacityCheck capacity_check_for(const BackendSelection& backend);

/// The scenes saved and opened last, newest first, stored in the state folder.
inline constexpr std::size_t kMaxRecent = 10;
std::vector<std::filesystem::path> recent_files();
/// Adds a file; does nothing if the folder is not writable.
void add_recent_file(const std::filesystem::path& file);

/// The file of the last session's scene; empty without a state folder.
std::optional<std::filesystem::path> last_scene_file();

/// An entry of a folder.
struct FolderEntry {
  std::string name;
  bool is_folder = false;
  friend bool operator==(const FolderEntry&, const FolderEntry&) = default;
};

/// Largest number of listed entries.
inline constexpr std::size_t kMaxFolderEntries = 5000;

/// Its folders, then its files with the first of the endings, then those with another one (all files if none
/// is given), each sorted by name, without hidden ones. Throws InputError with the system's reason.
std::vector<FolderEntry> list_folder(const std::filesystem::path& folder,
                                     const std::vector<std::string>& extensions);

/// Completes a typed name as far as all matching entries agree; a folder gets a slash. Returns the text
/// itself if nothing matches.
std::string complete_name(const std::filesystem::path& folder, const std::string& text,
                          const std::vector<std::string>& extensions);

}  // namespace loom::app::scene
