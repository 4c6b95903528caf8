#include "app/workspaces/life/scene/cell_states.h"

namespace loom::app {

void CellStates::read(const FractalEngine& engine) {
  if (engine.cell_count() > kMaxCells) return forget();
  if (!stale_ && !alive_.empty()) return;
  alive_.resize(static_cast<std::size_t>(engine.cell_count()));
  engine.read_cells(0, alive_);
  ++version_;
  stale_ = false;
}

}  // namespace loom::app
