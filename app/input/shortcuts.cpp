#include "app/input/shortcuts.h"

#include <GLFW/glfw3.h>

#include "app/input/setting_steps.h"

namespace loom::app {
namespace {

using Match = std::function<bool(const KeyPress&)>;

Match key(int code) {
  return [=](const KeyPress& press) { return press.key == code && !press.ctrl && !press.repeat; };
}

Match character(unsigned one, unsigned other = 0) {
  return [=](const KeyPress& press) {
    return press.character != 0 && (press.character == one || press.character == other);
  };
}

// A larger or smaller step each time the key repeats makes sense only for moving about.
Match moving(int code) {
  return [=](const KeyPress& press) { return press.key == code && !press.ctrl; };
}

Match with_ctrl(std::vector<int> codes) {
  return [keys = std::move(codes)](const KeyPress& press) {
    if (!press.ctrl) return false;
    for (const int code : keys) {
      if (press.key == code) return true;
    }
    return false;
  };
}

Match any_of(Match a, Match b) {
  return [=](const KeyPress& press) { return a(press) || b(press); };
}

std::function<void(Edit&)> choose_map(MapKind map) {
  return [=](Edit& edit) { set_map(edit.settings.config, map); };
}

std::vector<Shortcut> make_shortcuts() {
  std::vector<Shortcut> list;
  const auto add = [&](const char* keys, const char* meaning, Match matches, std::function<void(Edit&)> act) {
    list.push_back({keys, meaning, std::move(matches), std::move(act)});
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
  add("F", "fit the fractal into the picture", key('f'), [](Edit& e) { e.commands.fit = true; });
  add("+", "zoom in", character('+', '='), [](Edit& e) { ++e.commands.zoom; });
  add("−", "zoom out", character('-'), [](Edit& e) { --e.commands.zoom; });
  add("←", "move left", moving(GLFW_KEY_LEFT), [](Edit& e) { --e.commands.pan_x; });
  add("→", "move right", moving(GLFW_KEY_RIGHT), [](Edit& e) { ++e.commands.pan_x; });
  add("↑", "move up", moving(GLFW_KEY_UP), [](Edit& e) { --e.commands.pan_y; });
  add("↓", "move down", moving(GLFW_KEY_DOWN), [](Edit& e) { ++e.commands.pan_y; });
  add("B", "box zoom with the next drag", key('b'), [](Edit& e) { e.commands.arm_box_zoom = true; });
  add("G", "grids of cells and blocks", key('g'), [](Edit& e) {
    const bool on = !(e.settings.view.cell_grid || e.settings.view.block_grid);
    e.settings.view.cell_grid = e.settings.view.block_grid = on;
  });
  add("T", "timing overlay", key('t'),
      [](Edit& e) { e.settings.view.show_timing = !e.settings.view.show_timing; });
  add("M", "measure: the Bench panel", key('m'),
      [](Edit& e) { e.settings.view.show_bench = !e.settings.view.show_bench; });
  add("P", "projector size and back", key('p'), [](Edit& e) { toggle_projector(e.settings.view); });
  add("Ctrl +", "larger text", with_ctrl({'=', '+'}),
      [](Edit& e) { set_ui_pixels(e.settings.view, e.settings.view.ui_pixels + 2); });
  add("Ctrl −", "smaller text", with_ctrl({'-'}),
      [](Edit& e) { set_ui_pixels(e.settings.view, e.settings.view.ui_pixels - 2); });
  add("? or H", "this list", any_of(character('?'), key('h')),
      [](Edit& e) { e.settings.view.show_help = !e.settings.view.show_help; });
  add("Esc", "close this list or a message", key(GLFW_KEY_ESCAPE),
      [](Edit& e) { e.commands.dismiss = true; });
  add("Ctrl Q", "quit", with_ctrl({'q'}), [](Edit& e) { e.commands.quit = true; });
  return list;
}

}  // namespace

const std::vector<Shortcut>& shortcuts() {
  static const std::vector<Shortcut> list = make_shortcuts();
  return list;
}

const std::vector<MouseGesture>& mouse_gestures() {
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
    for (const Shortcut& shortcut : shortcuts()) {
      if (shortcut.matches(press)) {
        shortcut.act(edit);
        break;
      }
    }
  }
}

}  // namespace loom::app
