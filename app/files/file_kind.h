#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loom::app {

/// What a file that the program opens contains.
enum class FileKind {
  kScene,
  kImage,  ///< a PNG with a scene
  kPattern,
  kPosition,
  kPalette,
  kMapCode,
  kFractal,
  kSolidFractal,
  kLesson,
  kExercise,
};

/// The ending in lower case, with its point.
std::string lower_extension(const std::filesystem::path& file);
/// The endings of one kind, or of all files that are opened.
std::vector<std::string> extensions_of(std::optional<FileKind> kind = {});
/// The kind of files with this ending, in upper or lower case; kFractal for all TOML.
std::optional<FileKind> kind_of_extension(const std::filesystem::path& file);

/// The kind by the ending; of TOML by its keys, where one without a known key is a fractal; of other endings
/// a scene or an image, by the first byte. Throws InputError for what is none, and for what is no regular
/// file.
FileKind kind_of_file(const std::filesystem::path& file);

}  // namespace loom::app
