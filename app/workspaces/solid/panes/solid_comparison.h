#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "app/workspaces/solid/panes/map_pane.h"

namespace loom::app {

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
