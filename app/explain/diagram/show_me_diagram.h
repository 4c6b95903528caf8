#pragma once

#include "app/explain/diagram/diagram.h"
#include "app/explain/show_me.h"

namespace loom::app::diagram {

/// The size of every frame of "Show me", in font sizes: 16 : 9.
inline constexpr glm::vec2 kShowMeSize{64, 36};

/// The frame at this time: a title, the drawing, and one sentence.
Diagram show_me_diagram(const explain::ShowMe& show_me, double seconds);

}  // namespace loom::app::diagram
