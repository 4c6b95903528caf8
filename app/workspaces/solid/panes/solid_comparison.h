#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

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

/// One map in a comparison.
struct MapScore {
  MapKind map = MapKind::kBoundingBox;
  std::optional<double> step_ms = {};  ///< median time per generation
  std::optional<ThreadCount> threads = {};
  std::optional<std::uint64_t> bytes = {};
  std::optional<bool> identical = {};  ///< its cells to those of the active pane; empty while not counted
  std::string_view problem = {};       ///< why there are no cells
};
using MapScores = std::array<MapScore, kMapKinds.size()>;  ///< by MapKind

/// Compares the three maps on the same cells, seen by the same camera. The active map is computed by the
/// workspace, the others by panes of this class. Only one engine works at a time, so that times are
/// comparable.
class SolidComparison {
 public:
  /// Selects the active map; the pane of that map then computes the previous one.
  void set_active(MapKind map, const render::GraphicsContext& context, const BackendSelection& backend);
  /// The pane of a map; null for the active one.
  MapPane* pane(MapKind map) { return panes_[index_of(map)].get(); }
  const MapPane* pane(MapKind map) const { return panes_[index_of(map)].get(); }
  static std::size_t index_of(MapKind map) { return static_cast<std::size_t>(map); }

  bool busy() const;
  bool in_sync(const SolidPictureKey& key) const;
  bool is_done(const SolidPictureKey& key, bool full, bool count) const;
  /// Takes the outcome of work in the background, and cancels what is outdated. Throws DeviceFault.
  void follow(const SolidPictureKey& key, TaskTimeout timeout, FrameClock& clock);
  /// Continues with the panes one after the other, until one works in the background. Throws DeviceFault.
  void advance(const MapPaneRequest& request, TaskTimeout timeout, FrameClock& clock);
  void cancel();
  /// Waits for background work.
  void finish();
  MapScores scores(const SolidRunner& active) const;
  /// Milliseconds per pixel, of all panes.
  double pixel_ms() const;
  Progress progress() const;

 private:
  template <typename Use>
  void each_pane(const Use& use) const {
    for (const MapKind map : kMapKinds) {
      if (panes_[index_of(map)]) use(map, *panes_[index_of(map)]);
    }
  }
  std::optional<MapKind> active_;
  std::array<std::unique_ptr<MapPane>, kMapKinds.size()> panes_;
};

}  // namespace loom::app
