#pragma once

#include <string>
#include <string_view>

#include "app/patterns/pattern.h"

namespace loom::app::patterns {

/// Reads a pattern as plain text (`.cells`): lines that begin with ! are comments ("!Name: Glider"), in the
/// others . is a dead cell and O or * a living one; dead cells at the end of a line may be missing. Throws
/// InputError with the line.
Pattern parse_cells(std::string_view text, std::string_view name, const Watch* watch = nullptr);

/// The same as text. Throws InputError where it would be longer than kMostBytes.
std::string to_cells(const Pattern& pattern);

}  // namespace loom::app::patterns
