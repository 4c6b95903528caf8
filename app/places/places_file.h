#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/bookmark.h"

namespace loom::app::places {

/// Where the user's places are kept; nothing where there is no folder for it.
std::optional<std::filesystem::path> places_file();

struct ReadPlaces {
  std::vector<scene::Bookmark> places;
  std::string problem;  ///< the file was set aside, and why; empty where it was read, or was not there
};
/// What cannot be read is set aside, never written over.
ReadPlaces read_places(const std::filesystem::path& file);

/// `mine` with what others did to the same list meanwhile: `theirs` is what the file has now, `before` what
/// both began with. What they kept is added behind, as far as there is room, what they forgot is left out.
std::vector<scene::Bookmark> merged(const std::vector<scene::Bookmark>& before,
                                    const std::vector<scene::Bookmark>& mine,
                                    const std::vector<scene::Bookmark>& theirs);

/// Writes `mine` into the file, merged with what another window wrote into it since it had `before`; returns
/// what it has now. Throws std::runtime_error where it cannot be written.
std::vector<scene::Bookmark> keep_places(const std::filesystem::path& file,
                                         const std::vector<scene::Bookmark>& before,
                                         const std::vector<scene::Bookmark>& mine);

}  // namespace loom::app::places
