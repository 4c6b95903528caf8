#include "app/palette/palette_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include "app/files/folder_lock.h"
#include "app/files/new_file.h"
#include "app/files/palette_file.h"
#include "app/files/state_folder.h"
#include "compute/core/error.h"

namespace loom::app {
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
