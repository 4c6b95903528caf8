#pragma once

#include "app/explain/diagram/diagram.h"
#include "app/explain/show_me.h"

namespace loom::app::diagram {

/// The size of every frame of "Show me", in font sizes: 16 : 9.
inline constexpr glm::vec2 kShowMeSize{64, 36};

/// The frame at this time: a title, the drawing, and one sentence. `with_time`: also a bar of the time with
/// the beginning of each chapter, for a video; the window has a slider.
Diagram show_me_diagram(const explain::ShowMe& show_me, double seconds, bool with_time);

}  // namespace loom::app::diagram
