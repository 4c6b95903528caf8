#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/workspaces/mandelbrot/panels/mandelbrot_panels.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom::app {
namespace {

constexpr std::array kBlockShapes = {BlockShape{8, 4},   BlockShape{8, 8},  BlockShape{16, 8},
                                     BlockShape{16, 16}, BlockShape{32, 8}, BlockShape{64, 8},
                                     BlockShape{32, 32}};

constexpr const char* kNoRegions = "The exhaustive method has no regions";

/// Powers of two from `lowest` to 1024, and the current value if it is not one of them.
void number_choice(const char* name, std::uint32_t lowest, std::uint32_t& value, float width,
                   std::string_view hint) {
  ImGui::PushID(name);
  ImGui::SetNextItemWidth(width);
  if (ImGui::BeginCombo("##number", format_text("{} {}", name, value).c_str(),
                        ImGuiComboFlags_NoArrowButton)) {
    for (std::uint32_t choice = lowest; choice <= 1024; choice *= 2) {
      if (ImGui::Selectable(format_text("{}", choice).c_str(), choice == value)) value = choice;
    }
    ImGui::EndCombo();
  }
  tooltip(hint);
  ImGui::PopID();
}

/// What the formula promises for a region whose border has one dwell.
const char* filling_theorem(const EscapeTimeSet& set) {
  return set.has_maximum_principle()
             ? "Where a border does not escape within the limit, nor does the inside (maximum modulus). "
               "Elsewhere longer orbits may be missed."
             : "No theorem says what is inside a border. Verify (Shift V) marks and counts the misses.";
}

void fill_choice(MandelbrotConfig& config) {
  choice_row("Fill", kFillRules, config.fill, {"any dwell", "interior"},
             {"Fills every region whose border has one dwell",
              "Fills only regions whose border is at the dwell limit, and computes all others"},
             config.method == MandelbrotMethod::kExhaustive ? kNoRegions : "");
  note(filling_theorem(config.set));
}

void automatic_choice(MandelbrotEdit& edit, const MandelbrotStats& now) {
  row_label("Tuning");
  const float width = equal_width(2);
  if (choice_button("auto", now.automatic, width, {},
                    "Finds the fastest method, g, r and B for each view by timing, while the program is idle "
                    "(Shift A)")) {
    edit.settings.automatic = true;
  }
  ImGui::SameLine();
  if (choice_button("manual", !now.automatic, width, {}, "Method, g, r and B stay as selected (Shift A)")) {
    edit.settings.automatic = false;
  }
  if (!now.automatic) return;
  if (now.found == nullptr) return note(now.searching ? "Timing..." : "Not tuned for this view yet.");
  const AutoTuner::TuningResult& found = *now.found;
  note(format_text("Fastest of {}: {}.", plural(found.timed, "plan"), format_time(found.milliseconds)));
  if (found.exhaustive_ms && !found.plan.exhaustive)
    tooltip(format_text("Exhaustive: {}", format_time(*found.exhaustive_ms)));
}

void block_choice(MandelbrotConfig& config, const MandelbrotStats& now) {
  const bool has_blocks = now.backend.device.warps;
  row_label("Block shape");
  ImGui::BeginDisabled(!has_blocks);
  const Text present = format_text("{} × {}", config.block.x, config.block.y);
  if (ImGui::BeginCombo("##block", present.c_str())) {
    for (const BlockShape& shape : kBlockShapes) {
      const Text label = format_text("{} × {} = {} threads", shape.x, shape.y, shape.x * shape.y);
      if (ImGui::Selectable(label.c_str(), shape == config.block)) config.block = shape;
    }
    ImGui::EndCombo();
  }
  ImGui::EndDisabled();
  tooltip(has_blocks ? "Threads per thread block. The papers use 16 × 16, and 64 × 8 for DP"
                     : "The CPU has no thread blocks");
}

void devices_choice(MandelbrotPanelState& state, MandelbrotSettings& settings, const MandelbrotStats& now) {
  const Device& device = now.backend.device;
  const bool simulated = device.simulated_devices > 0;
  if (state.devices.empty() || state.devices_available != now.devices || state.simulated != simulated) {
    state.devices_available = now.devices;
    state.simulated = simulated;
    state.devices = device_counts(now.devices, device);
    for (DeviceCountOption& one : state.devices) {
      one.problem = missing_devices_reason(one.count, now.devices, device);
      one.hint =
          one.count == 1 ? "One device computes the whole image"
          : simulated
              ? fmt::format(
                    "Distributes the rows over {} simulated devices of one CPU. Shows the distribution and "
                    "is not faster",
                    one.count)
              : fmt::format("Distributes the rows over {} GPUs by their cost in the last frame", one.count);
    }
  }
  devices_row(state.devices, settings.devices, simulated,
              "Number of devices that compute an image. Each gets rows of initial regions");
  if (simulated && settings.devices > 1)
    note("Simulated devices of one CPU show the distribution of rows and are not faster.");
}

// The method in one line, for the folded section.
Text summary_of(const MandelbrotSettings& settings, const MandelbrotStats& now) {
  Text text;
  const CostCut cut = settings.cut();
  if (now.automatic && !now.in_space) text.append("auto, ");
  if (settings.config.method != MandelbrotMethod::kExhaustive)
    text.add("g {}, r {}, B {}, ", cut.g, cut.r, cut.b);
  text.append(now.backend.device.on_host ? "CPU" : "GPU");
  return text;
}

}  // namespace

void subdivision_choice(std::uint32_t& g, std::uint32_t& r, std::uint32_t& b, bool no_regions) {
  const char* const none = no_regions ? "The exhaustive method has no regions\n" : "";
  const ScopedControlMark marked(Control::kCut);
  ImGui::BeginDisabled(no_regions);
  row_label("Regions");
  const float width = equal_width(3);
  number_choice("g", 1, g, width, format_text("{}Initial regions per axis", none));
  ImGui::SameLine();
  number_choice("r", 2, r, width,
                format_text("{}Subdivision per axis: a region splits into r parts on each axis", none));
  ImGui::SameLine();
  number_choice("B", 1, b, width,
                format_text("{}A region splits while its side / r is greater than B", none));
  ImGui::EndDisabled();
}

void scheme_choice(RegionScheme& scheme, const MandelbrotStats& now, const char* no_blocks) {
  choice_row("Scheme", kRegionSchemes, scheme, {"SBR", "MBR"},
             {"Single block per region (SBR): one thread block does all work of a region (I)",
              "Multiple blocks per region (MBR): several thread blocks fill or compute a region (I)"},
             no_blocks);
  if (!now.backend.device.warps && *no_blocks == '\0')
    note("On the CPU, one thread processes a region, so SBR and MBR are the same.");
}

void mandelbrot_method(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now) {
  MandelbrotConfig& config = edit.settings.config;
  state.method_open = folded_section("Method details", summary_of(edit.settings, now));
  state.method_header = item_area();
  tooltip(
      "g: initial regions per axis. r: parts per axis of a region that splits. B: pixels per side below "
      "which none does");
  if (!state.method_open) return;
  if (now.in_space) {
    volume_method(edit, now);
    return backend_row(edit.shell.settings.backend,
                       {now.cuda, now.backend, now.backend_name, "The CPU's cores"});
  }
  const MandelbrotConfig before = config;
  automatic_choice(edit, now);
  subdivision_choice(config.g, config.r, config.b, config.method == MandelbrotMethod::kExhaustive);
  fill_choice(config);
  scheme_choice(config.scheme, now, config.method == MandelbrotMethod::kExhaustive ? kNoRegions : "");
  const auto plan = [](const MandelbrotConfig& of) { return std::tuple(of.method, of.g, of.r, of.b); };
  if (plan(config) != plan(before)) edit.settings.automatic = false;
  block_choice(config, now);
  devices_choice(state, edit.settings, now);
  backend_row(edit.shell.settings.backend, {now.cuda, now.backend, now.backend_name, "The CPU's cores"});
}

namespace {

void history_row(MandelbrotEdit& edit, const MandelbrotStats& now) {
  const float width = equal_width(4);
  const auto count = [](std::size_t views) { return format_text("{} views", views); };
  if (choice_button("Back", false, width, now.views_behind == 0 ? "There is no previous view" : "",
                    count(now.views_behind).append(" back (Backspace, side button)"))) {
    --edit.commands.history;
  }
  ImGui::SameLine();
  if (choice_button("Forward", false, width, now.views_ahead == 0 ? "There is no next view" : "",
                    count(now.views_ahead).append(" forward (Shift Backspace, side button)"))) {
    ++edit.commands.history;
  }
  ImGui::SameLine();
  if (choice_button("Box", false, width, {}, "Zoom into a box with the next drag (B); or Shift + drag")) {
    edit.shell.view.arm_box_zoom = true;
  }
  ImGui::SameLine();
  if (choice_button("Reset", false, remaining_width(), {}, "The whole set: the window of the papers (F)"))
    edit.shell.view.fit = true;
}

void tour_row(MandelbrotEdit& edit, const MandelbrotStats& now) {
  row_label("Tour");
  const Text present = now.tour_index
                           ? format_text("{}. {}", *now.tour_index + 1, now.tour[*now.tour_index].name)
                           : format_text("{} stops", now.tour.size());
  if (ImGui::BeginCombo("##tour", present.c_str())) {
    for (std::size_t i = 0; i < now.tour.size(); ++i) {
      const Text label = format_text("{}. {}", i + 1, now.tour[i].name);
      if (ImGui::Selectable(label.c_str(), now.tour_index == i)) edit.commands.tour_stop = i;
      tooltip(now.tour[i].note);
    }
    ImGui::EndCombo();
  }
  if (now.tour_index)
    tooltip(format_text("{}. {}", now.tour[*now.tour_index].name, now.tour[*now.tour_index].note));
  row_label("");
  const float button = equal_width(3);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  if (choice_button(now.tour_plays ? icons::kPause : icons::kPlay, now.tour_plays, button, {},
                    "Plays the tour from stop to stop; Esc or Space pauses it"))
    edit.commands.play_tour = true;
  ImGui::PopStyleVar();
  ImGui::SameLine();
  if (choice_button("<", false, button, {}, "Previous stop")) --edit.commands.tour;
  ImGui::SameLine();
  if (choice_button(">", false, button, {}, "Next stop (R)")) ++edit.commands.tour;
}

void minibrot_row(MandelbrotEdit& edit, const MandelbrotStats& now) {
  row_label("Go to");
  constexpr std::array kLabels = {"Minibrot", "Autopilot"};
  ButtonRow line(kLabels);
  if (choice_button(kLabels[0], false, line.next(), now.searching_minibrot ? "Searching" : "",
                    "Finds the minibrot of lowest period in this view and centres on it (Ctrl M)"))
    edit.commands.find_minibrot = true;
  if (choice_button(kLabels[1], now.autopilot, line.next(), {},
                    "Zooms towards detail until a key is pressed (Ctrl Shift M)"))
    edit.commands.toggle_autopilot = true;
  // Always one line, so that nothing below moves.
  note(now.minibrot == nullptr ? Text("No minibrot found yet")
                               : format_text("Period {}, size {}", format_count(now.minibrot->period),
                                             shortened_decimal(now.minibrot->size, 3)));
}

/// The texts of the fields. Few digits of the width, so that its exponent is in sight.
std::array<std::string, 4> place_texts(const ComplexView& view) {
  constexpr int kWidthDigits = 6;
  const DecimalView decimal = decimal_of(view);
  const ViewDigits digits = shown_digits_of(decimal);
  return {digits.re, digits.im, shortened_decimal(decimal.width, kWidthDigits),
          fmt::format("{:.6g}", view.angle)};
}

// The texts follow the view unless one is being typed.
void place_fields(PlaceFields& state, MandelbrotEdit& edit, const MandelbrotStats& now) {
  static constexpr std::array kNames = {"Re", "Im", "Width", "Angle"};
  static constexpr std::array kHints = {
      "Real part of the centre, with up to 10,000 digits. Enter goes there. Ctrl V pastes longer positions",
      "Imaginary part of the centre, which grows downwards in the picture, with up to 10,000 digits. Enter "
      "goes there. Ctrl V pastes longer positions",
      "Width of the view, like 1.5e-100: its first digits are shown, all are kept. Enter goes there",
      "Degrees by which the picture is turned counterclockwise ({, }, Shift + right drag). Enter turns it"};
  if (!state.shown || *state.shown != now.view) {
    state.texts = place_texts(now.view);
    state.shown = now.view;
    state.problem.clear();
  }
  bool entered = false;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    row_label(kNames[i]);
    ImGui::PushID(kNames[i]);
    const float button = ImGui::GetFrameHeight() * 1.5f;
    const bool is_angle = i + 1 == kNames.size();
    ImGui::SetNextItemWidth(remaining_width() - (is_angle ? button + ImGui::GetStyle().ItemSpacing.x : 0));
    entered = bounded_text_field("##place", state.texts[i]) || entered;
    if (ImGui::IsItemActivated()) state.problem.clear();
    state.areas[i] = item_area();
    tooltip(kHints[i]);
    if (is_angle) {
      ImGui::SameLine();
      if (choice_button("0°", false, button, now.view.angle == 0 ? "The view is not turned" : "",
                        "Turns the picture back to 0 degrees"))
        edit.commands.turn = -now.view.angle;
    }
    ImGui::PopID();
  }
  if (!entered) return;
  // A number that was not typed keeps all its digits.
  DecimalView decimal = decimal_of(now.view);
  double angle = now.view.angle;
  const std::array<std::string, 4> before = place_texts(now.view);
  if (state.texts[0] != before[0]) decimal.re = state.texts[0];
  if (state.texts[1] != before[1]) decimal.im = state.texts[1];
  if (state.texts[2] != before[2]) decimal.width = state.texts[2];
  try {
    if (state.texts[3] != before[3]) angle = parse_number(state.texts[3], "the angle");
    edit.commands.go_to = typed_view(std::move(decimal), angle);
    state.problem.clear();
  } catch (const InputError& error) {
    state.problem = error.what();
  }
}

void formula_choice(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now) {
  EscapeTimeSet& set = edit.settings.config.set;
  row_label("Formula");
  ImGui::SetNextItemWidth(remaining_width());
  const auto hint = [&](const FormulaRow& row) {
    EscapeTimeSet of = set;
    of.formula = row.formula;
    return format_text("{}. {}", row.expression, filling_theorem(of));
  };
  state.formulas = {};
  VolumeSettings& volume = edit.settings.volume;
  if (ImGui::BeginCombo("##formula",
                        volume.shown ? label_of(volume.config.set) : row_of(set.formula).label)) {
    const auto choice = [&](const FormulaRow& row) {
      if (ImGui::Selectable(row.label, !volume.shown && row.formula == set.formula)) {
        set.formula = row.formula;
        volume.shown = false;
        if (row.formula == Formula::kCustom) edit.settings.show_formula = true;
      }
      state.formulas[static_cast<std::size_t>(row.formula)] = item_area();
      tooltip(hint(row));
    };
    for (const FormulaRow& row : kFormulas) choice(row);
    choice(kCustomFormula);
    for (const VolumeSet one : kAllVolumeSets) {
      const bool chosen = volume.shown && volume.config.set == one;
      if (ImGui::Selectable(label_of(one), chosen) && !chosen) {
        show_volume(volume, one);
        if (one == VolumeSet::kCustom) edit.settings.show_formula = true;
      }
      tooltip(hint_of(one));
    }
    ImGui::EndCombo();
  }
  state.formula = item_area();
  tooltip(volume.shown ? Text(hint_of(volume.config.set)) : hint(row_of(set.formula)));
  if (volume.shown) return;
  if (set.formula == Formula::kMultibrot) {
    row_label("Power");
    ImGui::SetNextItemWidth(remaining_width());
    slider("##power", &set.power, kMinPower, kMaxPower, "%u", ImGuiSliderFlags_AlwaysClamp);
    tooltip("d of z^d + c");
  }
  row_label("Julia set");
  if (!set.julia) {
    const Text open = now.pinned ? format_text("Open {:.3f} {} {:.3f} i###julia", now.pinned->re,
                                               now.pinned->im < 0 ? "−" : "+", std::abs(now.pinned->im))
                                 : Text("Right-click a point###julia");
    if (choice_button(open.c_str(), false, remaining_width(),
                      now.pinned ? ""
                                 : "A right-click on a point of the picture opens its Julia set (Ctrl Shift "
                                   "J); a click pins the point for the inset and for this button",
                      "Opens the Julia set of the pinned point (Ctrl Shift J, or a click on the inset)"))
      edit.commands.toggle_julia = true;
    return;
  }
  if (choice_button("Back##julia", false, button_width("Back"), {},
                    "Back to the parameter plane (Ctrl Shift J, or a right-click on the picture)"))
    edit.commands.toggle_julia = true;
  ImGui::SameLine();
  ImGui::SetNextItemWidth(remaining_width());
  std::array<double, 2> c = {set.julia->re, set.julia->im};
  constexpr float kSpeed = 0.002f;
  constexpr double kMost = 2;
  constexpr double kLeast = -kMost;
  if (ImGui::DragScalarN("##c", ImGuiDataType_Double, c.data(), 2, kSpeed, &kLeast, &kMost, "%.6g",
                         ImGuiSliderFlags_AlwaysClamp) &&
      std::hypot(c[0], c[1]) <= kMost)
    set.julia = JuliaPoint{c[0], c[1]};
  tooltip(
      "c of the Julia set, re and im, at a distance of at most 2 from 0. Drag to change, Ctrl + click to "
      "type; or drag in the inset");
}

void dwell_choice(MandelbrotSettings& settings, const MandelbrotStats& now) {
  MandelbrotConfig& config = settings.config;
  const ScopedControlMark marked(Control::kDwell);
  row_label("Dwell limit");
  const float automatic = button_width("Auto");
  ImGui::SetNextItemWidth(remaining_width() - automatic - ImGui::GetStyle().ItemSpacing.x);
  const auto choose = [&](std::uint32_t limit) {
    config.dwell_limit = limit;
    settings.dwell_by_depth = false;
  };
  std::uint32_t limit = config.dwell_limit;
  constexpr std::uint32_t kLeast = 16;
  if (slider("##dwell", &limit, kLeast, kMaxDwellLimit, "%u",
             ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic))
    choose(limit);
  tooltip(
      "Dwell: iterations until a point escapes. A pixel that reaches the limit counts as inside. Ctrl + "
      "click "
      "to type a number.");
  ImGui::SameLine();
  if (choice_button("Auto", settings.dwell_by_depth, automatic, {},
                    format_text("The dwell limit grows with the depth: {} more each time the width is halved",
                                kDefaultDwellLimit)))
    settings.dwell_by_depth = !settings.dwell_by_depth;
  if (!now.nothing_escapes(config.dwell_limit)) return;
  warning(format_text("Every pixel is at the dwell limit of {}", config.dwell_limit));
  if (config.dwell_limit >= kMaxDwellLimit) return;
  const std::uint32_t higher =
      config.dwell_limit > kMaxDwellLimit / 4 ? kMaxDwellLimit : config.dwell_limit * 4;
  if (choice_button(format_text("Dwell limit {}", higher).c_str(), false, remaining_width(), {},
                    "Shows pixels that escape later. Pixels of the set never escape"))
    choose(higher);
}

// Remaining precision: the bar is full for the whole set and empty where zooming stops.
void gauge_bar(const PrecisionGauge& gauge, const Text& digits) {
  const float height = ImGui::GetTextLineHeight() * 0.5f;
  const float text = ImGui::CalcTextSize(digits.c_str()).x + ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = std::max(remaining_width() - text, height);
  const glm::vec2 corner = ImGui::GetCursorScreenPos();
  const glm::vec2 low{corner.x, corner.y + (ImGui::GetFrameHeight() - height) / 2};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 colour = gauge.state == PrecisionState::kSufficient
                           ? ImGui::GetColorU32(theme::colours().accent)
                           : ImGui::GetColorU32(theme::colours().warning);
  list.AddRectFilled(low, {low.x + width, low.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg), height / 2);
  const float remaining = std::max(static_cast<float>(gauge.remaining) * width, height);
  list.AddRectFilled(low, {low.x + remaining, low.y + height}, colour, height / 2);
  list.AddText(
      {low.x + width + ImGui::GetStyle().ItemInnerSpacing.x, corner.y + ImGui::GetStyle().FramePadding.y},
      ImGui::GetColorU32(ImGuiCol_Text), digits.c_str());
  ImGui::Dummy({width + text, ImGui::GetFrameHeight()});
}

// Of the label and the bar.
Text gauge_hint(const PrecisionGauge& gauge) {
  Text hint =
      "How much deeper this precision can zoom: the decimal digits by which the width can still shrink.";
  if (gauge.ulps == 0) return hint;
  return hint.add(
      " It can be halved {:.0f} more times. Neighbouring pixels are {:.3g} ulps of the coordinates apart; "
      "below "
      "{:.0f} a warning appears, at {:.0f} the zoom stops.",
      std::floor(gauge.octaves_left), gauge.ulps, kWarnUlps, kMinUlps);
}

const char* precision_label(Precision precision) {
  return value_for<Precision::kPerturbedWide>(
      {"Automatic", "float", "double", "perturbed float", "perturbed double", "perturbed wide float",
       "perturbed wide double"},
      precision);
}

const char* hint_of(Precision precision) {
  return value_for<Precision::kPerturbedWide>(
      {"The cheapest evaluator that is exact enough for the view; pixels that rounding may have "
       "changed are "
       "computed again with two doubles (A)",
       "The coordinates in IEEE binary32: 24 bits (A)", "The coordinates in IEEE binary64: 53 bits (A)",
       "Distances from a reference orbit in binary32: fast, not exact. Widths above 1e-31 (A)",
       "Distances from a reference orbit in binary64. Widths above 1e-289 (A)",
       "Distances in binary32 with an exponent of 32 bits: fast, not exact. Widths from 1e-1000000 (A)",
       "Distances in binary64 with an exponent of 32 bits. Widths from 1e-1000000 (A)"},
      precision);
}

// Always one line, so that nothing below moves while the view changes. A reference orbit serves deeper views
// until its digits run out.
void orbit_row(const PerturbationStats* stats, const MandelbrotStats& now) {
  ImGui::BeginGroup();
  row_label("Reference");
  if (stats == nullptr) {
    note(is_perturbed(now.evaluator) ? "–" : "no orbit needed");
    ImGui::EndGroup();
    return tooltip("Below the widths of float and double, pixels are computed from a reference orbit");
  }
  const auto digits_of = [](auto bits) { return static_cast<double>(bits) * std::log10(2.0); };
  if (stats->undecided > 0) {
    warning(format_text("{} pixels may be wrong", format_count(stats->undecided)));
  } else {
    note(format_text("{} points, {:.0f} digits", format_count(stats->orbit_length),
                     std::floor(digits_of(stats->bits))));
  }
  ImGui::EndGroup();
  Text more = format_text(
      "Reference orbit: {} points{}, {:.0f} digits, {:.0f} spare", format_count(stats->orbit_length),
      stats->period > 0 ? " (period)" : "", std::floor(digits_of(stats->bits)),
      std::max(0.0, std::floor(digits_of(stats->bits - reference_bits(decimal_of(now.view))))));
  if (stats->uncertain > 0)
    more.add(". {} uncertain pixels computed with two doubles", format_count(stats->uncertain));
  tooltip(more);
}

void precision_choice(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now) {
  const ScopedControlMark marked(Control::kPrecision);
  MandelbrotConfig& config = edit.settings.config;
  row_label("Precision");
  ImGui::SetNextItemWidth(remaining_width());
  const bool automatic = config.precision == Precision::kAuto;
  const Text shown =
      automatic ? format_text("Auto: {}", precision_label(now.evaluator)) : precision_label(config.precision);
  if (ImGui::BeginCombo("##precision", shown.c_str())) {
    for (const Precision one : kPrecisions) {
      const bool perturbs = config.set.perturbs() || !is_perturbed(one);
      const bool fits = perturbs && fits_precision(now.view, now.picture, one);
      ImGui::BeginDisabled(!fits);
      if (ImGui::Selectable(precision_label(one), one == config.precision)) config.precision = one;
      ImGui::EndDisabled();
      if (fits) {
        tooltip(hint_of(one));
      } else if (!perturbs) {
        tooltip(format_text("{}: {}", precision_label(one), perturbation_problem(config.set)));
      } else {
        tooltip(format_text("{} cannot show a width of {}: zoom out to select it", precision_label(one),
                            shortened_decimal(decimal_of(now.view).width, 3)));
      }
    }
    ImGui::EndCombo();
  }
  state.precision = item_area();
  tooltip(hint_of(config.precision));
  ImGui::BeginGroup();
  row_label("Depth left");
  gauge_bar(now.gauge, plural(static_cast<std::uint64_t>(now.gauge.octaves_left * std::log10(2.0)), "digit"));
  ImGui::EndGroup();
  tooltip(gauge_hint(now.gauge));
  orbit_row(now.report && now.report->perturbation ? &*now.report->perturbation : nullptr, now);
  if (automatic || now.gauge.state == PrecisionState::kSufficient) return;
  const bool at_end = now.gauge.state == PrecisionState::kExhausted;
  warning(format_text("{} {}", precision_label(config.precision),
                      at_end ? "precision exhausted" : "precision almost exhausted"));
  if (choice_button("Use automatic precision", false, remaining_width(), {}, hint_of(Precision::kAuto)))
    config.precision = Precision::kAuto;
}

const char* hint_of(Colouring colouring) {
  return value_for<Colouring::kAdaptive>(
      {"One colour per dwell (C)",
       "Continuous colours by the smooth dwell (C), which repeat after a number of dwells. The orbit "
       "of "
       "every exterior pixel is computed once more.",
       "Histogram colouring: colours are distributed evenly over the pixels (C)",
       "Continuous colours that follow the dwells of the picture at any depth (C). The orbit of every "
       "exterior pixel is computed once more, so the method saves work only in the interior."},
      colouring);
}

void colouring_row(MandelbrotSettings& explorer) {
  row_label("Colouring");
  ImGui::SetNextItemWidth(remaining_width());
  if (ImGui::BeginCombo("##colouring", name_of(explorer.colouring).data())) {
    for (const Colouring one : kColourings) {
      if (ImGui::Selectable(name_of(one).data(), one == explorer.colouring)) explorer.colouring = one;
      tooltip(hint_of(one));
    }
    ImGui::EndCombo();
  }
  tooltip(hint_of(explorer.colouring));
}

}  // namespace

void mandelbrot_basics(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now) {
  if (!section("Basics")) return;
  formula_choice(state, edit, now);
  if (edit.settings.volume.shown) return volume_basics(edit, now);
  {
    const ScopedControlMark marked(Control::kPlace);
    place_fields(state.place, edit, now);
    history_row(edit, now);
    tour_row(edit, now);
    minibrot_row(edit, now);
    // Below the buttons, which stay where they are.
    if (!state.place.problem.empty()) warning(state.place.problem);
  }
  dwell_choice(edit.settings, now);
  precision_choice(state, edit, now);
  colouring_row(edit.settings);
}

}  // namespace loom::app
