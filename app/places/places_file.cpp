#include "app/places/places_file.h"

#include <fmt/format.h>

#include "app/files/state_folder.h"
#include "app/scene/bookmark_text.h"
#include "compute/core/error.h"

namespace loom::app::places {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24;

}  // namespace

std::optional<std::filesystem::path> places_file() {
  const auto folder = data_folder();
  if (!folder) return std::nullopt;
  return *folder / "places.json";
}

ReadPlaces read_places(const std::filesystem::path& file) {
  try {
    const auto text = kept_text(file, kMostBytes);
    if (!text) return {};
    return {.places = scene::read_bookmark_text(*text), .problem = {}};
  } catch (const InputError& error) {
    const auto aside = set_aside(file);
    return {.places = {},
            .problem = fmt::format("Your places could not be read ({}). They are kept in {}.", error.what(),
                                   aside.string())};
  }
}

}  // namespace loom::app::places
