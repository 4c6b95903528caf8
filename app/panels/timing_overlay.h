#pragma once

#include "app/edit.h"
#include "app/gui/layout.h"
#include "app/report.h"

namespace loom::app {

/// What each frame costs, in a window over the corner of `picture` that the user may move within it.
void timing_overlay(const Area& picture, Edit& edit, const Report& report);

}  // namespace loom::app
