#include "app/mandelbrot/explorer_shortcuts.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <iterator>

#include "app/shell/key_match.h"

namespace loom::app {
namespace {

template <typename Choice, std::size_t kCount>
void next_in(const std::array<Choice, kCount>& choices, Choice& present) {
  const auto here = std::find(choices.begin(), choices.end(), present);
  present = here == choices.end() || std::next(here) == choices.end() ? choices.front() : *std::next(here);
}

std::function<void(Edit&)> choose_method(MandelbrotMethod method) {
  return [=](Edit& edit) { set_method(edit.settings.explorer.config, method); };
}

std::function<void(Edit&)> flip(bool ExplorerSettings::*setting) {
  return [=](Edit& edit) { edit.settings.explorer.*setting = !(edit.settings.explorer.*setting); };
}

}  // namespace

std::vector<Shortcut> explorer_shortcuts(const std::vector<Shortcut>& life) {
  std::vector<Shortcut> list;
  const auto add = [&](const char* keys, const char* meaning, Match matches, std::function<void(Edit&)> act) {
    list.push_back({keys, meaning, std::move(matches), std::move(act)});
  };
  add("1", "exhaustive", key('1'), choose_method(MandelbrotMethod::kExhaustive));
  add("2", "DP: dynamic parallelism", key('2'), choose_method(MandelbrotMethod::kDp));
  add("3", "ASK: adaptive serial kernels", key('3'), choose_method(MandelbrotMethod::kAsk));
  add("S", "scheme: SBR or MBR", key('s'),
      [](Edit& e) { next_in(kRegionSchemes, e.settings.explorer.config.scheme); });
  add("D", "float or double", key('d'), [](Edit& e) { ++e.commands.explorer.next_precision; });
  add("C", "colouring: bands, smooth, histogram", key('c'),
      [](Edit& e) { next_in(kColourings, e.settings.explorer.colouring); });
  add("[ or Bksp", "a view back", any_of(character('['), key(GLFW_KEY_BACKSPACE)),
      [](Edit& e) { --e.commands.explorer.history; });
  add("]", "a view forward", character(']'), [](Edit& e) { ++e.commands.explorer.history; });
  add("N", "next stop of the tour", key('n'), [](Edit& e) { ++e.commands.explorer.tour; });
  add("G", "regions: off, levels, kinds", key('g'),
      [](Edit& e) { next_in(kRegionOverlays, e.settings.explorer.overlay); });
  add("Space", "play the levels one by one", key(GLFW_KEY_SPACE),
      [](Edit& e) { e.commands.explorer.play_levels = true; });
  add(",", "a level fewer", character(','), [](Edit& e) { --e.commands.explorer.step_level; });
  add(".", "a level more", character('.'), [](Edit& e) { ++e.commands.explorer.step_level; });
  add("O", "orbit of the point under the cursor", key('o'), flip(&ExplorerSettings::orbit));
  add("J", "its Julia set", key('j'), flip(&ExplorerSettings::julia));
  add("M", "measure: compute every frame", key('m'), flip(&ExplorerSettings::measure));
  add("E", "time the exhaustive method here", key('e'),
      [](Edit& e) { e.commands.explorer.measure_exhaustive = true; });
  add("X", "check against the exhaustive method", key('x'),
      [](Edit& e) { e.commands.explorer.check = true; });
  add("K", "cost model and landscape", key('k'), flip(&ExplorerSettings::show_model));
  std::copy_if(life.begin(), life.end(), std::back_inserter(list),
               [](const Shortcut& shortcut) { return shortcut.everywhere; });
  return list;
}

}  // namespace loom::app
