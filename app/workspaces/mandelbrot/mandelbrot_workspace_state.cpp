// The state report of the Mandelbrot workspace.

#include <nlohmann/json.hpp>

#include "app/settings/field_json.h"
#include "app/workspaces/mandelbrot/mandelbrot_report.h"
#include "app/workspaces/mandelbrot/mandelbrot_workspace.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_setting_fields.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

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
  own["picture"] = numbers_of(area_);
  own["fitted"] = history_.fitted();
  own["nothing_in_view"] = is_outside(view(), picture_);
  own["legend"] = legend_.state();
  own["views_behind"] = history_.views_behind();
  own["views_ahead"] = history_.views_ahead();
  add_fields(own, mandelbrot_config_fields(), settings_.config, &FieldInfo::in_scene);
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
  own["points_shown"] = sampled_.samples_per_axis();
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
  own["devices"] = runner_.backend().devices();
  own["devices_there"] = services_.devices.size();
  own["device_choices"] = nlohmann::ordered_json::array();
  for (const DeviceCountOption& one : panel_.devices) {
    own["device_choices"].push_back(
        {{"devices", one.count}, {"problem", one.problem}, {"place", numbers_of(one.place)}});
  }
  own["parts"] = nlohmann::ordered_json::array();
  for (const DwellPartition& part : runner_.parts()) {
    std::uint64_t rows = 0;
    for (const RowRange& range : part.rows) rows += range.count();
    own["parts"].push_back({{"begin_ms", part.time.begin},
                            {"end_ms", part.time.end},
                            {"ms", part.time.milliseconds},
                            {"rows", rows},
                            {"stretches", part.rows.size()}});
  }
  own["divisor"] = runner_.has_picture() ? runner_.divisor() : 0;
  add_comparison_state(own);
  own["left_behind"] = is_outdated();
  own["image"] = {runner_.image_size().x, runner_.image_size().y};
  own["different"] = nullptr;
  if (const auto& check = runner_.checked()) own["different"] = check->differences.count;
  own["timeline"] = timeline_state(settings_.show_timeline, timeline_, runner_, recording_requested_);
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

}  // namespace loom::app
