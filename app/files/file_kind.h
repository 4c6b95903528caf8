#pragma once

#include <filesystem>
#include <span>
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

/// Files of one media type, for File > Open, dropped files, the command line and the desktop.
struct OpenableFiles {
  std::string_view name;        ///< "a pattern"
  std::string_view extensions;  ///< ".rle .cells"
  std::string_view media_type;  ///< in packaging/
};
std::span<const OpenableFiles> openable_files();
/// The endings of all of them.
std::vector<std::string> openable_extensions();
/// "a scene (.loom), an image that contains one (.png), ...".
std::string openable_text();

/// The endings of one kind.
std::vector<std::string> extensions_of(FileKind kind);

/// The ending in lower case, with its point.
std::string lower_extension(const std::filesystem::path& file);
/// Whether the file has an ending of this kind, in upper or lower case.
bool has_extension_of(const std::filesystem::path& file, FileKind kind);

/// The kind by the ending; of TOML by its keys, where one without a known key is a fractal; of other endings
/// a scene or an image, by the first byte. Throws InputError for what is none, and for what is no regular
/// file.
FileKind kind_of_file(const std::filesystem::path& file);

}  // namespace loom::app
