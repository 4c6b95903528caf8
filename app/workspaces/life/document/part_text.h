#pragma once

#include <string>
#include <string_view>

#include "app/workspaces/life/scene/life_view.h"

namespace loom::app {

inline constexpr std::size_t kMaxPartText = 1 << 20;  ///< bytes

/// Reads a region of the square: "x, y, x2, y2". Throws InputError.
FieldPart parse_part(std::string_view text);
/// A text that parse_part() reads as exactly the same region.
std::string text_of(const FieldPart& part);

}  // namespace loom::app
