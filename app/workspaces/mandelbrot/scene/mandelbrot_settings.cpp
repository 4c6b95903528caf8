#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <glm/common.hpp>
#include <utility>

#include "app/explain/colour_by.h"
#include "app/settings/field_json.h"
#include "app/text/text.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"
#include "compute/core/input_text.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app {

namespace {

glm::u8vec3 interior_of(const render::Palette& palette, InteriorColour interior) {
  return value_for<InteriorColour::kWhite>({palette.hole, glm::u8vec3(0), glm::u8vec3(255)}, interior);
}

/// Of adaptive colouring. Ranks alone spread noise over few dwells far from the set; the logarithm alone
/// leaves most of a deep picture one colour.
constexpr double kRankWeight = 0.7;

/// The range of dwells covered by the logarithmic scale.
struct Span {
  double low = 0;
  double high = 1;
};

Span span_of(const DwellHistogram& histogram, std::uint32_t limit) {
  std::uint64_t exterior = 0;
  for (std::uint32_t dwell = 0; dwell < limit; ++dwell) exterior += histogram[dwell];
  std::uint64_t below = 0;
  Span span{static_cast<double>(limit), 0};
  for (std::uint32_t dwell = 0; dwell < limit; ++dwell) {
    if (histogram[dwell] > 0) span.low = std::min<double>(span.low, dwell);
    if (below < exterior - exterior / 500) span.high = dwell;
    below += histogram[dwell];
  }
  if (span.low > span.high) return {0, std::max(1.0, limit - 1.0)};
  span.high = std::max(span.high, span.low + 1);
  return span;
}

}  // namespace

std::string_view name_of(Colouring colouring) {
  return value_for<Colouring::kAdaptive>({"bands", "smooth", "histogram", "adaptive"}, colouring);
}

std::string_view name_of(InteriorColour colour) {
  return value_for<InteriorColour::kWhite>({"palette", "black", "white"}, colour);
}

DwellHistogram count_dwells(const MandelbrotEngine& engine) {
  DwellHistogram histogram(engine.config().dwell_limit + std::uint64_t{1});
  engine.count_dwells(histogram);
  return histogram;
}

ScaledHistogram count_dwells_by_scale(const MandelbrotEngine& engine) {
  const std::uint32_t limit = engine.config().dwell_limit;
  ScaledHistogram result{.scale = {.limit = limit}, .counts = {}};
  if (limit <= kMaxNarrowLimit) {
    result.counts = count_dwells(engine);
    return result;
  }
  std::vector<std::uint32_t> dwells(engine.view().pixels());
  engine.read_dwells(0, dwells);
  std::uint32_t lowest = limit;
  std::uint32_t highest = 0;
  for (const std::uint32_t dwell : dwells) {
    if (dwell >= limit) continue;
    lowest = std::min(lowest, dwell);
    highest = std::max(highest, dwell);
  }
  const std::uint32_t range = lowest <= highest ? highest - lowest : 0;
  result.scale.first = std::min(lowest, highest);
  while (range >> result.scale.shift >= kMaxNarrowLimit) ++result.scale.shift;
  result.counts.assign((range >> result.scale.shift) + std::size_t{2}, 0);
  for (const std::uint32_t dwell : dwells) ++result.counts[result.scale.entry(dwell, result.counts.size())];
  return result;
}

void dwell_colours(const render::Palette& palette, const DwellColouring& how,
                   const ScaledHistogram& histogram, DwellColours& colours) {
  colours.scale = histogram.scale;
  const bool cycles = how.cycles() && histogram.scale.limit > kMaxNarrowLimit;
  if (cycles) colours.scale = {.limit = histogram.scale.limit, .cycle = how.cycle};
  const auto entries = static_cast<std::uint32_t>(histogram.counts.size()) - 1;
  dwell_colours(palette, how, histogram.counts, cycles ? how.cycle : entries, colours.colours);
}

void dwell_colours(const render::Palette& palette, const DwellColouring& how, const DwellHistogram& histogram,
                   std::uint32_t limit, std::vector<glm::u8vec3>& colours) {
  if (how.cycles()) {
    colours.assign(limit + std::size_t{1}, interior_of(palette, how.interior));
    for (std::uint32_t dwell = 0; dwell < limit; ++dwell) {
      const double turn = static_cast<double>(dwell % how.cycle) / how.cycle;
      colours[dwell] = palette.cycle[static_cast<std::size_t>(std::lround(256 * turn)) % 256];
    }
    return;
  }
  if (histogram.empty()) {
    const DwellHistogram one_each(limit + std::uint64_t{1}, 1);
    return dwell_colours(palette, how, one_each, limit, colours);
  }
  std::uint64_t exterior = 0;
  for (std::uint32_t dwell = 0; dwell < limit; ++dwell) exterior += histogram[dwell];
  const Span span = span_of(histogram, limit);
  const double most = std::log1p(span.high - span.low);

  colours.assign(limit + std::size_t{1}, interior_of(palette, how.interior));
  std::uint64_t below = 0;
  for (std::uint32_t dwell = 0; dwell < limit; ++dwell) {
    double place = dwell < span.high ? std::log1p(std::max(0.0, dwell - span.low)) / most : 1;
    if (how.colouring == Colouring::kHistogram && exterior > 0) {
      // Use the middle of the ranks with this dwell, so that a single dwell is at neither end of the scale.
      place = (static_cast<double>(below) + static_cast<double>(histogram[dwell]) / 2) /
              static_cast<double>(exterior);
    }
    if (how.colouring == Colouring::kAdaptive) {
      // The rank at which this dwell begins, since smooth dwells are interpolated up to the next one.
      const double rank = exterior > 0 ? static_cast<double>(below) / static_cast<double>(exterior) : place;
      const double turn = kRankWeight * rank + (1 - kRankWeight) * place;
      colours[dwell] = palette.cycle[static_cast<std::size_t>(std::lround(256 * turn)) % 256];
    } else {
      colours[dwell] = palette.ramp[static_cast<std::size_t>(std::lround(255 * place))];
    }
    below += histogram[dwell];
  }
}

std::string_view name_of(RegionOverlay overlay) {
  return value_for<RegionOverlay::kDevices>({"off", "levels", "kinds", "waits", "devices"}, overlay);
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
  const auto of_volume = changed_undo_names(volume_fields(), before.volume, after.volume);
  if (before.volume.shown != after.volume.shown && !of_volume.empty()) return of_volume.front();
  names.insert(names.end(), of_volume.begin(), of_volume.end());
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

constexpr std::string_view kInPlane = "none";

constexpr Field<MandelbrotSettings> space_field() {
  Field<MandelbrotSettings> field = MandelbrotRow::other<&MandelbrotSettings::volume>(
      {.key = "space",
       .option = "space",
       .label = "set in space",
       .purpose = "A set in space in place of one in the plane",
       .in_scene = false,
       .form = FieldForm::kName,
       .values = [] {
         std::vector<std::string> names = {std::string(kInPlane)};
         for (const VolumeSet set : kAllVolumeSets) names.emplace_back(name_of(set));
         return names;
       }});
  field.assign = [](std::string_view text, MandelbrotSettings& settings) {
    settings.volume.shown = text != kInPlane;
    if (settings.volume.shown) show_volume(settings.volume, parse_volume_set(text));
  };
  field.text = [](const MandelbrotSettings& settings) -> std::optional<std::string> {
    return std::string(settings.volume.shown ? name_of(settings.volume.config.set) : kInPlane);
  };
  return field;
}

constexpr std::array kWindowFields = {
    space_field(),
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

namespace {

using VolumeRow = FieldOf<VolumeSettings>;

/// Numbers with commas between them.
template <std::size_t kCount>
std::array<double, kCount> read_list(std::string_view text, std::string_view what) {
  std::array<double, kCount> numbers{};
  std::size_t from = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::size_t end = text.find(',', from);
    if ((end == std::string_view::npos) != (i + 1 == kCount))
      throw InputError(fmt::format("{} '{}' is not allowed; allowed: {} numbers with commas between them",
                                   what, shown(text), kCount));
    numbers[i] = parse_number(text.substr(from, end - from), what);
    from = end + 1;
  }
  return numbers;
}

std::array<double, 4> read_c(std::string_view text) {
  return read_list<4>(text, "c");
}
std::string c_text(const std::array<double, 4>& c) {
  return fmt::format("{}", fmt::join(c, ","));
}
VolumeBox read_box(std::string_view text) {
  const auto sides = read_list<6>(text, "box");
  return {{sides[0], sides[2], sides[4]}, {sides[1], sides[3], sides[5]}};
}
std::string box_text(const VolumeBox& box) {
  return fmt::format("{},{},{},{},{},{}", box.low[0], box.high[0], box.low[1], box.high[1], box.low[2],
                     box.high[2]);
}

// Options of the subcommand volume. Its method is one of these settings' configuration.

/// A whole number of the configuration.
template <auto kNumber>
constexpr Field<VolumeSettings> volume_number(std::string_view key, std::string_view option,
                                              std::string_view purpose, std::string_view undo,
                                              std::uint64_t lowest, std::uint64_t highest) {
  return VolumeRow::whole<kMember<&VolumeSettings::config, kNumber>>({.key = key,
                                                                      .option = option,
                                                                      .label = key,
                                                                      .purpose = purpose,
                                                                      .undo = undo,
                                                                      .in_lesson = true,
                                                                      .lowest = lowest,
                                                                      .highest = highest});
}

template <VolumeSet kSet>
constexpr Field<VolumeSettings> of_set(std::string_view applies_with, Field<VolumeSettings> field) {
  field.applies = [](const VolumeSettings& own) { return own.config.set == kSet; };
  field.applies_with = applies_with;
  return field;
}
constexpr Field<VolumeSettings> of_regions(Field<VolumeSettings> field) {
  field.applies = [](const VolumeSettings& own) {
    return own.config.method != MandelbrotMethod::kExhaustive;
  };
  field.applies_with = "--method dp or ask";
  return field;
}
constexpr Field<VolumeSettings> of_ask(Field<VolumeSettings> field) {
  field.applies = [](const VolumeSettings& own) { return own.config.method == MandelbrotMethod::kAsk; };
  field.applies_with = "--method ask";
  return field;
}
constexpr Field<VolumeSettings> of_cut(Field<VolumeSettings> field) {
  field.applies = [](const VolumeSettings& own) { return own.cut_axis != CutAxis::kNone; };
  field.applies_with = "--cut-axis";
  return field;
}

constexpr auto kCustomOf = kMember<&VolumeSettings::config, &VolumeConfig::custom>;

constexpr std::array kVolumeFields = {
    VolumeRow::other<&VolumeSettings::shown>(
        {.label = "set in space", .undo = "set in space", .in_lesson = true}),
    VolumeRow::choice<kMember<&VolumeSettings::config, &VolumeConfig::set>, kAllVolumeSets>(
        {.key = "set",
         .option = "set",
         .label = "set",
         .purpose = "z^P + c, q^2 + c, or the formula of --formula-file",
         .undo = "set in space"}),
    of_set<VolumeSet::kMandelbulb>(
        "--set mandelbulb", volume_number<&VolumeConfig::power>("power", "power", "Power of the Mandelbulb",
                                                                "power", kMinBulbPower, kMaxBulbPower)),
    of_set<VolumeSet::kQuaternionJulia>(
        "--set quaternion-julia",
        VolumeRow::text<kMember<&VolumeSettings::config, &VolumeConfig::c>, read_c, c_text>(
            {.key = "c",
             .option = "c",
             .label = "c",
             .purpose = "c of the quaternion Julia set, A,B,C,D, |c| up to 2",
             .undo = "c"})),
    custom_formula_field<VolumeSettings, kCustomOf>(),
    VolumeRow::text<kMember<&VolumeSettings::config, &VolumeConfig::box>, read_box, box_text>(
        {.key = "box",
         .option = "box",
         .label = "box",
         .purpose = "The cube or box of space, X0,X1,Y0,Y1,Z0,Z1",
         .undo = "part of the set"}),
    volume_number<&VolumeConfig::size>("size", "size", "Samples on each axis", "samples", 1, kMaxVolumeSide),
    volume_number<&VolumeConfig::dwell_limit>("dwell_limit", "dwell", "Dwell limit", "dwell limit", 1,
                                              kMaxVolumeLimit),
    of_regions(volume_number<&VolumeConfig::g>("g", "g", "Regions of the first level on each axis",
                                               "subdivision", 1, kMaxVolumeSide)),
    of_regions(volume_number<&VolumeConfig::r>("r", "r", "Parts of a region that splits, on each axis",
                                               "subdivision", 2, kMaxVolumeSide)),
    of_regions(volume_number<&VolumeConfig::b>("b", "b",
                                               "B: regions of at most B samples on an axis do not split",
                                               "subdivision", 1, kMaxVolumeSide)),
    of_ask(VolumeRow::choice<kMember<&VolumeSettings::config, &VolumeConfig::order>, kRegionOrders>(
        {.key = "order",
         .option = "order",
         .label = "order",
         .purpose = "How the offset table of ask names a region, by one number or three coordinates",
         .undo = "order of regions"})),
    of_ask(VolumeRow::choice<kMember<&VolumeSettings::config, &VolumeConfig::scheme>, kRegionSchemes>(
        {.key = "scheme",
         .option = "scheme",
         .label = "scheme",
         .purpose = "Thread blocks for a region of ask on a CUDA device, one or as many as its samples fill",
         .undo = "scheme"})),
    VolumeRow::whole<&VolumeSettings::surface>({.key = "surface",
                                                .option = "surface",
                                                .label = "surface",
                                                .purpose = "Image: the dwell of the surface",
                                                .undo = "surface",
                                                .lowest = 1,
                                                .highest = kMaxVolumeLimit}),
    VolumeRow::choice<&VolumeSettings::colouring, kVolumeColourings>(
        {.key = "colour_by",
         .option = "colour-by",
         .label = "colouring",
         .purpose =
             "Image: colours by the dwell below the surface, the level or number of the filled region, "
             "or the thread block",
         .undo = "colouring"}),
    VolumeRow::choice<&VolumeSettings::cut_axis, kCutAxes>(
        {.key = "cut_axis",
         .option = "cut-axis",
         .label = "cut plane",
         .purpose = "Image: removes what is in front of a plane across this axis of the picture",
         .undo = "cut plane"}),
    of_cut(VolumeRow::real<&VolumeSettings::cut>(
        {.key = "cut",
         .option = "cut",
         .label = "cut plane",
         .purpose = "Image: the place of the plane, a share of the axis",
         .undo = "cut plane",
         .highest = 1})),
    of_regions(VolumeRow::on_off<&VolumeSettings::boxes>(
        {.key = "boxes",
         .option = "boxes",
         .label = "filled boxes",
         .purpose = "Image: the edges of filled boxes, one colour per level",
         .undo = "filled boxes",
         .is_flag = true})),
    of_regions(VolumeRow::on_off<&VolumeSettings::misses>(
        {.key = "misses",
         .option = "misses",
         .label = "misses",
         .purpose = "Image: marks the samples that were filled wrongly, in red; with --check",
         .undo = "misses",
         .is_flag = true})),
};

}  // namespace

std::span<const Field<VolumeSettings>> volume_fields() {
  return kVolumeFields;
}

const char* label_of(VolumeSet set) {
  return value_for<VolumeSet::kCustom>(
      {"Mandelbulb (3-D)", "Quaternion Julia set (3-D)", "Custom formula (3-D)"}, set);
}

const char* hint_of(VolumeSet set) {
  return value_for<VolumeSet::kCustom>(
      {"z^P + c in spherical coordinates, by White and Nylander. No theorem says what is inside a region's "
       "faces",
       "q² + c with quaternions, cut at w = 0. No theorem says what is inside a region's faces",
       "Your own next(v, c) of points in space. No theorem says what is inside a region's faces"},
      set);
}

void show_volume(VolumeSettings& settings, VolumeSet set) {
  settings.shown = true;
  if (settings.config.set == set) return;
  settings.config.set = set;
  settings.config.box = {};
  // The Julia set shows more detail at a greater dwell.
  settings.surface = set == VolumeSet::kQuaternionJulia ? 10 : VolumeSettings().surface;
}

SolidCamera default_volume_camera() {
  SolidCamera camera;
  camera.distance = 1.5f;
  return camera;
}

SolidView volume_view(const VolumeSettings& settings, std::uint32_t size, const SolidCamera& camera,
                      glm::ivec2 picture) {
  SolidView view = camera.view({size, size, size}, picture);
  constexpr std::array kAxes = {&Coord3::x, &Coord3::x, &Coord3::y, &Coord3::z};
  if (settings.cut_axis != CutAxis::kNone) {
    const auto layer = static_cast<std::uint32_t>(std::lround(settings.cut * size));
    view.low.*kAxes[static_cast<std::size_t>(settings.cut_axis)] = std::min(layer, size - 1);
  }
  return view;
}

VolumeLook volume_look(const VolumeSettings& settings, const SolidCamera& camera) {
  const glm::vec3 to_light = camera.orientation * glm::vec3(-0.5f, -0.75f, -0.65f);
  return {.surface = static_cast<float>(std::min(settings.surface, settings.config.dwell_limit)),
          .to_light = {to_light.x, to_light.y, to_light.z},
          .colouring = settings.colouring,
          .boxes = settings.boxes,
          .misses = settings.misses};
}

render::SolidColours volume_colours(const render::Palette& palette, VolumeColouring colouring,
                                    glm::u8vec3 background) {
  render::SolidColours colours = solid_colours(palette, SolidColouring::kTileIndex, background);
  constexpr std::size_t kFirstColour = 64;  // below it, ramps are too dark for shading
  const std::size_t length = palette.ramp.size() - 1 - kFirstColour;
  for (std::size_t i = 0; i <= kVolumeLast; ++i) {
    if (colouring == VolumeColouring::kDwell)
      colours.values[i] = palette.ramp[kFirstColour + i * length / kVolumeLast];
    if (colouring == VolumeColouring::kLevel)
      colours.values[i] = palette.cycle[37 * i % palette.cycle.size()];
  }
  for (std::uint32_t i = kVolumeBoxes; i < kVolumeMiss; ++i)
    colours.values[i] = explain::level_colour(static_cast<int>(i - kVolumeBoxes));
  colours.values[kVolumeMiss] = {255, 60, 60};
  return colours;
}

glm::u8vec3 colour_of_volume_pixel(const render::SolidColours& colours, std::uint32_t pixel, int row,
                                   int rows) {
  const float down = (static_cast<float>(row) + 0.5f) / static_cast<float>(rows);
  const glm::vec3 background = glm::mix(glm::vec3(colours.top), glm::vec3(colours.states[0]), down);
  const float depth = static_cast<float>(pixel >> kVolumeDepthShift) / kVolumeMaxDepth;
  glm::vec3 shown = background;
  if ((pixel & kVolumeHit) != 0) {
    const float light = static_cast<float>(pixel >> kVolumeLightShift & kVolumeMaxLight) / kVolumeMaxLight;
    const glm::vec3 lit = glm::vec3(colours.values[pixel >> kVolumeColourShift & kVolumeMaxColour]) * light *
                          glm::mix(glm::vec3(0.62f, 0.78f, 1.0f), glm::vec3(1), light);
    shown = glm::mix(lit, background, render::kSolidHaze * depth);
  }
  if (const std::uint32_t box = pixel >> kVolumeBoxShift & kVolumeMaxBox; box != 0)
    shown = glm::mix(shown, glm::vec3(colours.values[kVolumeBoxes + box - 1]), 0.85f - 0.5f * depth);
  return glm::u8vec3(glm::round(shown));
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
