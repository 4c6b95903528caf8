#include "app/places/places_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/files/folder_lock.h"
#include "app/files/state_folder.h"
#include "app/scene/bookmark_text.h"
#include "compute/core/error.h"

namespace loom::app::places {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24;

bool has(const std::vector<scene::Bookmark>& places, const scene::Bookmark& place) {
  return std::ranges::any_of(
      places, [&](const scene::Bookmark& one) { return one.name == place.name && one.same_place(place); });
}

ReadPlaces read_or_set_aside(const std::filesystem::path& file) {
  try {
    const auto text = kept_text(file, kMostBytes);
    if (!text) return {};
    return {.places = scene::read_bookmark_text(*text), .problem = {}};
  } catch (const InputError& error) {
    const auto aside = set_aside(file);
    return {.places = {},
            .problem = fmt::format("Bookmarks could not be read ({}). The file was moved to {}.",
                                   error.what(), aside.string())};
  }
}

}  // namespace

std::optional<std::filesystem::path> places_file() {
  const auto folder = data_folder();
  if (!folder) return std::nullopt;
  return *folder / "places.json";
}

ReadPlaces read_places(const std::filesystem::path& file) {
  const FolderLock lock(file.parent_path());  // what is set aside is what was read
  return read_or_set_aside(file);
}

std::vector<scene::Bookmark> merged(const std::vector<scene::Bookmark>& before,
                                    const std::vector<scene::Bookmark>& mine,
                                    const std::vector<scene::Bookmark>& theirs) {
  std::vector<scene::Bookmark> all;
  for (const scene::Bookmark& one : mine) {
    if (!has(before, one) || has(theirs, one)) all.push_back(one);
  }
  for (const scene::Bookmark& one : theirs) {
    if (!has(before, one) && !has(mine, one) && all.size() < scene::kMostBookmarks) all.push_back(one);
  }
  return all;
}

std::vector<scene::Bookmark> keep_places(const std::filesystem::path& file,
                                         const std::vector<scene::Bookmark>& before,
                                         const std::vector<scene::Bookmark>& mine) {
  std::error_code failure;
  std::filesystem::create_directories(file.parent_path(), failure);
  const FolderLock lock(
      file.parent_path());  // two windows that write at once would each know nothing of the other
  // Where the file is gone, or is no longer one, nobody forgot anything.
  const bool there = std::filesystem::is_regular_file(file, failure);
  const ReadPlaces now = there ? read_or_set_aside(file) : ReadPlaces{};
  std::vector<scene::Bookmark> all = there && now.problem.empty() ? merged(before, mine, now.places) : mine;
  keep_text(file, scene::text_of(all));
  return all;
}

}  // namespace loom::app::places
