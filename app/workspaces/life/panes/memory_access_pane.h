#pragma once

#include <optional>

#include "app/explain/diagram/diagram.h"
#include "app/workspaces/life/panes/content_pane.h"

namespace loom::app {

/// A pane with the memory accesses of the warp of the selected thread, request by request and lane by lane.
class MemoryAccessPane final : public ContentPane {
 public:
  void show(const char* id, const PaneSubject& subject, PaneResponse& response) override;

 private:
  void follow(const ThreadExplanation& explanation);
  struct Cached {
    FractalConfig config;
    Coord64 thread_block;
    std::uint32_t number = 0;
    diagram::Diagram diagram;
  };
  std::optional<Cached> cached_;
  std::optional<FractalConfig> average_of_;
  std::optional<explain::LaunchTraffic> average_;  ///< of the launch of that configuration
};

}  // namespace loom::app
