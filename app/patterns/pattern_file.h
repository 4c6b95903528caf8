#pragma once

#include <filesystem>
#include <string_view>

#include "app/patterns/pattern.h"

namespace loom::app::patterns {

/// Reads either format, detected from the text: plain text begins with ! or contains only rows of . and O,
/// everything else is RLE. Throws InputError with the line.
Pattern parse_pattern(std::string_view text, std::string_view name);
/// Reads a file.
Pattern read_pattern_file(const std::filesystem::path& file);

/// Whether the file has the ending of a pattern.
bool is_pattern_file(const std::filesystem::path& file);

}  // namespace loom::app::patterns
