#pragma once

#include <filesystem>
#include <string_view>

#include "app/patterns/pattern.h"

namespace loom::app::patterns {

/// Reads either format, detected from the text: plain text begins with '!' or has only rows of dead and
/// living cells; everything else is RLE. Throws InputError with the line, OperationCancelled.
Pattern parse_pattern(std::string_view text, std::string_view name, const ProgressMonitor* watch = nullptr);
/// Reads a pattern file. Throws as parse_pattern(), and InputError if the file cannot be read.
Pattern read_pattern_file(const std::filesystem::path& file, const ProgressMonitor* watch = nullptr);

/// Whether the file has the ending of a pattern.
bool is_pattern_file(const std::filesystem::path& file);

}  // namespace loom::app::patterns
