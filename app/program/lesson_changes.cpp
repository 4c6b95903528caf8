#include "app/program/lesson_changes.h"

#include <string_view>

#include "app/program/workspace_formats.h"
#include "app/settings/field_changes.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/solid/document/solid_state.h"
#include "compute/mandelbrot/mandelbrot_fields.h"
#include "compute/map/map_method.h"

namespace loom::app {
namespace {

void add_label(std::string& labels, std::string_view label) {
  if (!labels.empty()) labels += ", ";
  labels += label;
}

std::string life_changes(const LifeSettings& before, const LifeSettings& after) {
  std::string labels;
  add_lesson_changes(labels, life_fields(), before, after);
  const MapMethod& was = before.config.method;
  const MapMethod& is = after.config.method;
  if (was.map != is.map) {
    add_label(labels, "map");  // a new map resets the rest of the method
  } else if (!is_same_execution(was, is)) {
    add_lesson_changes(labels, method_fields(), was, is);
  }
  if (before.pinned && !after.pinned) add_label(labels, "pinned thread");
  return labels;
}

std::string solid_changes(const SolidSettings& before, const SolidSettings& after) {
  std::string labels;
  const SolidConfig& was = before.config;
  const SolidConfig& is = after.config;
  if (was.fractal != is.fractal) add_label(labels, "fractal");
  if (was.level != is.level) add_label(labels, "level");
  if (was.tile_size != is.tile_size) add_label(labels, "tile size");
  if (was.method.map != is.method.map) add_label(labels, "map");
  if (before.compare != after.compare) add_label(labels, "comparison");
  if (before.pinned && before.pinned != after.pinned) add_label(labels, "pinned cell");
  return labels;
}

}  // namespace

std::string describe_changes(const LessonScene& scene, std::size_t workspace, const LifeSettings& life,
                             const MandelbrotSettings& mandelbrot, const SolidSettings& solid) {
  const ProgramSettings& then = scene.settings;
  if (workspace != then.shell.workspace) return "workspace";
  if (workspace_formats()[workspace]->id() == LifeState::kId) return life_changes(then.life, life);
  if (workspace_formats()[workspace]->id() == SolidState::kId) return solid_changes(then.solid, solid);
  std::string labels;
  add_lesson_changes(labels, mandelbrot_config_fields(), then.mandelbrot.config, mandelbrot.config);
  return labels;
}

}  // namespace loom::app
