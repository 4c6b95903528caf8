#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/document/scene/bookmark.h"
#include "app/document/scene/workspace_state.h"

namespace loom::app::bookmarks {

/// The file of the user's bookmarks; empty if there is no folder for it.
std::optional<std::filesystem::path> bookmarks_file();

struct LoadedBookmarks {
  std::vector<scene::Bookmark> bookmarks;
  std::string problem;  ///< reason why the file was moved away; empty if it was read or does not exist
};
/// Reads the bookmarks. An unreadable file is moved away, never overwritten.
LoadedBookmarks load_bookmarks(const std::filesystem::path& file, scene::Formats formats);

/// Three-way merge of `mine` and `theirs` (the content of the file), which both started from `before`.
/// Bookmarks added by others are appended while there is room; those deleted by others are left out.
std::vector<scene::Bookmark> merge_bookmarks(const std::vector<scene::Bookmark>& before,
                                             const std::vector<scene::Bookmark>& mine,
                                             const std::vector<scene::Bookmark>& theirs);

/// Writes `mine`, merged with changes of other windows since `before`. Returns the new content. Throws
/// std::runtime_error if it cannot be written.
std::vector<scene::Bookmark> save_bookmarks(const std::filesystem::path& file,
                                            const std::vector<scene::Bookmark>& before,
                                            const std::vector<scene::Bookmark>& mine, scene::Formats formats);

}  // namespace loom::app::bookmarks
