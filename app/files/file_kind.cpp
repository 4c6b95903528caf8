#include "app/files/file_kind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <system_error>

#include "app/files/toml_document.h"
#include "compute/core/input_text.h"

namespace loom::app {
namespace {

/// Files for File > Open, dropped files, the command line and the desktop (packaging/).
struct OpenableFiles {
  FileKind kind;                               ///< kFractal for TOML, whose keys decide
  std::string_view name;                       ///< "a pattern"
  std::array<std::string_view, 4> extensions;  ///< ".rle", ".cells"; empty ones behind
};
constexpr std::array<OpenableFiles, 7> kFiles = {
    {{FileKind::kScene, "a scene", {".loom"}},
     {FileKind::kImage, "an image that contains one", {".png"}},
     {FileKind::kPattern, "a pattern", {".rle", ".cells", ".lif", ".life"}},
     {FileKind::kPosition, "a position", {".kfr", ".xpf", ".par"}},
     {FileKind::kPalette, "a palette", {".gpl", ".map", ".cpt"}},
     {FileKind::kMapCode, "the code of a map", {".cu"}},
     {FileKind::kFractal, "a fractal, lesson, exercise or position of Fraktaler-3", {".toml"}}}};

FileKind kind_of_toml(const std::filesystem::path& file) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 22;
  constexpr std::array<std::pair<std::string_view, FileKind>, 5> kKeys = {{{"step", FileKind::kLesson},
                                                                           {"task", FileKind::kExercise},
                                                                           {"starter", FileKind::kExercise},
                                                                           {"location", FileKind::kPosition},
                                                                           {"s_z", FileKind::kSolidFractal}}};
  try {
    const toml::table table = parse_toml(read_input(file, kMaxBytes, "TOML"), file.string(), "TOML");
    for (const auto& [key, kind] : kKeys) {
      if (table.contains(key)) return kind;
    }
  } catch (const InputError&) {  // the reader of fractals says what is wrong, and where
  }
  return FileKind::kFractal;
}

}  // namespace

std::string lower_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return extension;
}

std::vector<std::string> extensions_of(std::optional<FileKind> kind) {
  std::vector<std::string> all;
  for (const OpenableFiles& files : kFiles) {
    if (kind && files.kind != *kind) continue;
    for (const std::string_view extension : files.extensions) {
      if (!extension.empty()) all.emplace_back(extension);
    }
  }
  return all;
}

std::optional<FileKind> kind_of_extension(const std::filesystem::path& file) {
  const std::string extension = lower_extension(file);
  for (const OpenableFiles& files : kFiles) {
    if (!extension.empty() && std::ranges::find(files.extensions, extension) != files.extensions.end())
      return files.kind;
  }
  return std::nullopt;
}

FileKind kind_of_file(const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& why) {
    std::string allowed;
    for (const OpenableFiles& files : kFiles)
      allowed += fmt::format("{}{} ({})", allowed.empty() ? "" : ", ", files.name,
                             fmt::join(extensions_of(files.kind), ", "));
    throw InputError(fmt::format("{}: {}; allowed: {}", file.string(), why, allowed));
  };
  std::error_code failure;
  const auto status = std::filesystem::status(file, failure);
  if (std::filesystem::is_directory(status)) refuse("is a folder");
  if (!std::filesystem::exists(status)) refuse("cannot be read: " + failure.message());
  // Reading a pipe would block until its writer closes it.
  if (!std::filesystem::is_regular_file(status)) refuse("is not a regular file");
  const std::optional<FileKind> kind = kind_of_extension(file);
  if (kind) return *kind == FileKind::kFractal ? kind_of_toml(file) : *kind;
  std::string begun(64, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(begun.data(), static_cast<std::streamsize>(begun.size()));
  begun.resize(static_cast<std::size_t>(stream.gcount()));
  std::string_view text = without_byte_order_mark(begun);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  if (text.starts_with("\x89PNG")) return FileKind::kImage;
  // The reader of scenes says that a file is empty.
  if (!text.empty() && !text.starts_with('{')) refuse("has an unknown ending");
  return FileKind::kScene;
}

}  // namespace loom::app
