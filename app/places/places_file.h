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

}  // namespace loom::app::places
