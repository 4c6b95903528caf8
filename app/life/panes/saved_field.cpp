#include "app/life/panes/saved_field.h"

namespace loom::app {

std::shared_ptr<const SavedField> save_field(const Pane& pane) {
  const EngineHost& host = pane.host;
  if (host.busy() || host.cell_count() > kMostSavedCells) return nullptr;
  const FractalEngine& engine = host.engine();
  auto saved = std::make_shared<SavedField>(SavedField{.fractal = host.config().fractal,
                                                       .level = host.config().level,
                                                       .generation = host.generation(),
                                                       .cells = {},
                                                       .camera = pane.camera});
  saved->cells.resize(static_cast<std::size_t>(host.cell_count()));
  engine.read_cells(0, saved->cells);
  return saved;
}

}  // namespace loom::app
