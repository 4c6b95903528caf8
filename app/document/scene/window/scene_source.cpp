#include "app/document/scene/window/scene_source.h"

#include <algorithm>
#include <utility>

#include "app/files/palette_file.h"

namespace loom::app::scene {

Scene SceneSource::describe(StateNeed need) const {
  const ShellSettings& shell = application_.settings();
  Scene scene{.workspace = std::string(application_.shown().id()),
              .palette = shell.palette,
              .custom_palettes = shell.custom_palettes};
  for (const auto& workspace : application_.workspaces())
    scene.states[std::string(workspace->id())] = workspace->state(need);
  if (get_bookmarks_) scene.bookmarks = get_bookmarks_();
  return scene;
}

void SceneSource::request_data() {
  copied_.clear();
  cancelled_ = false;
  for (const auto& workspace : application_.workspaces()) workspace->request_data();
}

std::optional<Scene> SceneSource::with_data(const Scene& described) {
  bool complete = true;
  for (const auto& workspace : application_.workspaces()) {
    const std::string id(workspace->id());
    if (copied_.contains(id)) continue;
    StateCopy copy = workspace->with_data(described.states.at(id), &application_.shown() != workspace.get());
    cancelled_ = cancelled_ || copy.cancelled;
    if (copy.state) {
      copied_[id] = std::move(copy.state);
    } else {
      complete = false;
    }
  }
  if (!complete) return std::nullopt;
  Scene scene = described;
  scene.states = std::exchange(copied_, {});
  return scene;
}

void SceneSource::show(const Scene& scene, ShellEdit& shell) {
  application_.leave_lesson(shell);
  for (const auto& workspace : application_.workspaces()) {
    if (const auto state = scene.states.find(workspace->id()); state != scene.states.end())
      workspace->restore(state->second);
  }
  if (add_bookmarks_) add_bookmarks_(scene.bookmarks);
  shell.settings.workspace = application_.index_of(scene.workspace);
  show_palette(shell.settings, scene.palette);
  shell.settings.custom_palettes = merge_palettes(scene.custom_palettes, shell.settings.custom_palettes);
  shell.settings.show_start = false;
}

void SceneSource::open_asset(const std::filesystem::path& file, FileKind kind, ShellEdit& shell) {
  if (kind == FileKind::kPalette) {
    render::PaletteSpec recipe = recipe_of(read_palette_file(file));
    recipe.name = free_name(shell.settings.custom_palettes, recipe.name);
    shell.settings.custom_palettes = with_palette(shell.settings.custom_palettes, recipe);
    shell.settings.palette = recipe.name;
  } else if (kind == FileKind::kLesson) {
    shell.lessons.start = file.string();
  } else {
    // A pattern and code become part of what is shown.
    if (kind == FileKind::kFractal || kind == FileKind::kPosition) application_.leave_lesson(shell);
    const auto& all = application_.workspaces();
    const auto opened =
        std::ranges::find_if(all, [&](const auto& one) { return one->open_file(file, kind); });
    if (opened != all.end()) shell.settings.workspace = application_.index_of((*opened)->id());
  }
  shell.settings.show_start = false;
}

CapacityCheck SceneSource::capacity_check() const {
  return capacity_check_for(backend());
}

}  // namespace loom::app::scene
