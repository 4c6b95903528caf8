#include <fmt/format.h>

#include "app/files/fractal_file.h"
#include "app/patterns/pattern_file.h"
#include "app/workspaces/life/document/part_text.h"
#include "app/workspaces/life/life_workspace.h"
#include "app/workspaces/life/panes/saved_field.h"
#include "app/workspaces/life/scene/life_setting_changes.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr const char* kFractalExtension = ".toml";

}  // namespace

scene::StatePtr LifeWorkspace::describe(bool exact_view) const {
  if (const auto& restored = edits_.restored()) {
    const LifeSettings& settings = restored->settings;
    auto state = std::make_shared<LifeState>(*restored);
    // If recomputing the remaining generations is too expensive to save the scene, save the start.
    if (!can_be_saved(state->cells, settings.config.fractal.cells(settings.config.level)))
      state->cells.generation = 0;
    return state;
  }
  auto state = std::make_shared<LifeState>(settings_, FieldCells{}, view());
  // The configuration of the existing cells, not of a field under construction.
  state->settings.config = async_engine()->config();
  state->settings.devices = static_cast<std::uint32_t>(async_engine()->backend().devices());
  if (exact_view) state->view = run_.pane->camera.view();
  return state;
}

void LifeWorkspace::request_data() {
  if (!edits_.restored()) run_.request_cells();
}

scene::StatePtr LifeWorkspace::with_data(scene::StatePtr described) {
  if (edits_.restored()) return described;
  auto cells = run_.take_cells();
  if (!cells) return nullptr;
  auto state = std::make_shared<LifeState>(dynamic_cast<const LifeState&>(*described));
  state->cells = std::move(*cells);
  return state;
}

scene::StatePtr LifeWorkspace::complete_state() {
  if (edits_.restored()) return describe();
  const LifeSettings selected = settings_;
  cancel();
  finish();
  auto state = std::make_shared<LifeState>(dynamic_cast<const LifeState&>(*describe()));
  const FractalConfig& runs = state->settings.config;
  if (selected.config.fractal != runs.fractal || selected.config.level != runs.level) {
    state->settings = selected;  // the new field was not complete; it starts from its initial cells
    state->cells = {.start = selected.start};
  } else if (async_engine()->cell_count() > kMaxCellsSaved) {
    state->cells = known_cells();
  } else {
    const auto recomputable = cell_history().recomputable();
    state->cells = copy_cells(async_engine().engine(), recomputable ? &*recomputable : nullptr);
  }
  return state;
}

FieldCells LifeWorkspace::known_cells() const {
  const auto recomputable = cell_history().recomputable();
  if (recomputable && is_cheap_to_recompute(recomputable->generation, async_engine()->cell_count()))
    return *recomputable;
  const auto kept = cell_history().newest_snapshot();
  if (kept && kept->bits) return {.generation = kept->generation, .bits = kept->bits};
  return {.start = settings_.start};
}

scene::StatePtr LifeWorkspace::state_without_engine() const {
  if (edits_.restored()) return describe();
  auto state = std::make_shared<LifeState>(dynamic_cast<const LifeState&>(*describe()));
  state->cells = known_cells();
  return state;
}

scene::StatePtr LifeWorkspace::quick_state() const {
  const auto field = save_field(*run_.pane);
  if (!field) return std::make_shared<LifeState>(settings_, FieldCells{.start = settings_.start}, view());
  return std::make_shared<LifeState>(settings_, field->cells, field->view);
}

scene::Json LifeWorkspace::place() const {
  const FractalConfig& config = async_engine()->config();
  return to_json(LifePlace{config.fractal, config.level, view()});
}

std::string LifeWorkspace::place_name() const {
  const FractalConfig& config = async_engine()->config();
  return loom::app::describe(LifePlace{config.fractal, config.level, view()});
}

void LifeWorkspace::go_to_place(const scene::Json& json) {
  request([place = read_life_place(JsonReader(json, "place"))](LifeEdit& edit) {
    FractalConfig& config = edit.settings.config;
    if (config.fractal == place.fractal && config.level == place.level) {
      edit.commands.look_at = place.view;
      return;
    }
    if (config.fractal != place.fractal) set_fractal(config, place.fractal);
    set_level(config, place.level);
    // A new field starts from its initial cells; the view is applied when it runs.
    edit.commands.put_back =
        std::make_shared<const SavedField>(SavedField{.fractal = place.fractal,
                                                      .level = place.level,
                                                      .cells = {.start = edit.settings.start},
                                                      .view = place.view});
  });
}

std::string LifeWorkspace::coordinates(bool) const {
  return text_of(part());
}

const CoordinateLabels& LifeWorkspace::coordinate_labels() const {
  static constexpr CoordinateLabels kLabels = {
      .label = "x, y, x2, y2",
      .hint = "Visible region of the square, in points. Enter goes there",
      .paste_hint = "Pastes x, y, x2, y2"};
  return kLabels;
}

std::string LifeWorkspace::go_to_coordinates(const std::string& text) {
  const render::Rect<double> part = parse_part(text);
  const FractalConfig& config = async_engine()->config();
  const glm::dvec2 field(config.fractal.width(config.level), config.fractal.height(config.level));
  if (part.corner.x >= field.x || part.corner.y >= field.y || part.end().x <= 0 || part.end().y <= 0)
    throw InputError(
        fmt::format("the region is outside the square of {:.0f} x {:.0f} points", field.x, field.y));
  request([view = view_of_part(part, field)](LifeEdit& edit) { edit.commands.look_at = view; });
  return {};
}

bool LifeWorkspace::opens(const std::filesystem::path& file) const {
  return patterns::is_pattern_file(file) || file.extension() == kFractalExtension ||
         file.extension() == MapCodePanel::kExtension;
}

void LifeWorkspace::open_file(const std::filesystem::path& file) {
  if (patterns::is_pattern_file(file)) return editor_.open(file);
  if (file.extension() == MapCodePanel::kExtension) {
    request([this, code = MapCodePanel::read_code(file), name = file.filename().string()](LifeEdit& edit) {
      code_.open_code(code, name, edit.settings);
      edit.commands.focus_code = true;
    });
    return;
  }
  request([fractal = read_fractal_file(file)](LifeEdit& edit) { use(fractal, edit); });
}

}  // namespace loom::app
