#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/trigonometric.hpp>

#include "app/settings/field_json.h"
#include "app/text/text.h"
#include "app/workspaces/mandelbrot/document/view_text.h"
#include "app/workspaces/solid/document/solid_state.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app {
namespace {

using scene::Json;

Json complex_view_json(const ComplexView& view) {
  Json json{{"re", view.centre.x}, {"im", view.centre.y}, {"width", view.width}};
  // Decimal numbers are texts, which keep all digits.
  if (view.decimal) {
    const ViewDigits digits = digits_of(*view.decimal);
    json = {{"re", digits.re}, {"im", digits.im}, {"width", digits.width}};
  }
  if (view.angle != 0) json["angle"] = view.angle;
  return json;
}

/// A view for a line of text.
std::string described(const ComplexView& view) {
  constexpr std::size_t kMost = 200;
  std::string text = shown_text_of(view);
  if (text.size() <= kMost) return text;
  return fmt::format("{:.10g}, {:.10g}, {}", view.centre.x, view.centre.y,
                     shortened_decimal(decimal_of(view).width, 3)) +
         angle_text(view);
}

/// A view of a set.
std::string described(const EscapeTimeSet& set, const std::string& view) {
  const std::string name = set.is_mandelbrot() ? "Mandelbrot set" : to_string(set);
  return fmt::format("{}, {}", name, view);
}

ComplexView read_complex_view(const JsonReader& json) {
  const double angle = json.has("angle") ? json.real("angle") : 0;
  if (json.any("re").is_string())
    return typed_view({json.text("re"), json.text("im"), json.text("width")}, angle);
  const ComplexView view{{json.real("re"), json.real("im")}, json.number("width"), nullptr, angle};
  if (view.width <= 0) throw InputError(fmt::format("{} has no width above 0", json.where()));
  return view;
}

}  // namespace

Json MandelbrotState::to_json(const scene::WriteContext&) const {
  const MandelbrotSettings& own = settings;
  Json json = Json::object();
  json["view"] = nullptr;
  if (view) json["view"] = complex_view_json(*view);
  add_fields(json, mandelbrot_config_fields(), own.config, &FieldInfo::in_scene);
  json["palette"] = own.palette;
  if (own.devices > 1) json["devices"] = own.devices;
  add_fields(json, dwell_colour_fields(), own);
  add_fields(json, mandelbrot_window_fields(), own, &FieldInfo::in_scene);
  if (own.volume != VolumeSettings()) {
    json["volume"] = volume_json(own.volume);
    json["volume"]["shown"] = own.volume.shown;
  }
  return json;
}

std::string volume_text(const VolumeSettings& settings) {
  const VolumeConfig& config = settings.config;
  if (config.set == VolumeSet::kCustom) return "custom formula in space";
  return config.set == VolumeSet::kMandelbulb ? fmt::format("Mandelbulb, power {}", config.power)
                                              : std::string("quaternion Julia set");
}

std::string volume_command(const MandelbrotState& state, glm::ivec2 picture, bool on_host) {
  VolumeSettings own = state.settings.volume;
  own.config = state.settings.volume_config();
  const MandelbrotMethod method = own.config.method;
  own.misses = own.misses && method != MandelbrotMethod::kExhaustive;
  if (own.config.set == VolumeSet::kCustom) throw InputError(std::string(kNoFormulaOption));
  const SolidCamera& camera = own.camera;
  const SolidCamera whole = default_volume_camera();
  if (camera.target != whole.target || camera.distance != whole.distance || !camera.perspective)
    throw InputError("No option describes the distance of the camera of this scene");
  std::string text = "fractal-loom volume";
  const auto add = [&](std::string_view option, const std::string& value) {
    text += fmt::format(" --{} {}", option, quoted_for_shell(value));
  };
  for (const Field<VolumeSettings>& field : volume_fields()) {
    if (field.option.empty() || !field.varies(own) || (on_host && field.option == "scheme")) continue;
    const std::string value = field.text(own).value();
    if (!field.is_flag) add(field.option, value);
    if (field.is_flag && value == "on") text += fmt::format(" --{}", field.option);
  }
  if (own.misses) text += " --check";
  add("method", std::string(name_of(method)));
  const glm::vec3 forward = camera.orientation * glm::vec3(0, 0, 1);
  add("turn", fmt::format("{:.4g},{:.4g}", glm::degrees(std::atan2(forward.x, forward.z)),
                          glm::degrees(std::asin(std::clamp(forward.y, -1.0f, 1.0f)))));
  add("palette", state.settings.palette);
  add("picture", fmt::format("{}x{}", picture.x, picture.y));
  add("png", state.file_stem() + ".png");
  return text;
}

Json volume_json(const VolumeSettings& settings) {
  Json json = Json::object();
  add_fields(json, volume_fields(), settings);
  json["camera"] = loom::app::to_json(settings.camera);
  return json;
}

VolumeSettings read_volume(const JsonReader& json) {
  VolumeSettings settings;
  settings.shown = !json.has("shown") || json.yes_no("shown");
  read_fields(json, volume_fields(), settings);
  validate(settings.config);
  settings.camera = read_camera(json.object("camera"));
  return settings;
}

std::string MandelbrotState::description() const {
  if (settings.volume.shown) return volume_text(settings.volume);
  return described(settings.config.set, view ? described(*view) : "whole");
}

scene::StatePtr MandelbrotState::read(const JsonReader& json, const scene::ReadContext&) {
  auto state = std::make_shared<MandelbrotState>();
  MandelbrotSettings& own = state->settings;
  MandelbrotConfig& config = own.config;
  if (!json.is_null("view")) state->view = read_complex_view(json.object("view"));
  json.any("method");  // needed
  read_fields(json, mandelbrot_config_fields(), config);
  validate(config);
  own.palette = json.text("palette");
  if (json.has("devices"))
    own.devices = static_cast<std::uint32_t>(json.within("devices", 1, scene::kMaxDevices));
  read_fields(json, dwell_colour_fields(), own);
  read_fields(json, mandelbrot_window_fields(), own);
  if (json.has("volume")) own.volume = read_volume(json.object("volume"));
  return state;
}

Json MandelbrotState::read_place(const JsonReader& json) {
  if (json.has("volume")) return {{"volume", volume_json(read_volume(json.object("volume")))}};
  return loom::app::to_json(read_mandelbrot_place(json));
}

std::string MandelbrotState::describe_place(const Json& place) {
  if (place.contains("volume")) return volume_text(read_volume(JsonReader(place, "place").object("volume")));
  const MandelbrotPlace read = read_mandelbrot_place(JsonReader(place, "place"));
  return read.set.is_mandelbrot() ? described(read.view) : described(read.set, described(read.view));
}

MandelbrotPlace read_mandelbrot_place(const JsonReader& json) {
  MandelbrotPlace place{.view = read_complex_view(json), .dwell_limit = std::nullopt};
  if (json.has("dwell_limit")) {
    place.dwell_limit = json.whole<std::uint32_t>("dwell_limit");
    if (*place.dwell_limit < 1 || *place.dwell_limit > kMaxDwellLimit)
      throw InputError(fmt::format("{} has no dwell limit from 1 to {}", json.where(), kMaxDwellLimit));
  }
  MandelbrotConfig config;
  read_fields(json, set_fields(), config);
  validate(config);
  place.set = config.set;
  return place;
}

Json to_json(const MandelbrotPlace& place) {
  Json json = complex_view_json(place.view);
  if (place.dwell_limit) json["dwell_limit"] = *place.dwell_limit;
  if (!place.set.is_mandelbrot()) add_fields(json, set_fields(), MandelbrotConfig{.set = place.set});
  return json;
}

}  // namespace loom::app
