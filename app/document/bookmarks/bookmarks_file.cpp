#include "app/document/bookmarks/bookmarks_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/document/scene/bookmark.h"
#include "app/files/state_folder.h"
#include "compute/core/error.h"

namespace loom::app::bookmarks {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 24;

bool has(const std::vector<scene::Bookmark>& bookmarks, const scene::Bookmark& place) {
  return std::ranges::any_of(
      bookmarks, [&](const scene::Bookmark& one) { return one.name == place.name && one.same_view(place); });
}

LoadedBookmarks read_or_move_aside(const std::filesystem::path& file, scene::Formats formats) {
  try {
    const auto text = read_state_file(file, kMaxBytes);
    if (!text) return {};
    return {.bookmarks = scene::read_bookmark_text(*text, formats), .problem = {}};
  } catch (const InputError& error) {
    const auto aside = move_aside(file);
    return {.bookmarks = {},
            .problem = fmt::format("Bookmarks could not be read ({}). The file was moved to {}.",
                                   error.what(), aside.string())};
  }
}

}  // namespace

std::optional<std::filesystem::path> bookmarks_file() {
  const auto folder = data_folder();
  if (!folder) return std::nullopt;
  return *folder / "places.json";
}

LoadedBookmarks load_bookmarks(const std::filesystem::path& file, scene::Formats formats) {
  const FolderLock lock(file.parent_path());  // ensures that the file moved aside is the file that was read
  return read_or_move_aside(file, formats);
}

std::vector<scene::Bookmark> merge_bookmarks(const std::vector<scene::Bookmark>& before,
                                             const std::vector<scene::Bookmark>& mine,
                                             const std::vector<scene::Bookmark>& theirs) {
  std::vector<scene::Bookmark> all;
  for (const scene::Bookmark& one : mine) {
    if (!has(before, one) || has(theirs, one)) all.push_back(one);
  }
  for (const scene::Bookmark& one : theirs) {
    if (!has(before, one) && !has(mine, one) && all.size() < scene::kMaxBookmarks) all.push_back(one);
  }
  return all;
}

std::vector<scene::Bookmark> save_bookmarks(const std::filesystem::path& file,
                                            const std::vector<scene::Bookmark>& before,
                                            const std::vector<scene::Bookmark>& mine,
                                            scene::Formats formats) {
  std::error_code failure;
  std::filesystem::create_directories(file.parent_path(), failure);
  // Prevents concurrent windows from overwriting each other's changes.
  const FolderLock lock(file.parent_path());
  // A missing or replaced file is not a deletion of bookmarks.
  const bool there = std::filesystem::is_regular_file(file, failure);
  const LoadedBookmarks now = there ? read_or_move_aside(file, formats) : LoadedBookmarks{};
  std::vector<scene::Bookmark> all =
      there && now.problem.empty() ? merge_bookmarks(before, mine, now.bookmarks) : mine;
  write_state_file(file, scene::text_of(all));
  return all;
}

}  // namespace loom::app::bookmarks
