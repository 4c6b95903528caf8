#include "app/cli/program_scenes.h"

#include <utility>

#include "app/files/fractal_file.h"
#include "app/files/palette_file.h"
#include "app/palette/own_palettes.h"
#include "app/patterns/pattern_file.h"

namespace loom::app {
namespace {

constexpr const char* kFractalEnding = ".toml";

}  // namespace

// What was opened and its workspace has not shown yet is what is there.
scene::Scene ProgramScenes::describe() const {
  scene::Scene scene;
  const ShellSettings& shell = application_.settings();
  scene.workspace = shell.workspace;
  scene.palette = shell.palette;
  scene.own_palettes = shell.own_palettes;
  if (const auto& opened = life_.opened()) {
    scene.life = opened->settings;
    if (opened->field) {
      scene.cells = opened->field->cells;
      // Generations that are still to be done are too many to be kept as such: what is known is their start.
      if (!can_be_kept(scene.cells, opened->settings.config.fractal.cells(opened->settings.config.level)))
        scene.cells.generation = 0;
      scene.life_view = opened->field->view;
    }
  } else {
    scene.life = life_.settings();
    // Of the cells, whatever is being built.
    scene.life.config = life_.host().config();
    scene.life.devices = static_cast<std::uint32_t>(life_.host().backend().devices());
    scene.life_view = life_.view();
  }
  if (const auto& opened = mandelbrot_.opened()) {
    scene.mandelbrot = opened->settings;
    scene.mandelbrot_view = opened->view;
  } else {
    scene.mandelbrot = mandelbrot_.settings();
    scene.mandelbrot_view = mandelbrot_.chosen_view();
  }
  if (places_ != nullptr) scene.places = places_->all();
  return scene;
}

void ProgramScenes::ask_for_cells() {
  if (!life_.opened()) life_.want_cells();
}

bool ProgramScenes::asked() const {
  return life_.opened() || life_.wants_cells();
}

std::optional<FieldCells> ProgramScenes::advance() {
  if (const auto& opened = life_.opened()) return opened->field ? opened->field->cells : FieldCells{};
  if (&application_.shown() != &life_) life_.advance_hidden();
  return life_.take_cells();
}

void ProgramScenes::show(const scene::Scene& scene, ShellEdit& shell) {
  life_.open({.settings = scene.life,
              .field = std::make_shared<const SavedField>(SavedField{.fractal = scene.life.config.fractal,
                                                                     .level = scene.life.config.level,
                                                                     .cells = scene.cells,
                                                                     .view = scene.life_view})});
  mandelbrot_.open({scene.mandelbrot, scene.mandelbrot_view});
  if (places_ != nullptr) places_->add_of_scene(scene.places);
  shell.settings.workspace = scene.workspace;
  shell.settings.palette = scene.palette;
  shell.settings.own_palettes = joined(scene.own_palettes, shell.settings.own_palettes);
  shell.settings.show_start = false;
}

bool ProgramScenes::is_part(const std::filesystem::path& file) const {
  return patterns::is_pattern_file(file) || has_palette_ending(file) || file.extension() == kFractalEnding;
}

void ProgramScenes::open_part(const std::filesystem::path& file, ShellEdit& shell) {
  if (has_palette_ending(file)) {
    render::PaletteRecipe recipe = recipe_of(read_palette_file(file));
    recipe.name = free_name(shell.settings.own_palettes, recipe.name);
    shell.settings.own_palettes = with_palette(shell.settings.own_palettes, recipe);
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

scene::CheckRoom ProgramScenes::room() const {
  return scene::room_on(life_.host().backend());
}

scene::Scene ProgramScenes::whole() {
  if (life_.opened()) return describe();
  const LifeSettings wished = life_.settings();
  life_.cancel();
  life_.finish();
  scene::Scene scene = describe();
  const FractalConfig& runs = scene.life.config;
  if (wished.config.fractal != runs.fractal || wished.config.level != runs.level) {
    scene.life = wished;  // it was being built, and begins with its start
    scene.cells = {.start = wished.start};
    return scene;
  }
  if (life_.host().cell_count() > kMostSavedAtOnce) {
    scene.cells = known_cells();
    return scene;
  }
  const auto grown = life_.chronicle().grown();
  scene.cells = cells_of(life_.host().engine(), grown ? &*grown : nullptr);
  return scene;
}

FieldCells ProgramScenes::known_cells() const {
  const auto grown = life_.chronicle().grown();
  if (grown && is_quickly_grown(grown->generation, life_.host().cell_count())) return *grown;
  const auto kept = life_.chronicle().newest_kept();
  if (kept && kept->bits) return {.generation = kept->generation, .bits = kept->bits};
  return {.start = life_.settings().start};
}

scene::Scene ProgramScenes::without_engines() const {
  scene::Scene scene = describe();
  if (!life_.opened()) scene.cells = known_cells();
  return scene;
}

}  // namespace loom::app
