#include "app/workspaces/solid/solid_keys.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>

#include "compute/core/input_text.h"

namespace loom::app {
namespace {

std::function<void(SolidSceneEdit&)> choose_map(MapKind map) {
  return [=](SolidSceneEdit& edit) { set_map(edit.settings.config, map); };
}

std::function<bool(const SolidSceneEdit&)> runs_map(MapKind map) {
  return [=](const SolidSceneEdit& edit) { return edit.settings.config.method.map == map; };
}

std::function<void(SolidSceneEdit&)> next_level(int direction, const char* problem) {
  return [=](SolidSceneEdit& edit) {
    const int before = edit.settings.config.level;
    set_level(edit.settings.config, before + direction);
    if (edit.settings.config.level == before) edit.commands.problem = problem;
  };
}

std::function<void(SolidSceneEdit&)> next_block(int direction, const char* problem) {
  return [=](SolidSceneEdit& edit) {
    SolidConfig& config = edit.settings.config;
    const auto sizes = allowed_tile_sizes(config.fractal, config.level);
    const auto here = std::ranges::find(sizes, config.tile_size) - sizes.begin();
    const auto there = here + direction;
    if (there < 0 || there >= static_cast<std::ptrdiff_t>(sizes.size())) {
      edit.commands.problem = problem;
      return;
    }
    config.tile_size = sizes[static_cast<std::size_t>(there)];
    config.method.tiles = 0;
  };
}

/// Has no effect on the bounding box.
std::function<void(SolidSceneEdit&)> unless_bounding_box(void (*change)(MapMethod&)) {
  return [=](SolidSceneEdit& edit) {
    MapMethod& method = edit.settings.config.method;
    if (method.map == MapKind::kBoundingBox) {
      edit.commands.problem = "The bounding box has no such setting. Press 2 for λ or 3 for compact";
      return;
    }
    change(method);
    method.tiles = 0;
  };
}

}  // namespace

Shortcuts<SolidSceneEdit> solid_shortcuts() {
  Shortcuts<SolidSceneEdit> keys;
  keys.add({"1", "bounding box", Menu::kCompare, "Bounding box map", "first method"}, key('1'),
           choose_map(MapKind::kBoundingBox), runs_map(MapKind::kBoundingBox));
  keys.add({"2", "λ", Menu::kCompare, "Lambda map", "second method"}, key('2'), choose_map(MapKind::kLambda),
           runs_map(MapKind::kLambda));
  keys.add({"3", "compact", Menu::kCompare, "Compact map", "third method"}, key('3'),
           choose_map(MapKind::kCompact), runs_map(MapKind::kCompact));
  keys.add({"A", "next map arithmetic", Menu::kCompare, "Next map arithmetic", "arithmetic"},
           without_shift(key('a')), unless_bounding_box([](MapMethod& method) {
             const bool table = method.arithmetic == MapArithmetic::kTable;
             method.arithmetic = table ? MapArithmetic::kLoop : MapArithmetic::kTable;
           }));
  keys.add({"I", "next intra-block mapping", Menu::kCompare, "Next intra-block mapping",
            "use of a block's threads"},
           key('i'), unless_bounding_box([](MapMethod& method) {
             method.intra_block = next_choice(kIntraBlocks, method.intra_block);
           }));
  keys.add({"[", "smaller tiles", Menu::kSimulation, "Smaller tiles"}, character('['),
           next_block(-1, "There is no smaller tile size"));
  keys.add({"]", "larger tiles", Menu::kSimulation, "Larger tiles"}, character(']'),
           next_block(+1, "No larger tile size is allowed at this level"));
  keys.add({"< or PgDn", "one level down", Menu::kSimulation, "Level down", "page down"},
           any_of(character('<'), key(GLFW_KEY_PAGE_DOWN)), next_level(-1, "Level 0 is the lowest"));
  keys.add({"> or PgUp", "one level up", Menu::kSimulation, "Level up", "page up"},
           any_of(character('>'), key(GLFW_KEY_PAGE_UP)),
           next_level(+1, "This is the highest level that has a picture"));
  keys.add(
      {"Space", "play or pause", Menu::kSimulation, "Play or pause", "play"}, key(GLFW_KEY_SPACE),
      [](SolidSceneEdit& e) { e.settings.playing = !e.settings.playing; },
      [](const SolidSceneEdit& e) { return e.settings.playing; });
  keys.add({".", "one generation forward (pauses)", Menu::kSimulation, "Step forward", "step forward"},
           character('.'), [](SolidSceneEdit& e) {
             e.settings.playing = false;
             ++e.commands.step;
           });
  keys.add(
      {"Shift R", "reseed: a new random start", Menu::kSimulation, "New random start", "", Effect::kDestroys},
      with_shift('r'), [](SolidSceneEdit& e) {
        ++e.settings.start.seed;
        e.commands.restart = true;
      });
  keys.add(
      {"\\", "living cells only, or all cells", Menu::kView, "Living cells only"}, character('\\'),
      [](SolidSceneEdit& e) { e.settings.look.living_only = !e.settings.look.living_only; },
      [](const SolidSceneEdit& e) { return e.settings.look.living_only; });
  keys.add(
      {"/", "cut plane: none, x, y, z", Menu::kView, "Next cut plane"}, character('/'),
      [](SolidSceneEdit& e) { e.settings.look.cut_axis = next_choice(kCutAxes, e.settings.look.cut_axis); });
  keys.add(
      {"V", "the three maps side by side, and back", Menu::kCompare, "Compare maps", "compare"},
      without_shift(key('v')), [](SolidSceneEdit& e) { e.settings.compare = !e.settings.compare; },
      [](const SolidSceneEdit& e) { return e.settings.compare; });
  keys.add({"C", "colour by state, tile, thread, warp, address", Menu::kView, "Next colouring"}, key('c'),
           [](SolidSceneEdit& e) {
             e.settings.look.colouring = next_choice(kSolidColourings, e.settings.look.colouring);
           });
  keys.add(
      {"G", "empty tiles as translucent boxes", Menu::kView, "Empty tiles", "grid"}, key('g'),
      [](SolidSceneEdit& e) { e.settings.look.empty_tiles = !e.settings.look.empty_tiles; },
      [](const SolidSceneEdit& e) { return e.settings.look.empty_tiles; });
  keys.add(
      {"X", "explain the thread of the selected cell; a click pins it", Menu::kView, "Explain thread"},
      key('x'), [](SolidSceneEdit& e) { e.settings.show_thread = !e.settings.show_thread; },
      [](const SolidSceneEdit& e) { return e.settings.show_thread; });
  keys.add({"Ctrl N", "Fractal editor", Menu::kFile, "Fractal editor..."}, with_ctrl({'n'}),
           [](SolidSceneEdit& e) { e.commands.draw_fractal = true; });
  keys.add(
      {"E", "edit mode: a click changes the state of a cell", Menu::kEdit, "Edit mode"}, key('e'),
      [](SolidSceneEdit& e) { e.settings.edit_cells = !e.settings.edit_cells; },
      [](const SolidSceneEdit& e) { return e.settings.edit_cells; });
  return keys;
}

std::span<const KeyHelp> solid_gestures() {
  static constexpr std::array kGestures = {
      KeyHelp{"Drag", "turn the fractal"},
      KeyHelp{"Right or middle drag, Shift + drag", "move the picture"},
      KeyHelp{"Click", "pin a cell; in edit mode, change its state"},
      KeyHelp{"Esc", "unpin"},
      KeyHelp{"Wheel", "zoom at the cursor"},
      KeyHelp{"Ctrl + wheel", "move the cut plane"},
  };
  return kGestures;
}

}  // namespace loom::app
