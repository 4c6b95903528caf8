// The Life workspace's part of the state report.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/workspaces/life/life_report.h"
#include "app/workspaces/life/life_workspace.h"

namespace loom::app {
namespace {

/// Larger fields are not counted when the state is reported: the report then has the last count.
constexpr std::uint64_t kCountedAtOnce = 1 << 22;

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
  if (run_.census_schedule.counted() &&
      run_.census_schedule.counted()->generation == async_engine->generation())
    census = run_.census_schedule.counted()->census;
  if (!census && run_.is_idle() && async_engine->cell_count() <= kCountedAtOnce)
    census = async_engine.engine().census();
  add_scene(json, {*run_.pane, settings_, census ? &*census : nullptr, code_.has_passed()});
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
  json["past_bytes"] = run_.history.cell_history().bytes();
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
  json["nothing_in_view"] = nothing_in_view();
  json["picture"] = numbers_of(run_.pane->area());
  json["legend"] = legend_.state();
  json["thread_path"] = thread_path_.share_to(ThreadPath::Stage::kByte);
  json["map_morph"] = nullptr;
  if (map_morph_.is_running()) json["map_morph"] = map_morph_.share();
  json["rule_field"] = numbers_of(basics_panel_.rule_field);
  json["rule_text"] = basics_panel_.rule_text;
  PictureMouse::Gesture gesture = run_.pane->mouse.gesture();
  for (const SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    if (one.pane && one.pane->mouse.gesture() != PictureMouse::Gesture::kNone)
      gesture = one.pane->mouse.gesture();
  }
  json["gesture"] = name_of(gesture);
  json["hovered_cell"] = nullptr;
  if (hovered_) json["hovered_cell"] = {hovered_->cell.x, hovered_->cell.y};
  json["caption"] = std::string_view(caption_);
  json["cursor"] = nullptr;
  if (const auto at = cursor_.shown()) json["cursor"] = {at->x, at->y};
  editor_.add_state(json);
  json["edit_bar"] = nlohmann::ordered_json::object();
  for (const auto& [name, place] : edit_bar_) json["edit_bar"][name] = numbers_of(place);
  json["edit_cells"] = settings_.edit_cells;
  json["measured_together"] = run_.maps.compare(run_.conditions(), config).benchmarked;
  json["show_thread"] = settings_.show_thread;
  json["colour_by"] = explain::name_of(settings_.colouring.by);
  json["colour_legend"] = nullptr;
  if (const explain::ColourLegend* const legend = run_.pane->legend())
    json["colour_legend"] = fmt::format("{}: {}", legend->title, legend->first);
  json["pinned"] = nullptr;
  if (settings_.pinned) json["pinned"] = {settings_.pinned->x, settings_.pinned->y};
  json["thread"] = explanation_.thread() ? explanation_.thread()->sentence : explanation_.problem();
  json["explained"] = thread_numbers(explanation_, run_.pane->space);
  json["save_figure"] = nullptr;
  if (save_figure_.is_open()) {
    json["save_figure"] = {{"file", save_figure_.file()},
                           {"saved", save_figure_.saved()},
                           {"problem", save_figure_.problem()},
                           {"places", nlohmann::ordered_json::object()}};
    for (const auto& [name, place] : save_figure_.areas()) {
      json["save_figure"]["places"][name] = numbers_of(place);
    }
  }
  json["edit_palette"] = numbers_of(view_panel_.palette.button);
  json["palette_editor"] = view_panel_.palette.state();
  json["square_points"] = settings_.square_points;
  json["draw"] = nullptr;
  if (draw_.is_open()) {
    const GeneratorDraft& draft = draw_.draft();
    json["draw"] = {{"name", draft.name},
                    {"s_x", draft.s_x},
                    {"s_y", draft.s_y},
                    {"offsets", nlohmann::ordered_json::array()},
                    {"levels", draft.levels()},
                    {"selected_level", draft.coarser.size()},
                    {"turned", draft.is_turned()},
                    {"problem", draw_.problem()},
                    {"told", draw_.file_message()},
                    {"browser", draw_.browser().is_open()},
                    {"file", draw_.browser().name()},
                    {"places", nlohmann::ordered_json::object()}};
    for (const Coord32& at : draft.offsets()) json["draw"]["offsets"].push_back({at.x, at.y});
    for (const auto& [name, place] : draw_.areas()) json["draw"]["places"][name] = numbers_of(place);
    for (const auto& [name, place] : draw_.browser().areas())
      json["draw"]["places"]["browser " + name] = numbers_of(place);
  }
  json["pane_method"] = nullptr;
  if (pane_headers_.method_of) {
    json["pane_method"] = {{"pane", *pane_headers_.method_of}, {"places", nlohmann::ordered_json::object()}};
    for (const auto& [name, place] : pane_headers_.method_areas) {
      json["pane_method"]["places"][name] = numbers_of(place);
    }
  }
  json["show_me"] = show_me_.state();
  code_.add_state(json["code"], settings_.show_code);
  add_code_counts(json["code"], code_.ran());
  json["memory_strips"] = memory_strips_json(strips_);
  json["panes_beside"] = nlohmann::ordered_json::array();
  for (const SecondaryPanes::SecondaryPane& one : run_.secondary_panes.all()) {
    nlohmann::ordered_json pane{
        {"shows", name_of(one.spec.shows)}, {"problem", one.problem}, {"in_step", one.in_sync}};
    const std::size_t nth = json["panes_beside"].size();
    pane["heading"] = std::string_view(pane_headers_.shown[nth]);
    pane["heading_cut"] = pane_headers_.cut[nth];
    if (one.in_sync) {
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

}  // namespace loom::app
