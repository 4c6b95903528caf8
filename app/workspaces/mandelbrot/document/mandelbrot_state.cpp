#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/bench/mandelbrot_json.h"
#include "app/workspaces/mandelbrot/document/view_text.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"
#include "compute/core/error.h"
#include "compute/core/named_choice.h"

namespace loom::app {
namespace {

using bench::JsonReader;
using scene::Json;

// Default for palettes that earlier versions did not have; keeps the appearance of old scenes.
constexpr std::uint32_t kNoCycle = 0;

struct MandelbrotFlag {
  const char* key;
  bool MandelbrotSettings::*member;
};
constexpr std::array kMandelbrotFlags = {
    MandelbrotFlag{"measure", &MandelbrotSettings::measure},
    MandelbrotFlag{"orbit", &MandelbrotSettings::orbit},
    MandelbrotFlag{"julia", &MandelbrotSettings::julia},
    MandelbrotFlag{"show_model", &MandelbrotSettings::show_model},
    MandelbrotFlag{"show_timeline", &MandelbrotSettings::show_timeline},
};

Json complex_view_json(const ComplexView& view) {
  return {{"re", view.centre.x}, {"im", view.centre.y}, {"width", view.width}};
}

ComplexView read_complex_view(const JsonReader& json) {
  const ComplexView view{{json.real("re"), json.real("im")}, json.number("width")};
  if (view.width <= 0) throw InputError(fmt::format("{} has no width above 0", json.where()));
  return view;
}

}  // namespace

Json MandelbrotState::to_json(const scene::WriteContext&) const {
  const MandelbrotSettings& own = settings;
  const MandelbrotConfig& config = own.config;
  Json json;
  json["view"] = nullptr;
  if (view) json["view"] = complex_view_json(*view);
  add_subdivision(json, config);
  json["block"] = {config.block.x, config.block.y};
  json["precision"] = name_of(config.precision);
  json["palette"] = own.palette;
  json["cycle"] = own.cycle;
  json["points"] = own.samples_per_axis;
  json["colouring"] = name_of(own.colouring);
  json["interior"] = name_of(own.interior);
  json["regions"] = name_of(own.overlay);
  json["automatic"] = nullptr;
  if (own.automatic) json["automatic"] = *own.automatic;
  if (own.devices > 1) json["devices"] = own.devices;
  for (const MandelbrotFlag& one : kMandelbrotFlags) json[one.key] = own.*one.member;
  return json;
}

std::string MandelbrotState::description() const {
  return fmt::format("Mandelbrot set, {}", view ? text_of(*view) : "whole");
}

std::string MandelbrotState::file_stem() const {
  return "mandelbrot";
}

scene::StatePtr MandelbrotFormat::default_state() const {
  return std::make_shared<MandelbrotState>();
}

scene::StatePtr MandelbrotFormat::read(const JsonReader& json, const scene::ReadContext& context) const {
  auto state = std::make_shared<MandelbrotState>();
  MandelbrotSettings& own = state->settings;
  MandelbrotConfig& config = own.config;
  if (!json.is_null("view")) state->view = read_complex_view(json.object("view"));
  read_subdivision(json, config);
  const Json& block = json.array("block");
  const auto is_side = [](const Json& one) {
    return one.is_number_unsigned() && one.get<std::uint64_t>() <= 1024;
  };
  if (block.size() != 2 || !is_side(block[0]) || !is_side(block[1])) {
    throw InputError("mandelbrot.block is not two whole numbers up to 1024");
  }
  config.block = {block[0].get<std::uint32_t>(), block[1].get<std::uint32_t>()};
  config.precision = parse_precision(json.text("precision"));
  validate(config);
  own.palette = json.has("palette") ? json.text("palette") : context.palette;  // missing in version 1
  own.cycle = json.has("cycle")
                  ? static_cast<std::uint32_t>(json.within("cycle", 0, static_cast<int>(kMaxCycle)))
                  : kNoCycle;
  own.samples_per_axis = json.has("points") ? json.whole<int>("points") : 1;
  if (std::ranges::find(kSamplesPerAxis, own.samples_per_axis) == kSamplesPerAxis.end())
    throw InputError("its samples per pixel are not 1, 2 or 4 on each axis");
  own.colouring = parse_choice("colouring", json.text("colouring"), kColourings);
  own.interior = parse_choice("interior", json.text("interior"), kInteriorColours);
  own.devices = 1;
  if (json.has("devices")) {
    own.devices = static_cast<std::uint32_t>(json.within("devices", 1, scene::kMaxDevices));
  }
  own.overlay = parse_choice("regions", json.text("regions"), kRegionOverlays);
  own.automatic.reset();
  if (!json.is_null("automatic")) own.automatic = json.yes_no("automatic");
  for (const MandelbrotFlag& one : kMandelbrotFlags) own.*one.member = json.yes_no(one.key);
  return state;
}

Json MandelbrotFormat::read_place(const JsonReader& json) const {
  return to_json(read_mandelbrot_place(json));
}

std::string MandelbrotFormat::describe_place(const Json& place) const {
  return text_of(read_mandelbrot_place(JsonReader(place, "place")).view);
}

MandelbrotPlace read_mandelbrot_place(const JsonReader& json) {
  MandelbrotPlace place{.view = read_complex_view(json), .dwell_limit = std::nullopt};
  if (json.has("dwell_limit")) {
    place.dwell_limit = json.whole<std::uint32_t>("dwell_limit");
    if (*place.dwell_limit < 1 || *place.dwell_limit > kMostDwell)
      throw InputError(fmt::format("{} has no dwell limit from 1 to 65535", json.where()));
  }
  return place;
}

Json to_json(const MandelbrotPlace& place) {
  Json json = complex_view_json(place.view);
  if (place.dwell_limit) json["dwell_limit"] = *place.dwell_limit;
  return json;
}

}  // namespace loom::app
