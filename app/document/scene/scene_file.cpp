#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "app/document/image/image.h"
#include "app/document/scene/scene.h"
#include "app/files/file_kind.h"
#include "app/files/output_file.h"
#include "app/files/state_folder.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "render/png.h"

namespace loom::app::scene {
namespace {

/// Larger files were not written by this program: level 20 of the densest fractals needs less.
constexpr std::uint64_t kMaxSceneBytes = std::uint64_t{1} << 32;

std::string bytes_of_file(const std::filesystem::path& file, ProgressMonitor* watch) {
  std::error_code failure;
  const auto status = std::filesystem::status(file, failure);
  if (!std::filesystem::exists(status)) throw InputError("this file does not exist");
  if (!std::filesystem::is_regular_file(status)) throw InputError("not a regular file");
  // Take the size from the open stream, because another process may replace the file at any time.
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  const std::streamoff end = stream.tellg();
  if (end < 0) throw InputError("it cannot be read");
  const auto size = static_cast<std::uint64_t>(end);
  if (size > kMaxSceneBytes)
    throw InputError(
        fmt::format("it has {}; allowed: up to {}", describe_bytes(size), describe_bytes(kMaxSceneBytes)));
  stream.seekg(0);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  constexpr std::size_t kPart = std::size_t{1} << 24;
  for (std::size_t at = 0; at < bytes.size() && stream; at += kPart) {
    if (watch != nullptr && watch->cancelled()) throw OperationCancelled();
    const std::size_t part = std::min(kPart, bytes.size() - at);
    stream.read(bytes.data() + at, static_cast<std::streamsize>(part));
  }
  if (!stream) throw InputError("it cannot be read");
  return bytes;
}

std::string scene_of_png(std::string_view png) {
  std::optional<std::string> scene;
  try {
    scene = render::read_png_text(png, image::kSceneKeyword);
  } catch (const std::runtime_error& error) {
    throw InputError(error.what());
  }
  if (!scene) throw InputError("the image contains no scene; allowed: a PNG saved by Fractal Loom");
  return std::move(*scene);
}

}  // namespace

Scene read_file(const std::filesystem::path& file, Formats formats, const CapacityCheck& check,
                ProgressMonitor* watch) {
  try {
    std::string bytes = bytes_of_file(file, watch);
    if (render::is_png(bytes)) {
      bytes = scene_of_png(bytes);
      return read_bytes(bytes, formats, check, watch);
    }
    const std::string_view scene = without_byte_order_mark(bytes);
    if (const std::size_t first = scene.find_first_not_of(" \t\r\n");
        first == std::string_view::npos || scene[first] != '{') {
      throw InputError(
          fmt::format("it is {}; allowed: a scene saved by Fractal Loom, or an image that contains one",
                      first == std::string_view::npos ? "empty" : "neither a scene nor a PNG"));
    }
    return read_bytes(scene, formats, check, watch);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file.string(), error.what()));
  } catch (const CapacityError& error) {
    throw CapacityError(fmt::format("{}: {}", file.string(), error.what()), error.needed_bytes,
                        error.free_bytes);
  }
}

std::uint64_t save_file(const std::filesystem::path& file, const Scene& scene, ProgressMonitor* watch) {
  const std::string bytes = bytes_of(scene, watch);
  loom::app::write_file(file, bytes, watch);
  return bytes.size();
}

CapacityCheck capacity_check_for(const BackendSelection& backend) {
  return [backend](const FractalConfig& config) { check_fits(config, backend); };
}

namespace {

constexpr const char* kRecent = "recent-scenes";
constexpr const char* kLast = "last.loom";
constexpr std::size_t kMaxPath = 4096;

}  // namespace

std::vector<std::filesystem::path> recent_files() {
  std::vector<std::filesystem::path> files;
  const auto folder = state_folder();
  if (!folder) return files;
  std::ifstream list(*folder / kRecent);
  std::string line;
  while (files.size() < kMaxRecent && std::getline(list, line) && line.size() < kMaxPath) {
    if (line.starts_with('/')) files.emplace_back(line);
  }
  return files;
}

void add_recent_file(const std::filesystem::path& file) {
  const auto folder = state_folder();
  std::error_code failure;
  const std::filesystem::path whole = std::filesystem::absolute(file, failure).lexically_normal();
  if (!folder || failure || whole.string().find('\n') != std::string::npos) return;
  std::filesystem::create_directories(*folder, failure);
  const FolderLock lock(*folder);
  auto files = recent_files();
  std::erase(files, whole);
  files.insert(files.begin(), whole);
  files.resize(std::min(files.size(), kMaxRecent));
  std::string text;
  for (const auto& one : files) text += one.string() + "\n";
  try {
    write_file(*folder / kRecent, text);
  } catch (const std::exception&) {  // the list is optional; the program continues
  }
}

std::optional<std::filesystem::path> last_scene_file() {
  const auto folder = state_folder();
  if (!folder) return std::nullopt;
  return *folder / kLast;
}

std::vector<FolderEntry> list_folder(const std::filesystem::path& folder,
                                     const std::vector<std::string>& extensions) {
  std::error_code failure;
  std::filesystem::directory_iterator entries(folder, failure);
  if (failure) throw InputError(fmt::format("{}: cannot be listed: {}", folder.string(), failure.message()));
  std::vector<FolderEntry> all;
  while (entries != std::filesystem::directory_iterator() && all.size() < kMaxFolderEntries) {
    std::string name = entries->path().filename().string();
    std::error_code ignored;
    const bool is_folder = entries->is_directory(ignored);
    const bool wanted =
        is_folder || extensions.empty() || std::ranges::any_of(extensions, [&](const std::string& extension) {
          return lower_extension(name) == extension;
        });
    if (wanted && !name.starts_with('.')) all.push_back({std::move(name), is_folder});
    entries.increment(failure);
    if (failure) break;
  }
  const auto rank = [&](const FolderEntry& one) {
    const bool is_first = !extensions.empty() && lower_extension(one.name) == extensions.front();
    return one.is_folder ? 0 : is_first ? 1 : 2;
  };
  std::ranges::sort(all, {}, [&](const FolderEntry& one) { return std::pair(rank(one), one.name); });
  return all;
}

std::string complete_name(const std::filesystem::path& folder, const std::string& text,
                          const std::vector<std::string>& extensions) {
  const std::size_t slash = text.rfind('/');
  const std::string before = slash == std::string::npos ? "" : text.substr(0, slash + 1);
  const std::string begun = text.substr(before.size());
  std::vector<FolderEntry> entries;
  try {
    entries = list_folder(before.empty() ? folder : typed_path(folder, before), extensions);
  } catch (const InputError&) {
    return text;
  }
  std::erase_if(entries, [&](const FolderEntry& entry) { return !entry.name.starts_with(begun); });
  if (entries.empty()) return text;
  if (entries.size() == 1) return before + entries[0].name + (entries[0].is_folder ? "/" : "");
  std::string common = entries[0].name;
  for (const FolderEntry& entry : entries) {
    const auto [end, other] = std::ranges::mismatch(common, entry.name);
    common.erase(end, common.end());
  }
  return before + common;
}

}  // namespace loom::app::scene
