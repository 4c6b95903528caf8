#include "app/life/edit/pattern_commands.h"

#include "app/gui/clipboard.h"
#include "app/life/scene/setting_steps.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

void edit_selection(CellEditor& editor, PatternKey key) {
  switch (key) {
    case PatternKey::kSelectAll:
      return editor.select_all();
    case PatternKey::kCopy:
      return editor.act(SelectionDo::kCopy);
    case PatternKey::kCut:
      return editor.act(SelectionDo::kCut);
    case PatternKey::kClear:
      return editor.act(SelectionDo::kClear);
    case PatternKey::kPaste:
      return editor.paste_text(clipboard::text());
    case PatternKey::kPlace:
      return editor.place();
    case PatternKey::kNone:
      return;
  }
}

bool is_home(const FractalConfig& config, const patterns::Home& home) {
  return config.level == home.level && config.fractal == find_fractal(home.fractal);
}

}  // namespace

void PatternCommands::apply(LifeEdit& edit, CellEditor& editor, const EngineHost& host) {
  edit_selection(editor, edit.commands.pattern_key);
  if (edit.commands.show_pattern) bring(edit, patterns::find_bundled(*edit.commands.show_pattern));
  show(edit, host);
  editor.apply(edit);
}

// It brings its fractal, level and rule along, and the field is cleared for it.
void PatternCommands::bring(LifeEdit& edit, const patterns::BundledPattern& one) {
  FractalConfig& config = edit.settings.config;
  set_fractal(config, find_fractal(one.home.fractal));
  set_level(config, one.home.level);
  edit.settings.rule = *one.pattern.rule;
  edit.settings.workload = Workload::kLife;
  edit.settings.playing = false;
  edit.shell.view.fit = true;
  to_show_ = &one;
}

// Once the engine of its field runs; where another one is wished for meanwhile it is forgotten.
void PatternCommands::show(LifeEdit& edit, const EngineHost& host) {
  if (to_show_ == nullptr) return;
  const FractalConfig& runs = host.config();
  if (!is_home(edit.settings.config, to_show_->home)) {
    to_show_ = nullptr;
  } else if (is_home(runs, to_show_->home) && !host.busy()) {
    const patterns::Field field(runs.fractal, runs.level);
    edit.commands.clear = true;
    edit.commands.cells = field.placed(to_show_->pattern, *to_show_->pattern.at);
    edit.commands.cells_are = "pattern";
    to_show_ = nullptr;
  }
}

}  // namespace loom::app
