#pragma once

#include <filesystem>
#include <string>

#include "app/document/image/image_rows.h"

namespace loom::app::image {

/// Keyword of the PNG text chunk that contains the JSON of a scene. Its cells are in a chunk of their own.
inline constexpr const char* kSceneKeyword = "fractal-loom-scene";

/// Writes an image as a PNG that contains the bytes of the scene (scene_bytes.h), one band at a time; the
/// file appears complete or not at all. Returns its size in bytes. Throws as the rows and OutputFile,
/// OperationCancelled.
std::uint64_t write_image(const std::filesystem::path& file, ImageRows& rows, const std::string& scene,
                          ProgressMonitor* watch = nullptr);

}  // namespace loom::app::image
