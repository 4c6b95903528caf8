#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/scene/workspace_state.h"

namespace loom::app::scene {

/// A thumbnail: RGB, rows from the top.
struct Thumbnail {
  static constexpr int kWidth = 80;
  static constexpr int kHeight = 60;
  static constexpr std::size_t kBytes = std::size_t{kWidth} * kHeight * 3;
  std::string rgb;  ///< kBytes long, or empty
  friend bool operator==(const Thumbnail&, const Thumbnail&) = default;
};

/// A bookmark: a view in one of the workspaces.
struct Bookmark {
  std::string name;
  std::string workspace;         ///< its id
  nlohmann::ordered_json place;  ///< as in WorkspaceFormat::read_place()
  Thumbnail thumbnail = {};
  /// Whether both show the same view, regardless of their names.
  bool same_view(const Bookmark& other) const { return workspace == other.workspace && place == other.place; }
};

inline constexpr std::size_t kMaxBookmarks = 200;
inline constexpr std::size_t kMaxBookmarkName = 80;

/// Bookmarks as a JSON list, and as a file.
nlohmann::ordered_json to_json(const std::vector<Bookmark>& bookmarks);
/// Throw InputError that names the invalid bookmark and the fault.
std::vector<Bookmark> read_bookmarks(const nlohmann::ordered_json& list, std::string_view where,
                                     Formats formats);

std::string text_of(const std::vector<Bookmark>& bookmarks);
std::vector<Bookmark> read_bookmark_text(std::string_view text, Formats formats);

/// Encodes bytes by RFC 4648, with padding, without line ends.
std::string to_base64(std::string_view bytes);
/// Decodes a text; empty if to_base64() would not write it.
std::optional<std::string> from_base64(std::string_view text);

/// Everything that a scene file stores. Backend, device and text size depend on machine and user, and are
/// left out.
struct Scene {
  std::string workspace = "life";   ///< id of the shown workspace
  std::string palette = "cividis";  ///< as in ShellSettings
  CustomPalettes custom_palettes = {};
  std::map<std::string, StatePtr, std::less<>> states = {};  ///< by id of the workspace
  std::vector<Bookmark> bookmarks = {};

  /// The state of the shown workspace.
  const WorkspaceState& shown() const { return *states.at(workspace); }
};

/// The state of the workspace whose states have this type; the default one if the scene has none.
template <typename State>
const State& state_of(const Scene& scene) {
  static const State kDefault;
  const auto found = scene.states.find(State::kId);
  return found == scene.states.end() ? kDefault : dynamic_cast<const State&>(*found->second);
}

/// The same state to be changed. It belongs to this scene alone from now on.
template <typename State>
State& edit_state(Scene& scene) {
  StatePtr& state = scene.states[std::string(State::kId)];
  if (!state || state.use_count() > 1) {
    state = state ? std::make_shared<State>(dynamic_cast<const State&>(*state)) : std::make_shared<State>();
  }
  // Every state is created as a State that is not const.
  return const_cast<State&>(dynamic_cast<const State&>(*state));
}

/// The version written; all versions up to it can be read.
inline constexpr int kVersion = 4;

/// A scene as ASCII JSON, which a zero byte and the packed cells follow; see docs/reference/file-formats.md.
/// Throws OperationCancelled, std::bad_alloc.
std::string bytes_of(const Scene& scene, ProgressMonitor* watch = nullptr);

/// The JSON of such bytes.
inline std::string_view json_part(std::string_view bytes) {
  return bytes.substr(0, bytes.find('\0'));
}

/// Reads a scene with a state of each format; unknown members are skipped. Throws InputError with fault and
/// position, what `check` throws, OperationCancelled, std::bad_alloc.
Scene read_bytes(std::string_view bytes, Formats formats, const CapacityCheck& check,
                 ProgressMonitor* watch = nullptr);

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
