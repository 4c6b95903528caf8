#pragma once

#include <algorithm>
#include <string>

#include "app/explain/diagram/diagram.h"

namespace loom::app::diagram {

/// Returns whether a text of the diagram contains `what`.
inline bool says(const Diagram& diagram, const std::string& what) {
  return std::any_of(diagram.shapes().begin(), diagram.shapes().end(), [&](const Diagram::Shape& shape) {
    const auto* const text = std::get_if<Text>(&shape);
    return text != nullptr && text->text.find(what) != std::string::npos;
  });
}

}  // namespace loom::app::diagram
