#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/gui/layout.h"
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
  /// Draws the list of the bundled patterns over `area`, while it is open: a field for words, and a picture
  /// of each pattern that has them. Enter or a click places one.
  void browse(const Area& area, LifeEdit& edit);
  /// The names in the list and the marked one; null while it is closed.
  nlohmann::ordered_json state() const;

 private:
  void load_field(LifeEdit& edit, const patterns::BundledPattern& one);
  void show(LifeEdit& edit, const AsyncEngine<LifeEngine>& async_engine);

  const patterns::BundledPattern* pending_pattern_ = nullptr;  ///< waits for its field
  bool is_open_ = false;
  std::string words_;
  std::vector<const patterns::BundledPattern*> listed_;  ///< those with the words
  int marked_ = 0;                                       ///< index in listed_
  /// Of each bundled pattern, while the list is open: its square of the field row by row, '#' for a cell of
  /// the pattern, '.' for another cell, ' ' for a hole.
  std::vector<std::string> pictures_;
};

}  // namespace loom::app
