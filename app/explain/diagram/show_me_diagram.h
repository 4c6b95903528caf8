#pragma once

#include "app/explain/diagram/diagram.h"
#include "app/explain/show_me.h"

namespace loom::app::diagram {

/// The size of every frame of "Show me", in font sizes: 16 : 9.
inline constexpr glm::vec2 kShowMeSize{64, 36};
/// Where the drawing begins, below the title, its height, and the heights of the title and of two lines of
/// the sentence below it.
inline constexpr float kShowMeTop = 4.2f;
inline constexpr float kShowMeDrawing = 27.5f;
inline constexpr float kShowMeTitle = 3;
inline constexpr float kShowMeSentence = 3.4f;

/// The frame at this time: a title, the drawing, and one sentence. `with_time`: also a bar of the time with
/// the beginning of each chapter, for a video; the window has a slider. `captions`: the size of the title and
/// of the sentence; from 1 on, the title begins so much higher.
Diagram show_me_diagram(const explain::ShowMe& show_me, double seconds, bool with_time, float captions = 1);

}  // namespace loom::app::diagram
