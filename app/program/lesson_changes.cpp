#include "app/program/lesson_changes.h"

#include <string_view>

#include "app/program/workspace_formats.h"
#include "app/workspaces/life/document/life_state.h"

namespace loom::app {
namespace {

struct Names {
  std::string text;
  void add(std::string_view name, bool changed) {
    if (!changed) return;
    if (!text.empty()) text += ", ";
    text += name;
  }
};

void add_life(Names& names, const LifeSettings& was, const LifeSettings& is) {
  const FractalConfig& before = was.config;
  const FractalConfig& now = is.config;
  names.add("fractal", before.fractal != now.fractal);
  names.add("level", before.level != now.level);
  names.add("tile size", before.block != now.block);
  const MapMethod& method = before.method;
  const MapMethod& other = now.method;
  if (method.map != other.map) {
    names.add("map", true);  // a new map resets the rest of the method
  } else if (!is_same_execution(method, other)) {
    names.add("cell storage", method.storage != other.storage);
    names.add("map arithmetic", method.arithmetic != other.arithmetic);
    names.add("intra-block mapping", method.intra_block != other.intra_block);
    names.add("tiles per thread block", method.tiles != other.tiles);
    names.add("halo", method.halo != other.halo);
  }
  names.add("devices", was.devices != is.devices);
  names.add("panes", was.secondary_panes != is.secondary_panes);
  names.add("workload", was.workload != is.workload);
  names.add("rule", was.rule != is.rule);
  names.add("pinned thread", was.pinned && !is.pinned);
}

void add_mandelbrot(Names& names, const MandelbrotConfig& was, const MandelbrotConfig& is) {
  names.add("method", was.method != is.method);
  names.add("scheme", was.scheme != is.scheme);
  names.add("g, r, B", was.g != is.g || was.r != is.r || was.b != is.b);
  names.add("dwell limit", was.dwell_limit != is.dwell_limit);
}

}  // namespace

std::string describe_changes(const LessonScene& scene, std::size_t workspace, const LifeSettings& life,
                             const MandelbrotSettings& mandelbrot) {
  const ProgramSettings& then = scene.settings;
  if (workspace != then.shell.workspace) return "workspace";
  Names names;
  if (workspace_formats()[workspace]->id() == LifeState::kId) {
    add_life(names, then.life, life);
  } else {
    add_mandelbrot(names, then.mandelbrot.config, mandelbrot.config);
  }
  return names.text;
}

}  // namespace loom::app
