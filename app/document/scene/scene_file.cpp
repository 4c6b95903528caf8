#include "app/document/scene/scene_file.h"

#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <stdexcept>

#include "app/document/image/image_file.h"
#include "app/files/output_file.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "render/png_text.h"

namespace loom::app::scene {
namespace {

/// Larger files were not written by this program: level 20 of the densest fractals needs less.
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 32;

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
  if (size > kMaxBytes)
    throw InputError(
        fmt::format("it has {}; allowed: up to {}", describe_bytes(size), describe_bytes(kMaxBytes)));
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

}  // namespace loom::app::scene
