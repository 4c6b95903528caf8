#pragma once

#include <string>
#include <string_view>

#include "render/camera.h"

namespace loom::app {

inline constexpr std::size_t kMaxPartText = 1 << 20;  ///< bytes

/// Reads a region of the square: "x, y, x2, y2". Throws InputError.
render::Rect<double> parse_part(std::string_view text);
/// A text that parse_part() reads as exactly the same region.
std::string text_of(const render::Rect<double>& part);

}  // namespace loom::app
