#include "app/program/program_lesson_host.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "app/program/workspace_formats.h"
#include "app/settings/field_json.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
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
  add_lesson_changes(labels, solid_fields(), before, after);
  return labels;
}

/// Names what the user changed compared with the scene of a lesson, so that its text may no longer apply:
/// "map, tile size"; empty if nothing. Changes of the view (zoom, colours, another pinned point, more
/// generations) do not count. `workspace` is the index of the active workspace.
std::string describe_changes(const LessonScene& scene, std::size_t workspace, const LifeSettings& life,
                             const MandelbrotSettings& mandelbrot, const SolidSettings& solid) {
  const ProgramSettings& then = scene.settings;
  if (workspace != then.shell.workspace) return "workspace";
  if (workspace_formats()[workspace].id == LifeState::kId) return life_changes(then.life, life);
  if (workspace_formats()[workspace].id == SolidState::kId) return solid_changes(then.solid, solid);
  std::string labels;
  add_lesson_changes(labels, mandelbrot_config_fields(), then.mandelbrot.config, mandelbrot.config);
  add_lesson_changes(labels, volume_fields(), then.mandelbrot.volume, mandelbrot.volume);
  return labels;
}

struct ProgramSnapshot final : lessons::SceneSnapshot {
  std::vector<scene::StatePtr> states;  ///< of the workspaces, in their order
  ShellSettings shell;
};

// Copies the settings that a scene defines. Text size, backend and similar settings remain the user's.
void take_scene(const ShellSettings& from, ShellSettings& to) {
  to.workspace = from.workspace;
  to.palette = from.palette;
  to.scene_palette = from.scene_palette;
  to.show_timing = from.show_timing;
  to.chosen_timing = from.chosen_timing;
  to.show_panels = from.show_panels;
}

}  // namespace

std::shared_ptr<const lessons::SceneSnapshot> ProgramLessonHost::take_snapshot() {
  auto now = std::make_shared<ProgramSnapshot>();
  for (const auto& workspace : application_.workspaces())
    now->states.push_back(workspace->state(StateNeed::kQuick));
  now->shell = application_.settings();
  return now;
}

void ProgramLessonHost::restore_snapshot(const lessons::SceneSnapshot& state) {
  const auto& then = dynamic_cast<const ProgramSnapshot&>(state);
  for (std::size_t i = 0; i < then.states.size(); ++i) application_.workspaces()[i]->restore(then.states[i]);
  shell_ = then.shell;
}

void show_scene(const LessonScene& scene, Application& application, LifeWorkspace& life,
                MandelbrotWorkspace& mandelbrot, SolidWorkspace& solid, ShellSettings& shell) {
  const ProgramSettings& settings = scene.settings;
  shell.workspace = settings.shell.workspace;
  // Mandelbrot has a palette of its own; that of the others stays. A scene that chooses none has that of the
  // dark theme.
  const bool chooses = settings.shell.palette != default_palette(settings.shell.theme);
  if (application.workspaces()[settings.shell.workspace].get() != &mandelbrot)
    show_palette(shell, chooses ? settings.shell.palette : std::string(default_palette(shell.theme)));
  if (application.workspaces()[settings.shell.workspace].get() == &life) {
    life.request([life = settings.life, steps = scene.steps](LifeEdit& edit) {
      edit.settings = life;
      edit.settings.lesson_point = life.pinned;
      edit.commands.restart = true;
      edit.commands.step = steps;
      edit.shell.view.fit = true;
    });
  } else if (application.workspaces()[settings.shell.workspace].get() == &solid) {
    auto state = std::make_shared<SolidState>();
    state->settings = settings.solid;
    state->cells = CellSourceOf<3>(settings.solid.start, settings.solid.work, scene.steps);
    solid.restore(std::move(state));
  } else {
    mandelbrot.request([mandelbrot = settings.mandelbrot, view = settings.first_view](MandelbrotEdit& edit) {
      edit.settings = mandelbrot;
      // Disable automatic tuning, so that a lesson shows its method on every machine.
      if (!mandelbrot.automatic) edit.settings.automatic = false;
      edit.commands.go_to = view;
      edit.commands.all_levels = true;
      if (!view) edit.shell.view.fit = true;
    });
  }
}

void ProgramLessonHost::set(const lessons::SceneSettingList& entries) {
  shell_ = application_.settings();
  shell_->show_panels = true;
  show_timing(*shell_);
  show_scene(read_lesson_scene(entries), application_, life_, mandelbrot_, solid_, *shell_);
}

void ProgramLessonHost::begin(ShellEdit& shell) {
  if (shell_) take_scene(*std::exchange(shell_, std::nullopt), shell.settings);
}

lessons::ReportValues ProgramLessonHost::values() {
  return lessons::values_of_report(application_.state());
}

std::string ProgramLessonHost::changed(const lessons::SceneSettingList& scene) {
  if (!asked_ || asked_->first.entries != scene.entries) asked_.emplace(scene, read_lesson_scene(scene));
  return describe_changes(asked_->second, application_.settings().workspace, life_.settings(),
                          mandelbrot_.settings(), solid_.settings());
}

void ProgramLessonHost::check(const lessons::SceneSettingList& scene) const {
  read_lesson_scene(scene);
}

}  // namespace loom::app
