#include "app/files/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <system_error>

#include "app/files/toml_document.h"
#include "app/text/text.h"

namespace loom::app {
namespace {

struct Kind : OpenableFiles {
  FileKind kind;
};
constexpr std::array kKinds = {
    Kind{{"a scene", ".loom", "application/x-fractal-loom-scene"}, FileKind::kScene},
    Kind{{"an image that contains one", ".png", "image/png"}, FileKind::kImage},
    Kind{{"a pattern", ".rle .cells .lif .life", "application/x-fractal-loom-pattern"}, FileKind::kPattern},
    Kind{{"a position", ".kfr .xpf .par", "application/x-fractal-loom-position"}, FileKind::kPosition},
    Kind{{"a palette", ".gpl .map .cpt", "application/x-fractal-loom-palette"}, FileKind::kPalette},
    Kind{{"the code of a map", ".cu", "text/x-cuda"}, FileKind::kMapCode},
    Kind{{"a fractal, lesson, exercise or position of Fraktaler-3", ".toml", "application/toml"},
         FileKind::kFractal}};
constexpr auto kFiles = [] {
  std::array<OpenableFiles, kKinds.size()> files;
  std::ranges::copy(kKinds, files.begin());
  return files;
}();

constexpr std::uint64_t kMaxToml = std::uint64_t{1} << 22;

FileKind kind_of_toml(const std::filesystem::path& file) {
  try {
    const toml::table table =
        parse_toml(read_input(file, kMaxToml, "TOML of up to 4 MiB"), file.filename().string(), "TOML");
    if (table.contains("step")) return FileKind::kLesson;
    if (table.contains("task") || table.contains("starter")) return FileKind::kExercise;
    if (table.contains("location")) return FileKind::kPosition;
    if (table.contains("s_z")) return FileKind::kSolidFractal;
  } catch (const InputError&) {  // the reader of fractals says what is wrong, and where
  }
  return FileKind::kFractal;
}

}  // namespace

std::span<const OpenableFiles> openable_files() {
  return kFiles;
}

std::string openable_text() {
  std::string text;
  for (const Kind& one : kKinds)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", one.name, one.extensions);
  return text;
}

std::vector<std::string> extensions_of(FileKind kind) {
  std::vector<std::string> all;
  for (const Kind& one : kKinds) {
    if (one.kind != kind) continue;
    for (const std::string_view extension : split_words(one.extensions, " ")) all.emplace_back(extension);
  }
  return all;
}

std::vector<std::string> openable_extensions() {
  std::vector<std::string> all;
  for (const Kind& one : kKinds) std::ranges::copy(extensions_of(one.kind), std::back_inserter(all));
  return all;
}

bool has_extension_of(const std::filesystem::path& file, FileKind kind) {
  const auto all = extensions_of(kind);
  return std::ranges::find(all, lower_extension(file)) != all.end();
}

std::string lower_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return extension;
}

FileKind kind_of_file(const std::filesystem::path& file) {
  std::error_code failure;
  const auto status = std::filesystem::status(file, failure);
  const auto refuse = [&](std::string_view why) {
    throw InputError(fmt::format("{}: {}; allowed: {}", file.string(), why, openable_text()));
  };
  // Reading a pipe would block until its writer closes it.
  if (std::filesystem::is_directory(status)) refuse("is a folder");
  if (!std::filesystem::exists(status)) refuse("cannot be read: " + failure.message());
  if (!std::filesystem::is_regular_file(status)) refuse("is not a regular file");
  for (const Kind& one : kKinds) {
    if (!has_extension_of(file, one.kind)) continue;
    return one.kind == FileKind::kFractal ? kind_of_toml(file) : one.kind;
  }
  const int first = std::ifstream(file, std::ios::binary).get();
  if (first == '{') return FileKind::kScene;
  if (first != 0x89) refuse("has an unknown ending");
  return FileKind::kImage;
}

}  // namespace loom::app
