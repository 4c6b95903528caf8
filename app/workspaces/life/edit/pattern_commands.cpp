#include "app/workspaces/life/edit/pattern_commands.h"

#include "app/gui/input_queue.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

void edit_selection(CellEditor& editor, PatternKey key) {
  switch (key) {
    case PatternKey::kSelectAll:
      return editor.select_all();
    case PatternKey::kCopy:
      return editor.request_command(SelectionCommand::kCopy);
    case PatternKey::kCut:
      return editor.request_command(SelectionCommand::kCut);
    case PatternKey::kClear:
      return editor.request_command(SelectionCommand::kClear);
    case PatternKey::kPaste:
      return editor.paste_text(clipboard::text());
    case PatternKey::kPlace:
      return editor.place();
    case PatternKey::kNone:
      return;
  }
}

bool is_target_field(const FractalConfig& config, const patterns::TargetField& target) {
  return config.level == target.level && config.fractal == find_fractal(target.fractal);
}

}  // namespace

void PatternCommands::apply(LifeEdit& edit, CellEditor& editor, const AsyncEngine<LifeEngine>& async_engine) {
  edit_selection(editor, edit.commands.pattern_key);
  if (edit.commands.show_pattern)
    load_field(edit, patterns::find_bundled_pattern(*edit.commands.show_pattern));
  show(edit, async_engine);
  editor.apply(edit);
}

// Loads the fractal, level and rule of a pattern.
void PatternCommands::load_field(LifeEdit& edit, const patterns::BundledPattern& one) {
  FractalConfig& config = edit.settings.config;
  set_fractal(config, find_fractal(one.target.fractal));
  set_level(config, one.target.level);
  edit.settings.rule = *one.pattern.rule;
  edit.settings.workload = Workload::kLife;
  edit.settings.playing = false;
  edit.shell.view.fit = true;
  pending_pattern_ = &one;
}

// Once the engine of the pattern's field runs, clears the field and places the pattern. If another field is
// selected meanwhile, the pattern is dropped.
void PatternCommands::show(LifeEdit& edit, const AsyncEngine<LifeEngine>& async_engine) {
  if (pending_pattern_ == nullptr) return;
  const FractalConfig& runs = async_engine->config();
  if (!is_target_field(edit.settings.config, pending_pattern_->target)) {
    pending_pattern_ = nullptr;
  } else if (is_target_field(runs, pending_pattern_->target) && !async_engine.busy()) {
    const patterns::FractalField field(runs.fractal, runs.level);
    edit.commands.clear = true;
    edit.commands.cells = field.placed_cells(pending_pattern_->pattern, *pending_pattern_->pattern.at);
    edit.commands.edit_label = "pattern";
    pending_pattern_ = nullptr;
  }
}

}  // namespace loom::app
