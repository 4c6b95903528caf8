#include "app/mandelbrot/mandelbrot_keys.h"

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

std::function<void(MandelbrotEdit&)> choose_method(MandelbrotMethod method) {
  return [=](MandelbrotEdit& edit) { set_method(edit.settings.config, method); };
}

std::function<void(MandelbrotEdit&)> flip(bool MandelbrotSettings::*setting) {
  return [=](MandelbrotEdit& edit) { edit.settings.*setting = !(edit.settings.*setting); };
}

}  // namespace

std::vector<Shortcut> explorer_shortcuts(const std::vector<Shortcut>& life) {
  std::vector<Shortcut> list;
  const auto add = [&](const char* keys, const char* meaning, Match matches, std::function<void(MandelbrotEdit&)> act) {
    list.push_back({keys, meaning, std::move(matches), std::move(act)});
  };
  add("1", "exhaustive", key('1'), choose_method(MandelbrotMethod::kExhaustive));
  add("2", "DP: dynamic parallelism", key('2'), choose_method(MandelbrotMethod::kDp));
  add("3", "ASK: adaptive serial kernels", key('3'), choose_method(MandelbrotMethod::kAsk));
  add("S", "scheme: SBR or MBR", key('s'),
      [](MandelbrotEdit& e) { next_in(kRegionSchemes, e.settings.config.scheme); });
  add("D", "float or double", key('d'), [](MandelbrotEdit& e) { ++e.commands.next_precision; });
  add("C", "colouring: bands, smooth, histogram", key('c'),
      [](MandelbrotEdit& e) { next_in(kColourings, e.settings.colouring); });
  add("[ or Bksp", "a view back", any_of(character('['), key(GLFW_KEY_BACKSPACE)),
      [](MandelbrotEdit& e) { --e.commands.history; });
  add("]", "a view forward", character(']'), [](MandelbrotEdit& e) { ++e.commands.history; });
  add("N", "next stop of the tour", key('n'), [](MandelbrotEdit& e) { ++e.commands.tour; });
  add("G", "regions: off, levels, kinds", key('g'),
      [](MandelbrotEdit& e) { next_in(kRegionOverlays, e.settings.overlay); });
  add("Space", "play the levels one by one", key(GLFW_KEY_SPACE),
      [](MandelbrotEdit& e) { e.commands.play_levels = true; });
  add(",", "a level fewer", character(','), [](MandelbrotEdit& e) { --e.commands.step_level; });
  add(".", "a level more", character('.'), [](MandelbrotEdit& e) { ++e.commands.step_level; });
  add("O", "orbit of the point under the cursor", key('o'), flip(&MandelbrotSettings::orbit));
  add("J", "its Julia set", key('j'), flip(&MandelbrotSettings::julia));
  add("M", "measure: compute every frame", key('m'), flip(&MandelbrotSettings::measure));
  add("E", "time the exhaustive method here", key('e'),
      [](MandelbrotEdit& e) { e.commands.measure_exhaustive = true; });
  add("X", "check against the exhaustive method", key('x'),
      [](MandelbrotEdit& e) { e.commands.check = true; });
  add("K", "cost model and landscape", key('k'), flip(&MandelbrotSettings::show_model));
  std::copy_if(life.begin(), life.end(), std::back_inserter(list),
               [](const Shortcut& shortcut) { return shortcut.everywhere; });
  return list;
}

}  // namespace loom::app
