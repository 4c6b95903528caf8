#pragma once

#include <string>
#include <string_view>

#include "app/patterns/pattern.h"

namespace loom::app::patterns {

/// Reads a plain text pattern (`.cells`): lines that begin with ! are comments ("!Name: Glider"); in other
/// lines . is a dead cell and O or * a living one, and dead cells at the end may be missing. Throws
/// InputError with the line.
Pattern parse_cells(std::string_view text, std::string_view name, const ProgressMonitor* watch = nullptr);

/// Writes a plain text pattern. Throws InputError if it would exceed kMaxBytes.
std::string to_cells(const Pattern& pattern);

}  // namespace loom::app::patterns
