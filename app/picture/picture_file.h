#pragma once

#include <filesystem>

#include "app/picture/picture_rows.h"

namespace loom::app::picture {

/// Writes a picture as a PNG that carries the scene's text (scene_text.h), a band at a time; the file appears
/// whole or not at all. Returns its bytes. Throws what the rows and the one writer of files throw, Cancelled.
std::uint64_t write_picture(const std::filesystem::path& file, PictureRows& rows, std::string_view scene_text,
                            Watch* watch = nullptr);

}  // namespace loom::app::picture
