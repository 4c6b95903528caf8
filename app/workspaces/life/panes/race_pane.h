#pragma once

#include <string>

#include "app/explain/diagram/diagram.h"
#include "app/workspaces/life/panes/content_pane.h"
#include "app/workspaces/life/scene/map_race.h"

namespace loom::app {

/// A pane in which the three maps race: the level rises until the bounding box is out.
class RacePane final : public ContentPane {
 public:
  bool needs_tiles(const PaneSubject&) const override { return false; }
  /// Starts the race when it is shown for the first time.
  void show(const char* id, const PaneSubject& subject, PaneResponse& response) override;
  bool is_animating() const override { return race_.running(); }
  bool pauses_scene() const override { return race_.running(); }
  void cancel() override { race_.cancel(); }
  Progress progress() const override;
  std::string figure_problem() const override { return "Copy table copies the race"; }
  void add_state(nlohmann::ordered_json& json, const ThreadExplanation& explanation) const override;

 private:
  void start(const PaneSubject& subject);

  MapRace race_;
  bool started_ = false;
  std::string fractal_;  ///< of the race
  diagram::Diagram diagram_;
  float width_ = 0;    ///< for which it was drawn, in font sizes
  std::string table_;  ///< as CSV
};

}  // namespace loom::app
