#pragma once

#include "app/patterns/bundled.h"
#include "app/workspaces/life/edit/cell_editor.h"
#include "app/workspaces/life/scene/life_engine.h"
#include "app/workspaces/life/scene/life_settings.h"

namespace loom::app {

/// Pattern commands of keys and menus: the selection, the pattern to be placed, and bundled patterns, which
/// load their field.
class PatternCommands {
 public:
  /// Executes the commands of this frame and continues earlier ones, by changing `edit`. `async_engine`: that
  /// of the active pane. Throws InputError for an unknown bundled pattern.
  void apply(LifeEdit& edit, CellEditor& editor, const AsyncEngine<LifeEngine>& async_engine);

 private:
  void load_field(LifeEdit& edit, const patterns::BundledPattern& one);
  void show(LifeEdit& edit, const AsyncEngine<LifeEngine>& async_engine);

  const patterns::BundledPattern* pending_pattern_ = nullptr;  ///< waits for its field
};

}  // namespace loom::app
