#pragma once

#include <filesystem>

#include "app/picture/picture_rows.h"

namespace loom::app::picture {

/// Writes an image as a PNG that contains the text of the scene (scene_text.h), one band at a time; the file
/// appears complete or not at all. Returns its size in bytes. Throws as the rows and OutputFile, Cancelled.
std::uint64_t write_picture(const std::filesystem::path& file, PictureRows& rows, std::string_view scene_text,
                            Watch* watch = nullptr);

}  // namespace loom::app::picture
