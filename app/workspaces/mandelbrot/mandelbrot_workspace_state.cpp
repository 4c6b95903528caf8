#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "app/files/output_file.h"
#include "app/gui/input_queue.h"
#include "app/settings/field_json.h"
#include "app/workspaces/mandelbrot/document/view_text.h"
#include "app/workspaces/mandelbrot/mandelbrot_workspace.h"
#include "app/workspaces/mandelbrot/panes/method_comparison.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

// The state report of the Mandelbrot workspace.
// Data of the Mandelbrot workspace for its panels and the status line.

namespace loom::app {
namespace {

nlohmann::ordered_json timeline_state(bool shown, const TimelineStrip& strip, const DwellRunner& runner,
                                      bool to_record) {
  if (!shown) return nullptr;
  const TimelineView& view = strip.view();
  nlohmann::ordered_json json{{"recorded", view.recorded()}, {"problem", view.problem()}};
  json["recording"] = to_record || runner.recording();
  json["method"] = nullptr;
  if (view.recorded()) json["method"] = name_of(runner.recorded()->request.config.method);
  json["button"] = numbers_of(view.button());
  json["lanes"] = numbers_of(view.lanes());
  json["mouse"] = nullptr;
  if (view.mouse()) json["mouse"] = {view.mouse()->x, view.mouse()->y};
  json["level"] = nullptr;
  if (strip.level()) json["level"] = *strip.level();
  return json;
}

}  // namespace

void MandelbrotWorkspace::add_state(nlohmann::ordered_json& json) {
  nlohmann::ordered_json own;
  own["view"] = {view().centre.x, view().centre.y, view().width};
  const ViewDigits digits = shown_digits_of(decimal_of(view()));
  own["center_re"] = digits.re;
  own["center_im"] = digits.im;
  own["width"] = digits.width;
  own["angle"] = view().angle;
  own["picture"] = numbers_of(area_);
  own["fitted"] = history_.fitted();
  own["nothing_in_view"] = !nothing_to_see().empty();
  own["nothing_button"] = numbers_of(nothing_button_);
  own["legend"] = legend_.state();
  own["volume"] = {{"shown", settings_.volume.shown}};
  add_fields(own["volume"], volume_fields(), settings_.volume);
  volume_.add_state(own["volume"]);
  own["views_behind"] = history_.views_behind();
  own["views_ahead"] = history_.views_ahead();
  add_fields(own, mandelbrot_config_fields(), settings_.config, &FieldInfo::in_scene);
  if (settings_.volume.shown) {
    const CostCut cut = settings_.cut();
    own["g"] = cut.g;
    own["r"] = cut.r;
    own["b"] = cut.b;
    own["dwell_limit"] = settings_.volume.config.dwell_limit;
    own["formula"] = name_of(settings_.volume.config.set);
  }
  add_fields(own, dwell_colour_fields(), settings_);
  own["automatic"] = automatic();
  own["place_fields"] = nlohmann::ordered_json::array();
  for (const Area& area : panel_.place.areas) own["place_fields"].push_back(numbers_of(area));
  own["place_problem"] = panel_.place.problem;
  own["precision_choice"] = numbers_of(panel_.precision);
  own["dwell_by_depth"] = settings_.dwell_by_depth;
  own["autopilot"] = autopilot_.running();
  own["searching_minibrot"] = minibrot_.running();
  own["searching"] = plan_.searching();
  own["method_details"] = {{"open", panel_.method_open}, {"place", numbers_of(panel_.method_header)}};
  own["palette"] = settings_.palette;
  const render::Rect<int> inset = julia_inset();
  own["inset"] =
      numbers_of(Area{area_.corner + glm::vec2(inset.corner) / scale_, glm::vec2(inset.size) / scale_});
  own["inset_point"] = {julia_point_.re, julia_point_.im};
  own["tour_plays"] = tour_plays_;
  own["julia_pinned"] = julia_pinned_;
  own["formula_choice"] = numbers_of(panel_.formula);
  own["formula_rows"] = nlohmann::ordered_json::array();
  for (const Area& area : panel_.formulas) own["formula_rows"].push_back(numbers_of(area));
  formula_.add_state(own["formula_editor"]);
  own["formula_editor"]["shown"] = settings_.show_formula;
  own["points_shown"] = pane_.sampler().samples_per_axis();
  own["edit_palette"] = numbers_of(palette_editor_.button);
  own["palette_editor"] = palette_editor_.state();
  own["regions"] = name_of(settings_.overlay);
  own["compare"] = settings_.compare;
  own["cursor"] = nullptr;
  if (const auto at = key_cursor_.shown()) own["cursor"] = {at->x, at->y};
  own["hovered"] = nullptr;
  if (const auto& hovered = cursor_.hovered(); hovered && hovered->dwell)
    own["hovered"] = {{"pixel", {hovered->pixel.x, hovered->pixel.y}}, {"dwell", *hovered->dwell}};
  own["measure"] = settings_.measure;
  own["devices"] = pane_.runner().backend().devices();
  own["devices_there"] = services_.devices.size();
  own["device_choices"] = nlohmann::ordered_json::array();
  for (const DeviceCountOption& one : panel_.devices) {
    own["device_choices"].push_back(
        {{"devices", one.count}, {"problem", one.problem}, {"place", numbers_of(one.place)}});
  }
  own["parts"] = nlohmann::ordered_json::array();
  for (const DwellPartition& part : pane_.runner().parts()) {
    std::uint64_t rows = 0;
    for (const RowRange& range : part.rows) rows += range.count();
    own["parts"].push_back({{"begin_ms", part.time.begin},
                            {"end_ms", part.time.end},
                            {"ms", part.time.milliseconds},
                            {"rows", rows},
                            {"stretches", part.rows.size()}});
  }
  own["divisor"] = pane_.runner().has_picture() ? pane_.runner().divisor() : 0;
  add_comparison_state(own);
  own["left_behind"] = is_outdated();
  own["image"] = {pane_.runner().image_size().x, pane_.runner().image_size().y};
  own["different"] = nullptr;
  if (const auto& check = pane_.runner().checked()) own["different"] = check->differences.count;
  own["timeline"] = timeline_state(settings_.show_timeline, timeline_, pane_.runner(), recording_requested_);
  own["zooming"] = mouse_.is_zooming();
  own["dragging"] = mouse_.gesture() != MandelbrotMouse::Gesture::kNone;
  measure_divergence();
  add_report(own, stats());
  own["minibrot_period"] = own["minibrot_size"] = nullptr;
  if (const auto& minibrot = stats().minibrot) {
    own["minibrot_period"] = minibrot->period;
    own["minibrot_size"] = minibrot->size;
  }
  json["mandelbrot"] = std::move(own);
}

MandelbrotStats MandelbrotWorkspace::stats() const {
  const MandelbrotConfig& config = edit_ ? edit_->settings.config : settings_.config;
  const Precision evaluator = evaluator_of(config.precision, view(), picture_, config.set);
  const VolumePane* const volume = in_space() ? volume_.active() : nullptr;
  MandelbrotStats now{.backend = services_.backend,
                      .cuda = services_.cuda,
                      .devices = services_.devices.size(),
                      .parts = pane_.runner().parts(),
                      .backend_name = pane_.runner().backend_name(),
                      .frames = services_.times,
                      .view = view(),
                      .picture = picture_,
                      .evaluator = evaluator,
                      .gauge = precision_gauge(view(), picture_, evaluator),
                      .views_behind = history_.views_behind(),
                      .views_ahead = history_.views_ahead(),
                      .tour = built_in_tour(),
                      .tour_index = tour_index_ && view() == tour_view_ ? tour_index_ : std::nullopt,
                      .has_picture = pane_.runner().has_picture(),
                      .pictured = pane_.displayed().has_value(),
                      .is_outdated = is_outdated(),
                      .divisor = pane_.runner().divisor(),
                      .samples_per_axis = pane_.sampler().samples_per_axis(),
                      .expected_ms = pane_.runner().expected_ms(picture_),
                      .report = volume != nullptr ? volume->report() : pane_.runner().report(),
                      .times = pane_.runner().times(),
                      .automatic = automatic(),
                      .searching = plan_.searching(),
                      .found = automatic() ? plan_.result_for(tuning_problem()) : nullptr,
                      .exhaustive_ms = pane_.runner().exhaustive_ms(),
                      .check = pane_.runner().checked(),
                      .regions = pane_.runner().regions(),
                      .levels = 0,
                      .shown_level = levels_.shown(),
                      .levels_play = levels_.playing(),
                      .smooth_ms = pane_.runner().smooth_ms(),
                      .histogram_ms = pane_.runner().histogram_ms(),
                      .hovered = cursor_.hovered(),
                      .exterior = 0,
                      .frames_per_second = services_.rate.frames_per_second()};
  now.in_space = in_space();
  const CostCut cut = settings_.cut();
  if (now.in_space) {
    now.volume = volume;
    now.may_refine = volume_.may_refine();
    now.views_behind = volume_.views_behind();
    now.times = {};
    now.exhaustive_ms = volume_.scores().front().milliseconds;
    if (!now.exhaustive_ms && volume != nullptr) now.exhaustive_ms = volume->exhaustive_ms();
    if (now.report) now.times = {now.report->milliseconds, now.report->milliseconds, 1};
  }
  if (!now.exhaustive_ms && comparison_)
    now.exhaustive_ms = comparison_->exhaustive_ms(pane_.runner().request());
  now.autopilot = autopilot_.running();
  now.searching_minibrot = minibrot_.running();
  now.tour_plays = tour_plays_;
  if (julia_pinned_) now.pinned = julia_point_;
  if (const auto& found = minibrot_.found(); found && found->view == view()) now.minibrot = &*found;
  if (now.report) now.levels = static_cast<int>(now.report->levels.size());
  const DwellHistogram& histogram = pane_.runner().histogram().counts;
  if (!histogram.empty()) now.counted_limit = pane_.runner().histogram().scale.limit;
  for (std::size_t dwell = 0; dwell + 1 < histogram.size(); ++dwell) now.exterior += histogram[dwell];
  if (divergence_.counts()) now.divergence = &*divergence_.counts();
  if (settings_.show_model && now.in_space) {
    // The landscape of the plane is measured, that of the cube only predicted.
    MandelbrotConfig ran{.dwell_limit = settings_.volume.config.dwell_limit};
    std::tie(ran.g, ran.r, ran.b) = std::tuple(cut.g, cut.r, cut.b);
    model_.add_to(now, ran, landscape_, landscape_of_);
    now.landscape_measured = {};
    now.landscape_runs = now.landscape_stale = false;
  } else if (settings_.show_model) {
    model_.add_to(now, pane_.runner().request().config, landscape_, landscape_of_);
  }
  return now;
}

bool MandelbrotWorkspace::is_outdated() const {
  return pane_.displayed() && pane_.runner().is_abandoned() && !pane_.runner().busy() &&
         !pane_.has_new_picture();
}

WorkspaceStatus MandelbrotWorkspace::status() const {
  const int samples = samples_in_file(settings_.samples_per_axis);
  if (in_space()) {
    const VolumePane* const volume = volume_.active();
    return {.backend = services_.backend,
            .backend_name = volume != nullptr ? volume->backend_name() : std::string_view(),
            .picture_path = volume != nullptr ? volume->picture().path() : std::string_view(),
            .progress = volume_.progress(),
            .is_animating = formula_.is_animating() || volume_.is_pending() || volume_.is_moving(),
            .has_secondary_panes = settings_.compare,
            .pixel_ms = volume_.pixel_ms()};
  }
  Progress progress = pane_.runner().progress();
  if (landscape_.running()) {
    progress = {"measuring the landscape", static_cast<double>(landscape_.done()) / kLandscapeCells};
  }
  if (minibrot_.running()) progress = {"finding the nearest minibrot", minibrot_.share()};
  if (progress.what.empty() && comparison_) progress = comparison_->progress();
  if (progress.what.empty() && pane_.is_sampling())
    progress = {"computing more samples per pixel", pane_.sampler().share()};
  return {.backend = backend_,
          .backend_name = pane_.runner().backend_name(),
          .picture_path = pane_.presenter().path(),
          .progress = std::move(progress),
          .is_animating = formula_.is_animating() || settings_.measure || levels_.playing() ||
                          plan_.searching() || minibrot_.running() || autopilot_.running() ||
                          comparison_pending_ || tour_plays_,
          .has_secondary_panes = settings_.compare,
          .pixel_ms = pane_.runner().expected_ms({1, 1}).value_or(0) * samples * samples};
}

scene::StatePtr MandelbrotWorkspace::state(StateNeed need) {
  if (edits_.restored()) return edits_.restored();
  const bool exact = need == StateNeed::kExactView && !area_.empty();
  auto state = std::make_shared<MandelbrotState>(settings_, exact ? std::optional(view()) : chosen_view());
  state->settings.volume.camera = volume_.camera();
  if (need == StateNeed::kQuick) state->history = std::make_shared<const ViewHistory>(history_);
  return state;
}

Place MandelbrotWorkspace::place() const {
  if (settings_.volume.shown) {
    VolumeSettings seen = settings_.volume;
    seen.camera = volume_.camera();
    const scene::Json json = volume_json(seen);
    const std::string text = json.dump();
    return {{{"volume", json}}, volume_text(settings_.volume), text, text};
  }
  const auto limit = settings_.dwell_by_depth ? std::nullopt : std::optional(settings_.config.dwell_limit);
  const EscapeTimeSet& set = settings_.config.set;
  return {to_json(MandelbrotPlace{.view = view(), .dwell_limit = limit, .set = set}),
          fmt::format("{}{:.6g} {:+.6g}i, width {}{}", set.is_mandelbrot() ? "" : to_string(set) + ", ",
                      view().centre.x, view().centre.y, shortened_decimal(decimal_of(view()).width, 3),
                      angle_text(view())),
          text_of(view()), shown_text_of(view())};
}

void MandelbrotWorkspace::look_at(const ViewRequest& view, std::optional<std::uint32_t> dwell_limit,
                                  const std::optional<EscapeTimeSet>& set) {
  request([=](MandelbrotEdit& edit) {
    edit.settings.volume.shown = false;
    if (set) edit.settings.config.set = *set;
    if (dwell_limit) {
      edit.settings.config.dwell_limit = *dwell_limit;
      edit.settings.dwell_by_depth = false;
    }
    edit.commands.go_to = view;
  });
}

void MandelbrotWorkspace::look_at_volume(const JsonReader& json) {
  request([volume = read_volume(json)](MandelbrotEdit& edit) {
    edit.settings.volume = volume;
    edit.commands.camera = volume.camera;
  });
}

void MandelbrotWorkspace::go_to_place(const scene::Json& json) {
  if (json.contains("volume")) return look_at_volume(JsonReader(json, "place").object("volume"));
  const MandelbrotPlace place = read_mandelbrot_place(JsonReader(json, "place"));
  look_at(place.view, place.dwell_limit, place.set);
}

std::string MandelbrotWorkspace::go_to_coordinates(const std::string& text) {
  if (const auto json = scene::Json::parse(text, nullptr, false);
      json.is_object() && json.contains("camera")) {
    look_at_volume(JsonReader(json, "set in space"));
    return {};
  }
  const ParsedView read = parse_view(text);
  look_at(read, read.dwell_limit, read.set);
  return read.dropped;
}

void MandelbrotWorkspace::paste_view() {
  try {
    message_ = Message::warning(go_to_coordinates(clipboard::text()));
  } catch (const InputError& error) {
    message_ = Message::error(fmt::format("The clipboard contains no position: {}", error.what()));
  }
}

bool MandelbrotWorkspace::open_file(const std::filesystem::path& file, FileKind kind) {
  if (kind != FileKind::kPosition) return false;
  const ParsedView read = read_view_file(file);
  look_at(read, read.dwell_limit, read.set);
  message_ = Message::warning(read.dropped);
  return true;
}

std::optional<SaveRequest> MandelbrotWorkspace::save(SavedPart part) {
  if (part != SavedPart::kPosition) return std::nullopt;
  return SaveRequest{
      .title = "Save the position as .kfr (Kalles Fraktaler) or .xpf (XaoS)",
      .nothing = "No positions in this folder",
      .name = "mandelbrot.kfr",
      .extension = ".kfr",
      .save = [view = view(), size = picture_,
               config = computed_config()](const std::filesystem::path& file) {
        if (!config.set.is_mandelbrot()) {
          throw InputError(fmt::format(
              "{}: positions of the Mandelbrot set only; allowed: a scene (.loom) or an image of this one",
              file.filename().string()));
        }
        write_file(file, position_text(file, view, size, config.dwell_limit));
      }};
}

}  // namespace loom::app
