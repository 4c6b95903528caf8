#pragma once

#include <string>
#include <string_view>

#include "app/patterns/pattern.h"

namespace loom::app::patterns {

/// Reads the run-length encoding of Golly and LifeWiki: lines that begin with # (N name, C and c comments, P
/// and R x y position, r rule, CXRLE Pos=x,y), an optional header "x = 3, y = 3, rule = B3/S23", and runs of
/// b or . (dead), o or A (alive) and $ (end of a row) up to !. Width and height of the header are minimum
/// values: a pattern that extends further is larger. A bounded grid in the rule (":T20,20") is ignored,
/// because a fractal has its own border. Throws InputError with the line.
Pattern parse_rle(std::string_view text, std::string_view name);

/// Writes RLE: lines of at most 70 characters, the position as #CXRLE.
std::string to_rle(const Pattern& pattern);

}  // namespace loom::app::patterns
