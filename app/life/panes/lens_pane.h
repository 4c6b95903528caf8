#pragma once

#include <optional>

#include "app/gui/layout.h"
#include "app/life/scene/explained.h"
#include "app/sketch/sketch.h"

namespace loom::app {

/// A pane with the memory accesses of the warp of the selected thread, request by request and lane by lane.
class LensPane {
 public:
  /// Draws it as a window at `area`.
  void show(const char* id, const Area& area, const Explained& explained);

 private:
  void follow(const Explained& explained);
  struct Made {
    FractalConfig config;
    Coord64 thread_block;
    std::uint32_t number = 0;
    sketch::Sketch sketch;
  };
  std::optional<Made> made_;
  std::optional<FractalConfig> average_of_;
  std::optional<teach::LaunchTraffic> average_;  ///< of that configuration's launch
};

}  // namespace loom::app
