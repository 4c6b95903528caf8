#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/exercises/exercise.h"
#include "app/explain/memory.h"
#include "app/files/fractal_file.h"
#include "app/workspaces/life/life_workspace.h"
#include "app/workspaces/life/panes/panes.h"
#include "app/workspaces/life/picture/life_picture.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/core/error.h"

// The Life workspace's part of the state report.
// Collects the information for the Life workspace's panels.

namespace loom::app {
namespace {

/// Larger fields are not counted when the state is reported: the report then has the last count.
constexpr std::uint64_t kCountedAtOnce = 1 << 22;
/// The largest field that is read at once; reading a larger one would block the window.
constexpr std::uint64_t kMaxQuickCells = 1 << 24;

nlohmann::ordered_json devices_json(const Pane* pane) {
  if (pane == nullptr || !pane->devices) return nullptr;
  const DeviceTimeline& times = pane->devices->times;
  nlohmann::ordered_json json{
      {"problem", pane->devices->problem},      {"clock", times.clock},
      {"milliseconds", times.milliseconds},     {"plain_milliseconds", times.plain_milliseconds},
      {"exact_to_ns", times.clock_uncertainty}, {"devices", nlohmann::ordered_json::array()}};
  for (std::size_t i = 0; i < times.devices.size(); ++i) {
    const DeviceTimeBreakdown share = time_breakdown(times, i);
    json["devices"].push_back({{"name", times.devices[i].name},
                               {"step_ns", share.step},
                               {"exchange_ns", share.exchange},
                               {"not_hidden_ns", share.shown},
                               {"wait_ns", share.wait}});
  }
  return json;
}

nlohmann::ordered_json memory_strips_json(const MemoryStrips& strips) {
  auto json = nlohmann::ordered_json::array();
  for (std::size_t pane = 0; pane < kMaxPanes; ++pane) {
    const explain::MemoryStrip* const strip = strips.strip(pane);
    if (strip == nullptr) continue;
    const MemoryStrips::Drawn& drawn = strips.drawn(pane);
    nlohmann::ordered_json one{{"map", name_of(strip->config().method.map)},
                               {"bytes", strip->bytes().value_or(0)},
                               {"place", numbers_of(drawn.area)},
                               {"marked_x", nullptr},
                               {"byte", nullptr},
                               {"thread", nullptr}};
    if (drawn.marked_x) one["marked_x"] = *drawn.marked_x;
    if (drawn.place) one["byte"] = drawn.place->byte;
    if (drawn.place && drawn.place->thread) one["thread"] = *drawn.place->thread;
    json.push_back(std::move(one));
  }
  return json;
}

}  // namespace

void LifeWorkspace::add_state(nlohmann::ordered_json& json) {
  const AsyncEngine<LifeEngine>& async_engine = run_.pane->async_engine;
  const FractalConfig& config = async_engine->config();
  std::optional<Census> census;
  const auto& counted = run_.pane->census.counted();
  if (counted && counted->generation == async_engine->generation()) census = counted->census;
  if (!census && run_.is_idle() && async_engine->cell_count() <= kCountedAtOnce)
    census = async_engine.engine().census();
  add_scene(json, {*run_.pane, settings_, census ? &*census : nullptr, code_.has_passed()});
  if (!run_.problem().empty())
    json["problem"] = {{"text", run_.problem()}, {"select", numbers_of(basics_panel_.running)}};
  json["backend_reason"] = async_engine->backend().reason;
  json["device"] = async_engine->backend_name();
  json["devices"] = async_engine->backend().devices();
  json["devices_there"] = services_.devices.size();
  json["method_details"] = {{"open", method_panel_.open}, {"place", numbers_of(method_panel_.header)}};
  json["device_choices"] = nlohmann::ordered_json::array();
  for (const DeviceCountOption& one : method_panel_.devices)
    json["device_choices"].push_back(
        {{"devices", one.count}, {"problem", one.problem}, {"place", numbers_of(one.place)}});
  json["devices_recorded"] = devices_json(pane_with_devices(*run_.pane, run_.secondary_panes));
  json["record_devices"] = numbers_of(devices_panel_.again);
  json["picture_path"] = run_.pane->presenter.path();
  json["reduction"] = name_of(settings_.reduction);
  json["sum"] = nullptr;
  if (settings_.workload == Workload::kReduction && run_.pane->last_step())
    json["sum"] = run_.pane->last_step()->sum;
  json["generations_per_frame"] = settings_.generations_per_frame;
  json["ms_per_generation"] = settings_.ms_per_generation;
  json["past_bytes"] = run_.history.bytes();
  json["hash"] = nullptr;
  if (census) json["hash"] = fmt::format("{:016x}", census->hash);
  json["show_ages"] = settings_.show_ages;
  json["ages_hidden"] = ages_hidden_reason();
  json["repeats"] = nullptr;
  if (const auto cycle = run_.cycle_detector.cycle()) {
    json["repeats"] = {{"period", cycle->period},
                       {"since", cycle->since},
                       {"or_before", cycle->may_start_earlier},
                       {"divides", cycle->period_divides}};
  }
  const glm::dvec2 cells_per_pixel = run_.pane->camera.cells_per_pixel();
  const glm::dvec2 origin = run_.pane->camera.field_at({0, 0});
  json["cells_per_pixel"] = {cells_per_pixel.x, cells_per_pixel.y};
  json["view_origin"] = {origin.x, origin.y};
  json["zooming"] = run_.pane->mouse.is_zooming();
  json["nothing_in_view"] = nothing_in_view();
  json["picture"] = numbers_of(run_.pane->area());
  json["legend"] = legend_.state();
  json["thread_path"] = thread_path_.share_to(ThreadPath::Stage::kByte);
  json["map_morph"] = nullptr;
  if (map_morph_.is_running()) json["map_morph"] = map_morph_.share();
  json["rule_field"] = numbers_of(basics_panel_.rule_field);
  json["rule_text"] = basics_panel_.rule.text;
  json["rule_sliders"] = numbers_of(basics_panel_.sliders);
  auto gesture = PictureMouse::Gesture::kNone;
  run_.for_each_pane([&](const Pane& one) {
    if (one.mouse.gesture() != PictureMouse::Gesture::kNone) gesture = one.mouse.gesture();
  });
  json["gesture"] = name_of(gesture);
  json["hovered_cell"] = nullptr;
  if (hovered_) json["hovered_cell"] = {hovered_->cell.x, hovered_->cell.y};
  json["caption"] = std::string_view(caption_);
  json["cursor"] = nullptr;
  if (const auto at = cursor_.shown()) json["cursor"] = {at->x, at->y};
  editor_.add_state(json);
  json["patterns"] = pattern_commands_.state();
  json["edit_bar"] = numbers_of(edit_bar_);
  json["edit_cells"] = settings_.edit_cells;
  json["measured_together"] = run_.maps.compare(run_.conditions(), config).benchmarked;
  json["verdict"] = scoreboard_verdict(stats(), run_.secondary_panes);
  json["show_thread"] = settings_.show_thread;
  json["colour_by"] = explain::name_of(settings_.colouring.by);
  json["colour_legend"] = nullptr;
  if (const explain::ColourLegend* const legend = run_.pane->legend())
    json["colour_legend"] = fmt::format("{}: {}", legend->title, legend->first);
  json["pinned"] = nullptr;
  if (settings_.pinned) json["pinned"] = {settings_.pinned->x, settings_.pinned->y};
  json["thread"] = explanation_.thread() ? explanation_.thread()->sentence : explanation_.problem();
  json["thread_fields"] = nlohmann::ordered_json::object();
  for (const auto& [name, field] :
       {std::pair("thread", &thread_panel_.thread), {"cell", &thread_panel_.cell}})
    json["thread_fields"][name] = {
        {"text", field->text}, {"problem", field->problem}, {"place", numbers_of(field->area)}};
  json["explained"] = thread_numbers(explanation_, run_.pane->space);
  json["save_figure"] = nullptr;
  if (save_figure_.is_open()) {
    json["save_figure"] = {{"file", save_figure_.file()},
                           {"saved", save_figure_.saved()},
                           {"problem", save_figure_.problem()},
                           {"places", numbers_of(save_figure_.areas())}};
  }
  json["edit_palette"] = numbers_of(view_panel_.palette.button);
  json["palette_editor"] = view_panel_.palette.state();
  json["square_points"] = settings_.square_points;
  json["draw"] = draw_.state();
  if (draw_.is_open()) {
    const GeneratorDraft& draft = draw_.draft();
    nlohmann::ordered_json own{{"s_x", draft.s_x},
                               {"s_y", draft.s_y},
                               {"offsets", nlohmann::ordered_json::array()},
                               {"levels", draft.levels()},
                               {"selected_level", draft.coarser.size()},
                               {"turned", draft.is_turned()}};
    for (const Coord32& at : draft.offsets()) own["offsets"].push_back({at.x, at.y});
    json["draw"].update(own);
  }
  json["pane_method"] = nullptr;
  if (pane_headers_.method_of) {
    json["pane_method"] = {{"pane", *pane_headers_.method_of},
                           {"places", numbers_of(pane_headers_.method_areas)}};
  }
  json["show_me"] = show_me_.state();
  code_.add_state(json["code"], settings_.show_code);
  add_code_counts(json["code"], code_.ran());
  json["memory_strips"] = memory_strips_json(strips_);
  json["panes_beside"] = nlohmann::ordered_json::array();
  for (const SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    nlohmann::ordered_json pane{{"shows", name_of(one.spec.shows)},
                                {"problem", one.problem},
                                {"in_step", one.has(async_engine->cells())}};
    const std::size_t nth = json["panes_beside"].size();
    pane["heading"] = std::string_view(pane_headers_.shown[nth]);
    pane["heading_cut"] = pane_headers_.cut[nth];
    if (one.runs()) {
      add_pane(pane, *one.pane);
      pane["explained"] = thread_numbers(one.explanation, one.pane->space);
      pane["devices"] = one.pane->async_engine->backend().devices();
      pane["picture"] = numbers_of(one.pane->area());
    }
    if (one.content) one.content->add_state(pane, explanation_);
    add_agreement(pane, one.agreement);
    json["panes_beside"].push_back(std::move(pane));
  }
}

namespace {

// If only secondary panes distribute their cells, only they have colours by device.
const explain::ColourLegend* secondary_legend(const Pane& scene, const SecondaryPanes& secondary_panes) {
  if (scene.legend() != nullptr) return nullptr;
  for (const SecondaryPanes::SecondaryPane& one : secondary_panes.all()) {
    if (one.runs() && one.pane->legend() != nullptr) return one.pane->legend();
  }
  return nullptr;
}

}  // namespace

// A recording is valid only for the recorded method.
explain::Colouring LifeWorkspace::colouring() const {
  explain::Colouring by = settings_.colouring;
  by.workers = run_.secondary_panes.workers(
      {run_.pane->async_engine->config(), run_.pane->async_engine->backend_name()});
  if (by.by == explain::ColourBy::kWorker && !by.workers) by.by = explain::ColourBy::kState;
  return by;
}

// Resets colours by worker without a recording, unless a requested recording is still to come.
void LifeWorkspace::check_colouring() {
  explain::Colouring& chosen = edit_->settings.colouring;
  chosen.workers = run_.secondary_panes.workers(
      {run_.pane->async_engine->config(), run_.pane->async_engine->backend_name()});
  const auto& panes = edit_->settings.secondary_panes;
  const bool first_frame = run_.secondary_panes.all().empty();
  const bool comes = run_.secondary_panes.needs_timeline() ||
                     (first_frame && std::ranges::any_of(panes, [](const PaneSpec& spec) {
                        return spec.shows == PaneContent::kTimeline;
                      }));
  if (chosen.by != explain::ColourBy::kWorker || chosen.workers || comes) return;
  chosen.by = explain::ColourBy::kState;
  message_ = Message::warning(
      "Colour by is reset to state: the captured launch used another method. Press Q to capture this one");
}

std::string_view LifeWorkspace::tiles_hidden_reason() const {
  if (!explain::has_tiles(run_.pane->async_engine->config())) return "bit-packed cells have no tiles";
  if (!settings_.tile_grid) return "G shows the tiles";
  return tile_side(run_.pane->view(), run_.pane->space) < kMinGridSpacing ? kTilesTooSmall
                                                                          : std::string_view();
}

bool LifeWorkspace::ages_shown() const {
  return settings_.show_ages && run_.pane->async_engine->cell_count() <= CellAges::kMaxCells &&
         cell_side(run_.pane->view()) >= kMinAgeCellSide;
}

std::string_view LifeWorkspace::ages_hidden_reason() const {
  if (!settings_.show_ages) return {};
  if (run_.pane->async_engine->cell_count() > CellAges::kMaxCells)
    return "Not shown at this level: ages are kept for at most 32 768 cells";
  if (cell_side(run_.pane->view()) < kMinAgeCellSide)
    return "Not shown at this zoom: a cell is smaller than 2 pixels";
  if (run_.ages.stride() > 1)
    return "Several generations per frame: cells born and dead within a frame are not shown";
  return {};
}

LifeStats LifeWorkspace::stats() const {
  const AsyncEngine<LifeEngine>& async_engine = run_.pane->async_engine;
  const glm::dvec2 cells_per_pixel = run_.pane->camera.cells_per_pixel();
  return {.config = async_engine->config(),
          .backend = async_engine->backend(),
          .devices = services_.devices,
          .cuda = services_.cuda,
          .backend_name = async_engine->backend_name(),
          .space = run_.pane->space,
          .times = services_.times,
          .generation = run_.pane->generation_stats(),
          .steps_in_background = async_engine.in_background(),
          .comparison = run_.maps.compare(run_.conditions(), async_engine->config()),
          .measuring = run_.maps.progress(),
          .work = settings_.work(),
          .generations_per_frame = settings_.generations_per_frame,
          .step = run_.pane->last_step(),
          .threads = run_.pane->threads,
          .census = run_.pane->census.counted(),
          .cycle_detector = &run_.cycle_detector,
          .generations = async_engine->generation(),
          .cells = async_engine->cell_count(),
          .history_bytes = run_.history.bytes(),
          .history_budget = run_.history.budget(),
          .allocated_bytes = async_engine->allocated_bytes(),
          .largest_level = run_.pane->largest_level(),
          .problem = run_.problem(),
          .on_other_device = services_.backend.device != async_engine->backend().device,
          .wrong = run_.pane->wrong(),
          .in_bits = run_.pane->in_bits(),
          .colours = run_.pane->legend(),
          .secondary_colours = secondary_legend(*run_.pane, run_.secondary_panes),
          .stretched = cells_per_pixel.x / cells_per_pixel.y,
          .ages_hidden_reason = ages_hidden_reason(),
          .ages_shown = ages_shown(),
          .tiles_hidden_reason = tiles_hidden_reason(),
          .frames_per_second = services_.rate.frames_per_second()};
}

// A restored state that is not shown yet is the current one.
std::shared_ptr<LifeState> LifeWorkspace::described() const {
  if (const auto& restored = edits_.restored()) {
    const LifeSettings& settings = restored->settings;
    auto state = std::make_shared<LifeState>(*restored);
    // If recomputing the remaining generations is too expensive to save the scene, save the bits or the
    // start.
    if (!can_be_saved(state->cells, settings.config.fractal.cells(settings.config.level)))
      state->cells =
          state->bits ? CellSource(state->bits, state->cells.generation()) : CellSource(state->cells.start());
    return state;
  }
  auto state = std::make_shared<LifeState>(settings_, CellSource(settings_.start), view());
  // The configuration of the existing cells, not of a field under construction.
  state->settings.config = async_engine()->config();
  state->settings.devices = static_cast<std::uint32_t>(async_engine()->backend().devices());
  return state;
}

scene::StatePtr LifeWorkspace::state(StateNeed need) {
  if (need == StateNeed::kQuick) {
    if (edits_.restored()) return edits_.restored();
    auto state = std::make_shared<LifeState>(settings_, CellSource(settings_.start), view());
    if (const auto pending = run_.pending_cells()) {
      state->cells = pending->cells;
      state->bits = pending->bits;
    } else if (async_engine()->cell_count() <= kMaxQuickCells &&
               is_same_field(async_engine()->config(), settings_.config)) {
      run_.interrupt();
      state->cells = stored_cells(async_engine().engine());
      if (const CellSource& now = async_engine()->cells(); now.is_plain()) {
        state->bits = state->cells.bits();
        state->cells = now;
      }
    }
    return state;
  }
  const bool adds_cells = !edits_.restored();
  const LifeSettings selected = settings_;
  const bool may_run = run_.problem().empty();  // the selected one
  if (need == StateNeed::kComplete && adds_cells) {
    cancel();
    finish();
  }
  auto state = described();
  if (!adds_cells) return state;
  if (need == StateNeed::kExactView) state->view = run_.pane->camera.view();
  if (need == StateNeed::kWithoutEngine) state->cells = known_cells();
  if (need != StateNeed::kComplete) return state;
  const FractalConfig& runs = state->settings.config;
  if (may_run && !is_same_field(selected.config, runs)) {
    state->settings = selected;  // the new field was not complete; it starts from its initial cells
    state->cells = CellSource(selected.start);
  } else if (async_engine()->cell_count() > kMaxCellsSaved) {
    state->cells = known_cells();
  } else {
    state->cells = saved_cells(async_engine().engine(), cells());
  }
  return state;
}

void LifeWorkspace::request_data() {
  if (!edits_.restored()) run_.request_cells();
}

StateCopy LifeWorkspace::with_data(scene::StatePtr described, bool is_hidden) {
  if (is_hidden) run_.advance_hidden();
  if (edits_.restored()) return {std::move(described)};
  auto cells = run_.take_cells();
  if (!cells) return {.cancelled = !run_.cells_requested()};
  auto state = std::make_shared<LifeState>(dynamic_cast<const LifeState&>(*described));
  state->cells = std::move(*cells);
  return {std::move(state)};
}

CellSource LifeWorkspace::known_cells() const {
  const CellSource& now = cells();
  if (now.is_plain() && is_cheap_to_recompute(now.generation(), async_engine()->cell_count())) return now;
  if (const CellSnapshot* const near = run_.history.nearest(now))
    return {near->bits, near->cells.generation()};
  return now.bits() ? now.beginning() : CellSource(settings_.start);
}

Place LifeWorkspace::place() const {
  const FractalConfig& config = async_engine()->config();
  const LifePlace place{config.fractal, config.level, view()};
  const std::string text = text_of(part());
  return {to_json(place), loom::app::describe(place), text, text};
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
    edit.commands.restore =
        std::make_shared<const LifeState>(edit.settings, CellSource(edit.settings.start), place.view);
  });
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

bool LifeWorkspace::open_file(const std::filesystem::path& file, FileKind kind) {
  if (kind == FileKind::kPattern) {
    editor_.open(file);
  } else if (kind == FileKind::kMapCode) {
    request([this, code = MapCodePanel::read_code(file), name = file.filename().string()](LifeEdit& edit) {
      code_.open_code(code, name, edit.settings);
      edit.commands.focus_code = true;
    });
  } else if (kind == FileKind::kExercise) {
    find_exercise(file.string());  // throws what is wrong with it
    request([file](LifeEdit& edit) {
      edit.settings.map_code = std::make_shared<const MapCode>(MapCode{{}, file.string()});
      edit.settings.show_code = true;
    });
  } else if (kind == FileKind::kFractal) {
    request([fractal = read_fractal_file(file)](LifeEdit& edit) { use(fractal, edit); });
  } else {
    return false;
  }
  return true;
}

}  // namespace loom::app
