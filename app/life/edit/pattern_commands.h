#pragma once

#include "app/life/edit/cell_editor.h"
#include "app/life/scene/engine_host.h"
#include "app/life/scene/life_settings.h"
#include "app/patterns/bundled.h"

namespace loom::app {

/// What keys and menus ask of patterns: the selection, the pattern that is about to be placed, and those that
/// come along, which bring their field.
class PatternCommands {
 public:
  /// Sees to what this frame asks, and to what came of it before, by changing `edit`. `host` is the scene's.
  /// Throws InputError for a pattern that does not come along.
  void apply(LifeEdit& edit, CellEditor& editor, const EngineHost& host);

 private:
  void bring(LifeEdit& edit, const patterns::BundledPattern& one);
  void show(LifeEdit& edit, const EngineHost& host);

  const patterns::BundledPattern* to_show_ = nullptr;  ///< once its field is there
};

}  // namespace loom::app
