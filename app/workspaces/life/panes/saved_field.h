#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "app/workspaces/life/panes/pane.h"
#include "app/workspaces/life/scene/field_cells.h"
#include "app/workspaces/life/scene/life_view.h"

namespace loom::app {

/// Cells and view of the active pane, to be restored later.
struct SavedField {
  NbbFractal fractal;
  int level = 0;
  FieldCells cells;
  std::optional<render::Camera::View> view = {};  ///< nothing: the whole field, fitted

  bool fits(const FractalConfig& config) const { return config.fractal == fractal && config.level == level; }
};

/// The largest field that is saved; reading a larger one would block the window.
inline constexpr std::uint64_t kMaxSavedCells = 1 << 24;

/// Null if the engine is busy or has more than kMaxSavedCells cells.
std::shared_ptr<const SavedField> save_field(const Pane& pane);

}  // namespace loom::app
