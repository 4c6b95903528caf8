#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "app/life/panes/pane.h"
#include "app/life/scene/field_cells.h"
#include "app/life/scene/life_view.h"

namespace loom::app {

/// The cells of the scene and the view of them, to be put back later.
struct SavedField {
  NbbFractal fractal;
  int level = 0;
  FieldCells cells;
  std::optional<LifeView> view = {};  ///< nothing: the whole field, fitted

  bool fits(const FractalConfig& config) const { return config.fractal == fractal && config.level == level; }
};

/// A field of more cells is not saved: reading them would hold up the window.
inline constexpr std::uint64_t kMostSavedCells = 1 << 24;

/// Null where the engine is at work or has more than kMostSavedCells.
std::shared_ptr<const SavedField> save_field(const Pane& pane);

}  // namespace loom::app
