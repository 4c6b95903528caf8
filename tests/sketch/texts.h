#pragma once

#include <algorithm>
#include <string>

#include "app/sketch/sketch.h"

namespace loom::app::sketch {

/// Whether one of its texts holds `what`.
inline bool says(const Sketch& sketch, const std::string& what) {
  return std::any_of(sketch.shapes().begin(), sketch.shapes().end(), [&](const Sketch::Shape& shape) {
    const auto* const text = std::get_if<Text>(&shape);
    return text != nullptr && text->text.find(what) != std::string::npos;
  });
}

}  // namespace loom::app::sketch
