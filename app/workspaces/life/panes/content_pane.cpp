#include "app/workspaces/life/panes/content_pane.h"

#include "app/workspaces/life/panes/thread_panes.h"
#include "app/workspaces/life/panes/timing_panes.h"

namespace loom::app {

std::unique_ptr<ContentPane> make_content_pane(PaneContent shows) {
  switch (shows) {
    case PaneContent::kCells:
      return nullptr;
    case PaneContent::kThreads:
      return std::make_unique<SpacePane>(explain::Space::kThreads);
    case PaneContent::kMemory:
      return std::make_unique<SpacePane>(explain::Space::kMemory);
    case PaneContent::kSteps:
      return std::make_unique<StepsPane>();
    case PaneContent::kLambdaAnimation:
      return std::make_unique<UnfoldPane>();
    case PaneContent::kTimeline:
      return std::make_unique<TimelinePane>();
    case PaneContent::kMemoryAccess:
      return std::make_unique<MemoryAccessPane>();
    case PaneContent::kRace:
      return std::make_unique<RacePane>();
    case PaneContent::kMapMetrics:
      return std::make_unique<MapMetricsPane>();
  }
  return nullptr;
}

}  // namespace loom::app
