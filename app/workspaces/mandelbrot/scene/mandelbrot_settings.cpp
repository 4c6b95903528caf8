#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "app/settings/field_json.h"
#include "app/shell/setting_rows.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app {

std::string_view name_of(RegionOverlay overlay) {
  static constexpr std::array<std::string_view, 5> kNames = {"off", "levels", "kinds", "waits", "devices"};
  return kNames[static_cast<std::size_t>(overlay)];
}

std::uint32_t depth_dwell_limit(const ComplexView& view) {
  constexpr double kWhole = 1.3;  // binary logarithm of a width that shows the whole set
  return dwell_limit_of_depth(kWhole - log2_width(view));
}

MandelbrotConfig config_for(const MandelbrotSettings& settings, const ComplexView& view, glm::ivec2 picture) {
  MandelbrotConfig config = settings.config;
  config.exact = config.precision == Precision::kAuto;
  config.precision = evaluator_of(config.precision, view, picture, config.set);
  if (settings.dwell_by_depth) config.dwell_limit = depth_dwell_limit(view);
  return config;
}

Precision limiting_precision(const MandelbrotConfig& config) {
  const bool ends = config.precision == Precision::kAuto && !config.set.perturbs();
  return ends ? Precision::kDouble : config.precision;
}

void set_compare(MandelbrotSettings& settings, bool compare) {
  if (settings.compare == compare) return;
  settings.compare = compare;
  if (compare) {
    settings.compare_set_overlay = settings.overlay == RegionOverlay::kOff;
    if (settings.compare_set_overlay) settings.overlay = RegionOverlay::kQuantities;
  } else if (std::exchange(settings.compare_set_overlay, false) &&
             settings.overlay == RegionOverlay::kQuantities) {
    settings.overlay = RegionOverlay::kOff;
  }
}

std::string_view changed_setting(const MandelbrotSettings& before, const MandelbrotSettings& after) {
  if (before == after) return {};
  auto names = changed_undo_names(mandelbrot_config_fields(), before.config, after.config);
  // A new method also changes its block shape.
  if (!names.empty() && names.front() == "method") return names.front();
  for (const auto fields : {dwell_colour_fields(), mandelbrot_window_fields()}) {
    const auto more = changed_undo_names(fields, before, after);
    names.insert(names.end(), more.begin(), more.end());
  }
  if (names.empty()) return {};
  // The comparison also switches the overlay.
  if (before.compare != after.compare) return "comparison";
  return names.size() == 1 ? names.front() : "several settings";
}

namespace {

using MandelbrotRow = FieldOf<MandelbrotSettings>;

constexpr Field<MandelbrotSettings> automatic_field() {
  Field<MandelbrotSettings> field = MandelbrotRow::other<&MandelbrotSettings::automatic>(
      {.key = "automatic",
       .option = "automatic",
       .label = "--automatic",
       .purpose =
           "Choose method, g, r and B by timing (on for a GPU by default, unless one of them is given)",
       .undo = "tuning",
       .form = FieldForm::kSwitch});
  field.assign = [](std::string_view text, MandelbrotSettings& settings) {
    settings.automatic = text == "on";
  };
  field.text = [](const MandelbrotSettings& settings) -> std::optional<std::string> {
    if (!settings.automatic) return std::nullopt;
    return *settings.automatic ? "on" : "off";
  };
  return field;
}

constexpr Field<MandelbrotSettings> cycle_field() {
  Field<MandelbrotSettings> field = MandelbrotRow::whole<&MandelbrotSettings::cycle>(
      {.key = "cycle",
       .option = "cycle",
       .label = "cycle",
       .purpose =
           "Smooth colours that repeat after N dwells; with 0 the palette spans the dwells of the image once",
       .undo = "colours",
       .lowest = 0,
       .highest = kMaxCycle});
  // Who gives a cycle wants its colours; the colouring, whose row follows, overrides that.
  field.assign = [](std::string_view text, MandelbrotSettings& settings) {
    std::from_chars(text.data(), text.data() + text.size(), settings.cycle);
    settings.colouring = Colouring::kSmooth;
  };
  field.applies = [](const MandelbrotSettings& settings) { return settings.dwell_colouring().has_cycle(); };
  field.applies_with = "--colouring smooth or bands";
  return field;
}

constexpr std::array kColourFields = {
    cycle_field(),
    MandelbrotRow::whole<&MandelbrotSettings::samples_per_axis>(
        {.key = "points",
         .option = "points",
         .label = "samples per pixel",
         .purpose = "Samples per pixel on each axis, whose mean colour is shown; 0: in the window as many as "
                    "there is time for at rest, in an image 2",
         .undo = "samples per pixel",
         .lowest = kSampleChoices.front(),
         .highest = kSampleChoices.back(),
         .values =
             [] {
               std::vector<std::string> texts;
               for (const int samples : kSampleChoices) texts.push_back(std::to_string(samples));
               return texts;
             }}),
    MandelbrotRow::choice<&MandelbrotSettings::colouring, kColourings>({.key = "colouring",
                                                                        .option = "colouring",
                                                                        .label = "colouring",
                                                                        .purpose = "Colouring",
                                                                        .undo = "colours"}),
    MandelbrotRow::choice<&MandelbrotSettings::interior, kInteriorColours>(
        {.key = "interior",
         .option = "interior",
         .label = "interior",
         .purpose = "Colour of the points that do not escape",
         .undo = "colours"}),
};

constexpr std::array kWindowFields = {
    // Read by --palette, which all workspaces share.
    MandelbrotRow::other<&MandelbrotSettings::palette>({.undo = "palette"}),
    MandelbrotRow::choice<&MandelbrotSettings::overlay, kRegionOverlays>(
        {.key = "regions",
         .option = "regions",
         .label = "regions",
         .purpose = "Overlay of the subdivision (waits: warp divergence)",
         .undo = "overlay"}),
    automatic_field(),
    MandelbrotRow::on_off<&MandelbrotSettings::dwell_by_depth>(
        {.key = "dwell_by_depth", .undo = "dwell limit"}),
    MandelbrotRow::on_off<&MandelbrotSettings::compare>(
        {.key = "compare",
         .option = "compare",
         .purpose = "Show exhaustive, DP and ASK side by side",
         .undo = "comparison",
         .is_flag = true}),
    // Written only where there are several, with checks of its own.
    MandelbrotRow::other<&MandelbrotSettings::devices>({.undo = "devices"}),
    MandelbrotRow::on_off<&MandelbrotSettings::measure>({.key = "measure",
                                                         .option = "every-frame",
                                                         .purpose = "Compute in every frame",
                                                         .undo = "every frame",
                                                         .is_flag = true}),
    MandelbrotRow::on_off<&MandelbrotSettings::orbit>({.key = "orbit", .undo = "orbit"}),
    MandelbrotRow::on_off<&MandelbrotSettings::julia>({.key = "julia", .undo = "Julia inset"}),
    MandelbrotRow::on_off<&MandelbrotSettings::show_model>(
        {.key = "show_model",
         .option = "model",
         .purpose = "Show the cost model; shot first measures the exhaustive method and the landscape",
         .undo = "cost model",
         .is_flag = true}),
    MandelbrotRow::on_off<&MandelbrotSettings::show_timeline>(
        {.key = "show_timeline",
         .option = "timeline",
         .purpose = "Record one computation and show its timeline next to the picture",
         .undo = "timeline",
         .is_flag = true}),
    MandelbrotRow::on_off<&MandelbrotSettings::show_formula>(
        {.key = "show_formula", .undo = "formula editor"}),
};

}  // namespace

std::span<const Field<MandelbrotSettings>> dwell_colour_fields() {
  return kColourFields;
}

std::span<const Field<MandelbrotSettings>> mandelbrot_window_fields() {
  return kWindowFields;
}

std::string clamp_devices(MandelbrotSettings& settings, std::size_t there, const Device& device) {
  std::string message;
  if (settings.devices > there) {
    message = fmt::format("The scene needs {}; this machine has {}", devices_text(settings.devices, device),
                          there == 1 ? devices_text(1, device) : fmt::format("{}", there));
    settings.devices = static_cast<std::uint32_t>(there);
  }
  if (settings.overlay == RegionOverlay::kDevices && settings.devices == 1)
    settings.overlay = RegionOverlay::kOff;
  return message;
}

}  // namespace loom::app
