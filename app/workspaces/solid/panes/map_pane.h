#pragma once

#include <string>

#include "app/workspaces/solid/picture/solid_picture.h"
#include "app/workspaces/solid/scene/solid_runner.h"

namespace loom::app {

/// What the panes beside the active one have to show.
struct MapPaneRequest {
  const SolidRequest& active;  ///< backend, start and view are taken from it
  const SolidPictureKey& key;  ///< of the active pane
  const SolidEngine& source;   ///< of the active pane; idle
  SolidWork last_work;         ///< of the last generation
  int divisor = 1;             ///< of the resolution
  bool count = false;          ///< count the living cells
};

/// A pane that computes the cells of the active one with another map, with an engine and a texture of its
/// own. It makes the same generations; after other changes of the cells it copies them.
class MapPane {
 public:
  MapPane(const render::GraphicsContext& context, const BackendSelection& backend)
      : picture_(context, backend) {}

  const SolidRunner& runner() const { return *engine_; }
  bool busy() const { return engine_.busy(); }
  Progress progress() const { return engine_.progress(); }
  void cancel() { engine_.cancel(); }
  /// Why there are no cells; empty if there are.
  const std::string& problem() const { return problem_; }

  /// Whether its cells are those of the active pane, or cannot be.
  bool in_sync(const SolidPictureKey& key, MapKind map) const;
  /// Whether it also shows them, and has counted them if `count`.
  bool is_done(const SolidPictureKey& key, MapKind map, bool full, bool count) const;
  /// Begins the next work, if there is some; not while busy. Throws DeviceFault.
  void advance(const MapPaneRequest& request, MapKind map, TaskTimeout timeout, FrameClock& clock);
  /// Cancels a finer resolution of a picture that is not requested any more.
  void drop_outdated(const SolidPictureKey& key, MapKind map);
  /// Takes the outcome of background work. Throws DeviceFault.
  void finish(TaskTimeout timeout, FrameClock& clock);
  void draw(render::SolidRenderer& renderer, const render::Rect<int>& target) const {
    picture_.draw(renderer, target);
  }
  int divisor() const { return picture_.divisor(); }

 private:
  static SolidPictureKey key_of(const SolidPictureKey& active, MapKind map);
  bool failed(const SolidConfig& config) const { return !problem_.empty() && failed_ == config; }
  void accept(const SolidRunner::Outcome& outcome);

  AsyncEngine<SolidRunner> engine_{std::make_unique<SolidRunner>()};
  SolidPicture picture_;
  SolidRequest request_;
  std::optional<SolidCellsId> cells_;  ///< which cells of the active pane it has
  SolidCellsId requested_cells_;
  std::string problem_;
  SolidConfig failed_;  ///< the configuration with the problem
};

}  // namespace loom::app
