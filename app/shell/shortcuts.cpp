#include "app/shell/shortcuts.h"

#include <GLFW/glfw3.h>

#include "app/life/setting_steps.h"
#include "app/mandelbrot/explorer_shortcuts.h"
#include "app/shell/key_match.h"

namespace loom::app {
namespace {

std::function<void(Edit&)> choose_map(MapKind map) {
  return [=](Edit& edit) { set_map(edit.settings.config, map); };
}

std::vector<Shortcut> make_shortcuts() {
  std::vector<Shortcut> list;
  const auto add = [&](const char* keys, const char* meaning, Match matches, std::function<void(Edit&)> act) {
    list.push_back({keys, meaning, std::move(matches), std::move(act)});
  };
  const auto everywhere = [&](const char* keys, const char* meaning, Match matches,
                              std::function<void(Edit&)> act) {
    list.push_back({keys, meaning, std::move(matches), std::move(act), true});
  };
  add("1", "bounding box", key('1'), choose_map(MapKind::kBoundingBox));
  add("2", "λ map", key('2'), choose_map(MapKind::kLambda));
  add("3", "compact (λ and ν)", key('3'), choose_map(MapKind::kCompact));
  add("A", "next arithmetic of λ and ν", key('a'), [](Edit& e) { next_arithmetic(e.settings.config); });
  add("I", "next mapping in the block", key('i'), [](Edit& e) { next_intra_block(e.settings.config); });
  add("W", "next workload", key('w'), [](Edit& e) { next_workload(e.settings); });
  add("[", "smaller blocks", character('['), [](Edit& e) { step_block(e.settings.config, -1); });
  add("]", "larger blocks", character(']'), [](Edit& e) { step_block(e.settings.config, +1); });
  add("< or PgDn", "one level down", any_of(character('<'), key(GLFW_KEY_PAGE_DOWN)),
      [](Edit& e) { set_level(e.settings.config, e.settings.config.level - 1); });
  add("> or PgUp", "one level up", any_of(character('>'), key(GLFW_KEY_PAGE_UP)),
      [](Edit& e) { set_level(e.settings.config, e.settings.config.level + 1); });
  add("Space", "play or pause", key(GLFW_KEY_SPACE),
      [](Edit& e) { e.settings.playing = !e.settings.playing; });
  add(".", "one generation (pauses)", character('.'), [](Edit& e) {
    e.settings.playing = false;
    ++e.commands.step;
  });
  add("R", "reseed: a new random start", key('r'), [](Edit& e) {
    ++e.settings.start.seed;
    e.commands.restart = true;
  });
  add("C", "clear all cells", key('c'), [](Edit& e) { e.commands.clear = true; });
  add("E", "edit: the mouse paints cells", key('e'),
      [](Edit& e) { e.settings.view.edit_cells = !e.settings.view.edit_cells; });
  everywhere("F", "fit: the whole fractal, or set", key('f'), [](Edit& e) { e.commands.fit = true; });
  everywhere("+", "zoom in", character('+', '='), [](Edit& e) { ++e.commands.zoom; });
  everywhere("−", "zoom out", character('-'), [](Edit& e) { --e.commands.zoom; });
  everywhere("←", "move left", moving(GLFW_KEY_LEFT), [](Edit& e) { --e.commands.pan_x; });
  everywhere("→", "move right", moving(GLFW_KEY_RIGHT), [](Edit& e) { ++e.commands.pan_x; });
  everywhere("↑", "move up", moving(GLFW_KEY_UP), [](Edit& e) { --e.commands.pan_y; });
  everywhere("↓", "move down", moving(GLFW_KEY_DOWN), [](Edit& e) { ++e.commands.pan_y; });
  everywhere("B", "box zoom with the next drag", key('b'), [](Edit& e) { e.commands.arm_box_zoom = true; });
  add("G", "grids of cells and blocks", key('g'), [](Edit& e) {
    const bool on = !(e.settings.view.cell_grid || e.settings.view.block_grid);
    e.settings.view.cell_grid = e.settings.view.block_grid = on;
  });
  everywhere("T", "timing overlay", key('t'),
             [](Edit& e) { e.settings.view.show_timing = !e.settings.view.show_timing; });
  add("M", "measure: the Bench panel", key('m'),
      [](Edit& e) { e.settings.view.show_bench = !e.settings.view.show_bench; });
  everywhere("P", "projector size and back", key('p'), [](Edit& e) { toggle_projector(e.settings.view); });
  everywhere("Ctrl +", "larger text", with_ctrl({'=', '+'}),
             [](Edit& e) { set_ui_pixels(e.settings.view, e.settings.view.ui_pixels + 2); });
  everywhere("Ctrl −", "smaller text", with_ctrl({'-'}),
             [](Edit& e) { set_ui_pixels(e.settings.view, e.settings.view.ui_pixels - 2); });
  everywhere("Z", "the other workspace: Life, Mandelbrot", key('z'), [](Edit& e) {
    const bool life = e.settings.workspace == Workspace::kLife;
    e.settings.workspace = life ? Workspace::kMandelbrot : Workspace::kLife;
  });
  everywhere("? or H", "this list", any_of(character('?'), key('h')),
             [](Edit& e) { e.settings.view.show_help = !e.settings.view.show_help; });
  everywhere("Esc", "close this list or a message", key(GLFW_KEY_ESCAPE),
             [](Edit& e) { e.commands.dismiss = true; });
  everywhere("Ctrl Q", "quit", with_ctrl({'q'}), [](Edit& e) { e.commands.quit = true; });
  return list;
}

}  // namespace

const std::vector<Shortcut>& shortcuts(Workspace workspace) {
  static const std::vector<Shortcut> life = make_shortcuts();
  static const std::vector<Shortcut> mandelbrot = explorer_shortcuts(life);
  return workspace == Workspace::kLife ? life : mandelbrot;
}

const std::vector<MouseGesture>& mouse_gestures(Workspace workspace) {
  static const std::vector<MouseGesture> mandelbrot = {
      {"Wheel", "zoom at the cursor"},
      {"Drag", "move the picture"},
      {"Shift + drag", "zoom into a box"},
      {"Side buttons", "a view back, a view forward"},
      {"Hover", "dwell, orbit and Julia set of the point under the cursor"},
  };
  if (workspace == Workspace::kMandelbrot) return mandelbrot;
  static const std::vector<MouseGesture> list = {
      {"Wheel", "zoom at the cursor"},
      {"Drag", "move the picture"},
      {"Right or middle drag", "move the picture, also while editing"},
      {"Shift + drag", "zoom into a box"},
      {"Click or drag in edit mode", "paint cells: the first one flips, the rest follow it"},
      {"Hover", "cell, block and thread under the cursor"},
  };
  return list;
}

void apply_keys(const std::vector<KeyPress>& presses, Edit& edit) {
  for (const KeyPress& press : presses) {
    for (const Shortcut& shortcut : shortcuts(edit.settings.workspace)) {
      if (shortcut.matches(press)) {
        shortcut.act(edit);
        break;
      }
    }
  }
}

}  // namespace loom::app
