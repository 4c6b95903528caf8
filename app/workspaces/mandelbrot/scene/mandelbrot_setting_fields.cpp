#include "app/workspaces/mandelbrot/scene/mandelbrot_setting_fields.h"

#include <array>
#include <charconv>

#include "app/workspaces/mandelbrot/scene/pixel_samples.h"

namespace loom::app {
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
         .purpose = "Samples per pixel on each axis, whose mean colour is shown",
         .undo = "samples per pixel",
         .lowest = 1,
         .highest = kSamplesPerAxis.back(),
         .values =
             [] {
               std::vector<std::string> texts;
               for (const int samples : kSamplesPerAxis) texts.push_back(std::to_string(samples));
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
};

}  // namespace

std::span<const Field<MandelbrotSettings>> dwell_colour_fields() {
  return kColourFields;
}

std::span<const Field<MandelbrotSettings>> mandelbrot_window_fields() {
  return kWindowFields;
}

}  // namespace loom::app
