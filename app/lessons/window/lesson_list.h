#pragma once

#include <string>
#include <vector>

#include "app/gui/layout.h"
#include "app/lessons/window/lesson_panel.h"

namespace loom::app::lessons {

/// The list of lessons, over `area`. `plays`: a lesson is open, and the list offers to return to it.
void lesson_list(const Area& area, const std::vector<LessonListEntry>& lessons, bool plays,
                 const std::string& message, LessonPanelState& state, LessonRequests& requests);

}  // namespace loom::app::lessons
