#pragma once

#include "app/patterns/bundled.h"
#include "app/workspaces/life/edit/cell_editor.h"
#include "app/workspaces/life/scene/async_engine.h"
#include "app/workspaces/life/scene/life_settings.h"

namespace loom::app {

/// What keys and menus ask of patterns: the selection, the pattern that is about to be placed, and those that
/// come along, which load_field their field.
class PatternCommands {
 public:
  /// Sees to what this frame asks, and to what came of it before, by changing `edit`. `host` is the scene's.
  /// Throws InputError for a pattern that does not come along.
  void apply(LifeEdit& edit, CellEditor& editor, const AsyncEngine& async_engine);

 private:
  void load_field(LifeEdit& edit, const patterns::BundledPattern& one);
  void show(LifeEdit& edit, const AsyncEngine& async_engine);

  const patterns::BundledPattern* pending_pattern_ = nullptr;  ///< once its field is there
};

}  // namespace loom::app
