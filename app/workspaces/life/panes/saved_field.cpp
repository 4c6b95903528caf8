#include "app/workspaces/life/panes/saved_field.h"

#include <utility>

namespace loom::app {

std::shared_ptr<const SavedField> save_field(const Pane& pane) {
  const AsyncEngine<LifeEngine>& async_engine = pane.async_engine;
  if (async_engine.busy() || async_engine->cell_count() > kMaxSavedCells) return nullptr;
  auto bits = std::make_shared<CellBits>(read_cell_bits(async_engine.engine()));
  return std::make_shared<SavedField>(
      SavedField{.fractal = async_engine->config().fractal,
                 .level = async_engine->config().level,
                 .cells = {.generation = async_engine->generation(), .bits = std::move(bits)},
                 .view = view_of(pane.camera)});
}

}  // namespace loom::app
