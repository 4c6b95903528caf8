#include "app/palette/custom_palettes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "app/files/output_file.h"
#include "app/files/state_folder.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

const CustomPalette* custom_palettes_of(const CustomPalettes& custom, std::string_view name) {
  if (!custom) return nullptr;
  for (const CustomPalette& one : *custom) {
    if (one.recipe.name == name) return &one;
  }
  return nullptr;
}

int brightness(glm::u8vec3 colour) {
  return 2 * colour.r + 5 * colour.g + colour.b;
}

glm::u8vec3 colour_of(const std::array<std::uint8_t, 3>& rgb) {
  return {rgb[0], rgb[1], rgb[2]};
}

}  // namespace

const render::Palette* find_palette(const CustomPalettes& custom, std::string_view name) {
  const CustomPalette* const found = custom_palettes_of(custom, name);
  return found != nullptr ? &found->palette : render::find_palette(name);
}

const render::Palette& palette_or_first(const CustomPalettes& custom, std::string_view name) {
  const render::Palette* const found = find_palette(custom, name);
  return found != nullptr ? *found : render::palettes().front();
}

const render::PaletteSpec& recipe_or_first(const CustomPalettes& custom, std::string_view name) {
  if (const CustomPalette* const found = custom_palettes_of(custom, name)) return found->recipe;
  const auto& built_in = render::palette_specs();
  const auto found = std::ranges::find(built_in, name, &render::PaletteSpec::name);
  return found != built_in.end() ? *found : built_in.front();
}

bool is_custom(const CustomPalettes& custom, std::string_view name) {
  return custom_palettes_of(custom, name) != nullptr;
}

CustomPalettes with_palette(const CustomPalettes& custom, render::PaletteSpec recipe) {
  recipe.group = render::PaletteGroup::kCustom;
  if (recipe.name.empty()) throw InputError("a palette needs a name");
  if (render::find_palette(recipe.name) != nullptr)
    throw InputError(fmt::format("{} is the name of a built-in palette; choose another name", recipe.name));
  auto all = custom ? *custom : std::vector<CustomPalette>();
  const auto place =
      std::ranges::find_if(all, [&](const CustomPalette& one) { return one.recipe.name == recipe.name; });
  try {
    CustomPalette made{recipe, render::make_palette(recipe)};
    if (place != all.end()) {
      *place = std::move(made);
    } else if (all.size() == kMaxCustomPalettes) {
      throw InputError(
          fmt::format("there are already {} custom palettes; delete one first", kMaxCustomPalettes));
    } else {
      all.push_back(std::move(made));
    }
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
  return std::make_shared<const std::vector<CustomPalette>>(std::move(all));
}

CustomPalettes without_palette(const CustomPalettes& custom, std::string_view name) {
  if (!is_custom(custom, name)) return custom;
  auto all = *custom;
  std::erase_if(all, [&](const CustomPalette& one) { return one.recipe.name == name; });
  if (all.empty()) return nullptr;
  return std::make_shared<const std::vector<CustomPalette>>(std::move(all));
}

CustomPalettes merge_palettes(const CustomPalettes& first, const CustomPalettes& second) {
  if (!first || !second) return first ? first : second;
  CustomPalettes all = first;
  for (const CustomPalette& one : *second) {
    const CustomPalette* const known = custom_palettes_of(all, one.recipe.name);
    if ((known != nullptr && known->recipe == one.recipe) || all->size() == kMaxCustomPalettes) continue;
    render::PaletteSpec recipe = one.recipe;
    recipe.name = free_name(all, recipe.name);
    all = with_palette(all, std::move(recipe));
  }
  return all;
}

std::string free_name(const CustomPalettes& custom, const std::string& preferred_name) {
  std::string name = preferred_name;
  for (int number = 2; find_palette(custom, name) != nullptr; ++number)
    name = fmt::format("{} {}", preferred_name, number);
  return name;
}

render::PaletteSpec recipe_of(const FilePalette& file) {
  render::PaletteSpec recipe{
      .name = file.name, .cyclic = file.cyclic, .reversed = file.reversed, .offset = file.offset};
  for (const FilePalette::Stop& stop : file.stops) recipe.stops.push_back({stop.at, colour_of(stop.rgb)});
  const bool begins_dark = brightness(recipe.stops.front().colour) < 4 * 128;
  recipe.hole = begins_dark ? glm::u8vec3{225, 228, 232} : glm::u8vec3{5, 6, 9};
  recipe.outside = begins_dark ? glm::u8vec3{190, 193, 198} : glm::u8vec3{36, 38, 43};
  if (file.hole) recipe.hole = colour_of(*file.hole);
  if (file.outside) recipe.outside = colour_of(*file.outside);
  return recipe;
}

FilePalette file_of(const render::PaletteSpec& recipe) {
  const auto bytes = [](glm::u8vec3 colour) {
    return std::array<std::uint8_t, 3>{colour.r, colour.g, colour.b};
  };
  FilePalette file{.name = recipe.name,
                   .cyclic = recipe.cyclic,
                   .reversed = recipe.reversed,
                   .offset = recipe.offset,
                   .hole = bytes(recipe.hole),
                   .outside = bytes(recipe.outside)};
  for (const render::PaletteStop& stop : recipe.stops) file.stops.push_back({stop.at, bytes(stop.colour)});
  return file;
}

void reduce_stops(render::PaletteSpec& recipe, std::size_t stops) {
  render::PaletteSpec plain = recipe;
  plain.reversed = false;
  plain.offset = 0;
  const render::Palette all = render::make_palette(plain);
  const double steps = static_cast<double>(stops) - (recipe.cyclic ? 0 : 1);
  std::vector<render::PaletteStop> fewer;
  for (std::size_t i = 0; i < stops; ++i) {
    const double at = static_cast<double>(i) / steps;
    const auto& colours = recipe.cyclic ? all.cycle : all.ramp;
    fewer.push_back({at, colours[static_cast<std::size_t>(std::lround(at * (recipe.cyclic ? 256 : 255)))]});
  }
  recipe.stops = std::move(fewer);
}

std::string hex_of(glm::u8vec3 colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b);
}

std::optional<glm::u8vec3> colour_of_hex(std::string_view text) {
  unsigned value = 0;
  if (text.size() != 7 || text.front() != '#') return std::nullopt;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + 1, end, value, 16);
  if (error != std::errc() || rest != end) return std::nullopt;
  return glm::u8vec3{static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8 & 255u),
                     static_cast<std::uint8_t>(value & 255u)};
}

namespace {

constexpr const char* kExtension = ".cpt";
constexpr std::size_t kMaxFilesRead = 1024;  // entries of the folder

// In order of their names, so that every start lists them alike; without the ending, "a" comes before "a-2".
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code failure;
  std::filesystem::directory_iterator at(folder, failure);
  for (std::size_t seen = 0; !failure && at != std::filesystem::directory_iterator() && seen < kMaxFilesRead;
       at.increment(failure), ++seen) {
    std::error_code unknown;
    if (at->path().extension() == kExtension && at->is_regular_file(unknown)) files.push_back(at->path());
  }
  std::ranges::sort(files, {}, [](const std::filesystem::path& file) { return file.stem().string(); });
  return files;
}

}  // namespace

std::optional<std::filesystem::path> palettes_folder() {
  const auto folder = data_folder();
  if (!folder) return std::nullopt;
  return *folder / "palettes";
}

PaletteFolder::Read PaletteFolder::read() {
  Read read;
  std::size_t unread = 0;
  for (const std::filesystem::path& file : files_in(folder_)) {
    try {
      std::string text = palette_text(file);
      render::PaletteSpec recipe = recipe_of(parse_palette_file(text, PaletteFormat::kGmt, file));
      recipe.name = free_name(read.palettes, recipe.name);
      read.palettes = with_palette(read.palettes, recipe);
      stored_.insert_or_assign(recipe.name,
                               StoredPalette{file, read.palettes->back().recipe, std::move(text)});
    } catch (const InputError& error) {
      if (unread++ == 0) read.problem = error.what();
    }
  }
  if (unread > 0) {
    read.problem = fmt::format("{} custom palette{} could not be read and stay{} as {}: {}", unread,
                               unread == 1 ? "" : "s", unread == 1 ? "s" : "",
                               unread == 1 ? "it is" : "they are", read.problem);
  }
  last_ = read.palettes;
  return read;
}

void PaletteFolder::exclude(const CustomPalettes& others) {
  last_ = others;
  if (!others) return;
  for (const CustomPalette& one : *others) {
    const auto known = stored_.find(one.recipe.name);
    if (known == stored_.end() || known->second.recipe != one.recipe)
      stored_.insert_or_assign(one.recipe.name, StoredPalette{{}, one.recipe, {}});
  }
}

std::filesystem::path PaletteFolder::new_file(const std::string& name) const {
  return new_file_name((folder_ / plain_file_name(name)).string(), kExtension);
}

bool PaletteFolder::is_unmodified(const StoredPalette& stored) {
  try {
    return palette_text(stored.file) == stored.text;
  } catch (const InputError&) {
    return false;
  }
}

void PaletteFolder::save(const CustomPalettes& now) {
  std::error_code failure;
  std::filesystem::create_directories(folder_, failure);
  const FolderLock lock(folder_);  // two windows that save at once could choose the same new name
  if (now) {
    for (const CustomPalette& one : *now) {
      const auto known = stored_.find(one.recipe.name);
      if (known != stored_.end() && known->second.recipe == one.recipe) continue;
      const bool ours = known != stored_.end() && is_unmodified(known->second);
      const auto file = ours ? known->second.file : new_file(one.recipe.name);
      std::string text = cpt_text(file_of(one.recipe));
      write_state_file(file, text);
      stored_.insert_or_assign(one.recipe.name, StoredPalette{file, one.recipe, std::move(text)});
    }
  }
  const bool full = now && now->size() == kMaxCustomPalettes;
  if (last_ && !full) {
    for (const CustomPalette& one : *last_) {
      const auto known = stored_.find(one.recipe.name);
      if (known == stored_.end() || is_custom(now, one.recipe.name)) continue;
      const std::filesystem::path& file = known->second.file;
      failure.clear();
      if (is_unmodified(known->second)) std::filesystem::remove(file, failure);
      if (failure)
        throw MachineError(fmt::format("{}: cannot be deleted: {}", file.string(), failure.message()));
      stored_.erase(known);
    }
  }
  last_ = now;
}

}  // namespace loom::app
