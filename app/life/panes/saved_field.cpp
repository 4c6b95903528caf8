#include "app/life/panes/saved_field.h"

#include <utility>

namespace loom::app {

std::shared_ptr<const SavedField> save_field(const Pane& pane) {
  const EngineHost& host = pane.host;
  if (host.busy() || host.cell_count() > kMostSavedCells) return nullptr;
  auto bits = std::make_shared<CellBits>(bits_of(host.engine()));
  return std::make_shared<SavedField>(
      SavedField{.fractal = host.config().fractal,
                 .level = host.config().level,
                 .cells = {.generation = host.generation(), .bits = std::move(bits)},
                 .view = view_of(pane.camera)});
}

}  // namespace loom::app
