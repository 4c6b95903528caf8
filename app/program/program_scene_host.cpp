#include "app/program/program_scene_host.h"

#include <utility>

#include "app/files/fractal_file.h"
#include "app/files/palette_file.h"
#include "app/palette/custom_palettes.h"
#include "app/patterns/pattern_file.h"

namespace loom::app {
namespace {

constexpr const char* kFractalExtension = ".toml";

}  // namespace

// An opened scene that its workspace has not shown yet takes precedence.
scene::Scene ProgramSceneHost::describe() const {
  scene::Scene scene;
  const ShellSettings& shell = application_.settings();
  scene.workspace = shell.workspace;
  scene.palette = shell.palette;
  scene.custom_palettes = shell.custom_palettes;
  if (const auto& opened = life_.opened()) {
    scene.life = opened->settings;
    if (opened->field) {
      scene.cells = opened->field->cells;
      // If recomputing the remaining generations is too expensive to save the scene, save the start.
      if (!can_be_saved(scene.cells, opened->settings.config.fractal.cells(opened->settings.config.level)))
        scene.cells.generation = 0;
      scene.life_view = opened->field->view;
    }
  } else {
    scene.life = life_.settings();
    // The configuration of the existing cells, not of a field under construction.
    scene.life.config = life_.async_engine().config();
    scene.life.devices = static_cast<std::uint32_t>(life_.async_engine().backend().devices());
    scene.life_view = life_.view();
  }
  if (const auto& opened = mandelbrot_.opened()) {
    scene.mandelbrot = opened->settings;
    scene.mandelbrot_view = opened->view;
  } else {
    scene.mandelbrot = mandelbrot_.settings();
    scene.mandelbrot_view = mandelbrot_.chosen_view();
  }
  if (bookmarks_ != nullptr) scene.bookmarks = bookmarks_->all();
  return scene;
}

void ProgramSceneHost::request_cells() {
  if (!life_.opened()) life_.request_cells();
}

bool ProgramSceneHost::asked() const {
  return life_.opened() || life_.cells_requested();
}

std::optional<FieldCells> ProgramSceneHost::advance() {
  if (const auto& opened = life_.opened()) return opened->field ? opened->field->cells : FieldCells{};
  if (&application_.shown() != &life_) life_.advance_hidden();
  return life_.take_cells();
}

void ProgramSceneHost::show(const scene::Scene& scene, ShellEdit& shell) {
  life_.open({.settings = scene.life,
              .field = std::make_shared<const SavedField>(SavedField{.fractal = scene.life.config.fractal,
                                                                     .level = scene.life.config.level,
                                                                     .cells = scene.cells,
                                                                     .view = scene.life_view})});
  mandelbrot_.open({scene.mandelbrot, scene.mandelbrot_view});
  if (bookmarks_ != nullptr) bookmarks_->add_from_scene(scene.bookmarks);
  shell.settings.workspace = scene.workspace;
  shell.settings.palette = scene.palette;
  shell.settings.custom_palettes = merge_palettes(scene.custom_palettes, shell.settings.custom_palettes);
  shell.settings.show_start = false;
}

bool ProgramSceneHost::is_asset(const std::filesystem::path& file) const {
  return patterns::is_pattern_file(file) || has_palette_extension(file) ||
         file.extension() == kFractalExtension;
}

void ProgramSceneHost::open_asset(const std::filesystem::path& file, ShellEdit& shell) {
  if (has_palette_extension(file)) {
    render::PaletteSpec recipe = recipe_of(read_palette_file(file));
    recipe.name = free_name(shell.settings.custom_palettes, recipe.name);
    shell.settings.custom_palettes = with_palette(shell.settings.custom_palettes, recipe);
    shell.settings.palette = recipe.name;
  } else if (patterns::is_pattern_file(file)) {
    life_.open_pattern(file);
    shell.settings.workspace = 0;
  } else {
    life_.use_fractal(read_fractal_file(file));
    shell.settings.workspace = 0;
  }
  shell.settings.show_start = false;
}

scene::CapacityCheck ProgramSceneHost::capacity_check() const {
  return scene::capacity_check_for(life_.async_engine().backend());
}

scene::Scene ProgramSceneHost::whole() {
  if (life_.opened()) return describe();
  const LifeSettings selected = life_.settings();
  life_.cancel();
  life_.finish();
  scene::Scene scene = describe();
  const FractalConfig& runs = scene.life.config;
  if (selected.config.fractal != runs.fractal || selected.config.level != runs.level) {
    scene.life = selected;  // the new field was not complete; it starts from its initial cells
    scene.cells = {.start = selected.start};
    return scene;
  }
  if (life_.async_engine().cell_count() > kMaxCellsSaved) {
    scene.cells = known_cells();
    return scene;
  }
  const auto recomputable = life_.cell_history().recomputable();
  scene.cells = copy_cells(life_.async_engine().engine(), recomputable ? &*recomputable : nullptr);
  return scene;
}

FieldCells ProgramSceneHost::known_cells() const {
  const auto recomputable = life_.cell_history().recomputable();
  if (recomputable && is_cheap_to_recompute(recomputable->generation, life_.async_engine().cell_count()))
    return *recomputable;
  const auto kept = life_.cell_history().newest_snapshot();
  if (kept && kept->bits) return {.generation = kept->generation, .bits = kept->bits};
  return {.start = life_.settings().start};
}

scene::Scene ProgramSceneHost::without_engines() const {
  scene::Scene scene = describe();
  if (!life_.opened()) scene.cells = known_cells();
  return scene;
}

}  // namespace loom::app
