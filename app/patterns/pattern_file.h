#pragma once

#include <filesystem>
#include <string_view>

#include "app/patterns/pattern.h"

namespace loom::app::patterns {

/// Reads either format by what the text looks like: plain text begins with a ! or has rows of . and O alone,
/// else it is RLE. Throws InputError with the line, OperationCancelled.
Pattern parse_pattern(std::string_view text, std::string_view name, const ProgressMonitor* watch = nullptr);
/// The same of a file.
Pattern read_pattern_file(const std::filesystem::path& file, const ProgressMonitor* watch = nullptr);

/// Whether the file has the ending of a pattern.
bool is_pattern_file(const std::filesystem::path& file);

}  // namespace loom::app::patterns
