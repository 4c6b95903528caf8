#pragma once

#include <optional>
#include <string>

#include "app/explain/diagram/steps_diagram.h"
#include "app/workspaces/life/panes/content_pane.h"

namespace loom::app {

/// A pane with the computation of the map for the selected tile, by the selected map arithmetic.
class StepsPane final : public ContentPane {
 public:
  void show(const char* id, const PaneSubject& subject, PaneResponse& response) override;

 private:
  struct Cached {
    FractalConfig config;
    Coord64 tile;
    int neighbour = 0;
    float room = 0;  ///< width, in units of the smallest text size
    int row = -1;    ///< the marked row; -1: none
    diagram::StepsDiagram steps;
  };
  std::optional<Cached> cached_;
  int row_ = -1;  ///< the row that was last under the cursor
};

}  // namespace loom::app
