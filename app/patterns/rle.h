#pragma once

#include <string>
#include <string_view>

#include "app/patterns/pattern.h"

namespace loom::app::patterns {

/// Reads a pattern in the run-length encoding of Golly and LifeWiki: lines that begin with # (N name, C and c
/// comments, P and R x y position, r rule, CXRLE Pos=x,y), a header "x = 3, y = 3, rule = B3/S23", which may
/// be missing, and runs of b or . (dead), o or A (alive) and $ (end of a row) up to the !. A pattern may
/// exceed the width and height of the header and then enlarges them. A rule's bounded grid (":T20,20") is
/// ignored, since a fractal has its own edge. Throws InputError with the line.
Pattern parse_rle(std::string_view text, std::string_view name, const ProgressMonitor* watch = nullptr);

/// The pattern as RLE: lines of at most 70 characters, the position as #CXRLE.
std::string to_rle(const Pattern& pattern, const ProgressMonitor* watch = nullptr);

}  // namespace loom::app::patterns
