#pragma once

#include "app/sketch/sketch.h"
#include "app/teach/timeline_lanes.h"
#include "compute/engine/timeline.h"

namespace loom::app::sketch {

/// A timeline as lanes, one a multiprocessor (on the CPU a thread), the slots of each below each other, time
/// to the right; spans coloured by their wave, where there is one kind of work, else by what they did. Below
/// it what colours mean, and its facts in words. Spans too narrow to be seen are joined with their neighbours
/// of the same colour.
struct TimelineLook {
  float width = 60;     ///< of the lanes, in font sizes
  float height = 20;    ///< of all lanes
  float least = 0.05f;  ///< the narrowest span that is drawn by itself
};
Sketch timeline_sketch(const Timeline& timeline, const TimelineLook& look);

}  // namespace loom::app::sketch
