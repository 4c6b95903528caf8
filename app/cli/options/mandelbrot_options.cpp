#include "app/cli/options/mandelbrot_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app {
namespace {

constexpr std::uint32_t kMaxSide = 1 << 20;
constexpr double kMaxCentre = 4;
constexpr double kLeastWidth = 1e-13;
constexpr double kMaxWidth = 16;
constexpr const char* kPrefix = "Mandelbrot: ";

ComplexWindow read_window(const std::vector<std::string>& words) {
  constexpr double kMost = std::numeric_limits<double>::max();
  constexpr std::array<Bounds, 4> kFinite = {
      {{-kMost, kMost}, {-kMost, kMost}, {-kMost, kMost}, {-kMost, kMost}}};
  const std::vector<double> numbers =
      read_numbers("--window", words, kFinite, "four numbers, RE_MIN,RE_MAX,IM_MIN,IM_MAX, each finite");
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

void add_formula_file_option(CLI::App& command, MandelbrotOptions& options, const std::string& prefix) {
  add_text(command, "--formula-file", options.formula_file, "FILE",
           prefix + "Iterate the formula in this file: Complex next(Complex z, Complex c) {...}");
}

void add_decimal_view_options(CLI::App& command, MandelbrotOptions& options, const std::string& prefix,
                              const char* other) {
  add_text(command, "--center", options.center, "RE,IM",
           fmt::format("{}Instead of {}: centre of the view, decimal numbers with any number of digits",
                       prefix, other));
  add_text(command, "--width", options.width, "NUMBER",
           prefix + "With --center: width of the view, like 1.5e-100; pixels are squares");
  add_text(command, "--angle", options.angle, "DEGREES",
           prefix +
               "Turn the view about its centre: c = centre + (c - centre) e^(i angle), which turns the "
               "image counterclockwise (0 by default)");
}

/// Throws InputError for a listed optimization that the set, or a turned view of it, does not have.
void check_ideas(const MandelbrotConfig& config, bool is_turned) {
  const MandelbrotOptimisations& ideas = config.optimisations;
  if (ideas == MandelbrotOptimisations{}) return;
  const auto refuse = [&](std::string_view name, std::string_view reason) {
    throw InputError(
        fmt::format("--ideas {} has no effect with {}: {}; allowed: all, none, or a list without "
                    "{}",
                    name, is_turned ? "--angle" : to_string(config.set), reason, name));
  };
  if (is_turned && (ideas.interior || ideas.mirror))
    refuse(ideas.interior ? "interior" : "mirror", "it is for views that are not turned");
  if (ideas.interior && !config.set.is_mandelbrot())
    refuse("interior", "no closed form of its components is known here");
  if (ideas.mirror && !config.set.mirrors_rows())
    refuse("mirror", "the set is not symmetric about the real axis");
}

void take_formula(const MandelbrotOptions& options, CustomFormula&& code, EscapeTimeSet& set) {
  const std::optional<std::string>& formula = typed_value(options.fields, "formula");
  if (formula && *formula != name_of(Formula::kCustom)) {
    throw InputError(
        fmt::format("--formula-file with --formula {} is not allowed; allowed: one of the two", *formula));
  }
  set.formula = Formula::kCustom;
  set.custom = std::move(code);
  set.custom.check();
}
/// The set of --formula-file, if it was typed.
void read_formula_file(const MandelbrotOptions& options, EscapeTimeSet& set) {
  if (options.formula_file) take_formula(options, formula_in_file(*options.formula_file), set);
}

/// For the workspace, which shows the set of a formula in space in place of one in the plane.
void read_formula_file(const MandelbrotOptions& options, MandelbrotSettings& chosen) {
  if (!options.formula_file) return;
  CustomFormula code = formula_in_file(*options.formula_file);
  const auto& space = typed_value(options.fields, "space");
  if (dimensions_of(code) != 3 && !(space && chosen.volume.shown))
    return take_formula(options, std::move(code), chosen.config.set);
  if (space && *space != name_of(VolumeSet::kCustom)) {
    throw InputError(
        fmt::format("--formula-file with --space {} is not allowed; allowed: one of the two", *space));
  }
  show_volume(chosen.volume, VolumeSet::kCustom);
  chosen.volume.config.custom = std::move(code);
  check_in_space(chosen.volume.config.custom);
}

/// Throws InputError for an option of sets in the plane.
void check_effect_in_space(const MandelbrotOptions& options) {
  const auto refuse = [](std::string_view option) {
    throw InputError(fmt::format("--{} has no effect on a set in space; allowed: without --space", option));
  };
  for (const char* const option : {"formula", "julia", "precision", "fill", "ideas", "block-shape",
                                   "colouring", "cycle", "interior", "points", "regions"}) {
    if (typed_value(options.fields, option)) refuse(option);
  }
  if (!options.view.empty()) refuse("view");
  if (options.center) refuse("center");
  if (options.width) refuse("width");
  if (options.angle) refuse("angle");
}

/// Those that a set in space does not read.
TypedFields without_volume_fields(TypedFields fields) {
  for (const auto& field : volume_fields()) fields.erase(std::string(field.option));
  return fields;
}

}  // namespace

MandelbrotConfig MandelbrotOptions::config() const {
  MandelbrotConfig config;
  TypedFields typed = fields;
  if (std::optional<std::string>& ideas = typed["ideas"]; !ideas || *ideas == kAutoWord) ideas.reset();
  // The published precision is that of a window; a decimal view has any depth.
  if (center) config.precision = Precision::kAuto;
  if (width && is_decimal(*width)) config.dwell_limit = default_dwell_limit(*width);
  read_formula_file(*this, config.set);
  read_fields(typed, mandelbrot_config_fields(), config);
  validate(config);
  if (typed["ideas"]) check_ideas(config, MandelbrotView{.angle = turn()}.is_turned());
  return config;
}

MandelbrotView MandelbrotOptions::image() const {
  MandelbrotView image_view;
  if (size) {
    const glm::uvec2 sides(read_sides("--size", *size, kMaxSide, allowed_sides(kMaxSide)));
    image_view.width = sides.x;
    image_view.height = sides.y;
  }
  if (center.has_value() != width.has_value())
    throw InputError("--center and --width belong together; allowed: both, or --window");
  if (center) {
    if (!window.empty()) throw InputError("--window with --center is not allowed; allowed: one of the two");
    image_view = make_decimal_view(parse_decimal_view(*center, *width), image_view.width, image_view.height);
  }
  if (!window.empty()) image_view.window = read_window(window);
  image_view.angle = turn();
  validate(resolved(config(), image_view), image_view);
  return image_view;
}

MandelbrotSettings MandelbrotOptions::colours() const {
  MandelbrotSettings colours;
  read_fields(fields, dwell_colour_fields(), colours);
  return colours;
}

MandelbrotSettings MandelbrotOptions::settings(const MandelbrotSettings* opened) const {
  MandelbrotSettings chosen = opened != nullptr ? *opened : MandelbrotSettings{};
  if (const auto& space = typed_value(fields, "space")) {
    const auto rows = mandelbrot_window_fields();
    std::ranges::find(rows, "space", &FieldInfo::option)->read(*space, chosen, "--space");
  }
  read_formula_file(*this, chosen);
  if (chosen.volume.shown) check_effect_in_space(*this);
  const TypedFields of_plane = chosen.volume.shown ? without_volume_fields(fields) : fields;
  if (chosen.volume.shown) read_fields(fields, volume_fields(), chosen.volume);
  read_fields(of_plane, mandelbrot_config_fields(), chosen.config);
  validate(chosen.config);
  if (chosen.volume.shown) validate(chosen.volume_config());
  if (typed_value(fields, "dwell")) chosen.dwell_by_depth = false;
  // A value that automatic tuning would choose turns it off.
  for (const char* tuned : {"method", "g", "r", "b"}) {
    if (typed_value(fields, tuned)) chosen.automatic = false;
  }
  read_fields(fields, dwell_colour_fields(), chosen);
  read_fields(fields, mandelbrot_window_fields(), chosen);
  const std::optional<ComplexView> typed = first_view();
  constexpr glm::ivec2 kPicture{1024, 1024};
  if (typed && !chosen.config.set.perturbs() &&
      !fits_precision(*typed, kPicture, limiting_precision(chosen.config))) {
    throw InputError(
        fmt::format("width {} is not allowed: {}; allowed: larger widths, or --formula mandelbrot",
                    shown_digits_of(decimal_of(*typed)).width, perturbation_problem(chosen.config.set)));
  }
  if (typed && chosen.dwell_by_depth) chosen.config.dwell_limit = depth_dwell_limit(*typed);
  return chosen;
}

double MandelbrotOptions::turn() const {
  constexpr double kMost = std::numeric_limits<double>::max();
  constexpr std::array kFinite = {Bounds{-kMost, kMost}};
  return angle ? read_numbers("--angle", {*angle}, kFinite, "a finite number of degrees").front() : 0;
}

std::optional<ComplexView> MandelbrotOptions::first_view() const {
  if (center.has_value() != width.has_value())
    throw InputError("--center and --width belong together; allowed: both, or --view");
  if (center) {
    if (!view.empty()) throw InputError("--view with --center is not allowed; allowed: one of the two");
    return typed_view(parse_decimal_view(*center, *width), turn());
  }
  if (view.empty()) return std::nullopt;
  return turned(read_view("--view", view, fmt::format("{}", kLeastWidth)), turn());
}

CustomFormula formula_in_file(const std::string& file) {
  return CustomFormula(read_input(file, std::uint64_t{1} << 26, "the code of a formula"));
}

ComplexView read_view(std::string_view option, const std::vector<std::string>& words,
                      std::string_view least_width) {
  const std::string allowed =
      fmt::format("RE,IM,WIDTH: centre, each from -{0} to {0}, and width, from {1} to {2}", kMaxCentre,
                  least_width, kMaxWidth);
  constexpr std::array<Bounds, 3> kBounds = {
      {{-kMaxCentre, kMaxCentre}, {-kMaxCentre, kMaxCentre}, {kLeastWidth, kMaxWidth}}};
  const std::vector<double> numbers = read_numbers(option, words, kBounds, allowed);
  return {{numbers[0], numbers[1]}, numbers[2]};
}

int MandelbrotOptions::device_number() const {
  return read_device(device, parse_backend(backend.value_or("auto")));
}

BackendSelection MandelbrotOptions::selected_backend() const {
  return select_backend(parse_backend(backend.value_or("auto")), device_number());
}

DeviceSelection MandelbrotOptions::selected_devices(const ProcessGroup* ranks) const {
  return select_devices(parse_backend(backend.value_or("auto")), device_number(), device.has_value(), devices,
                        ranks);
}

void add_mandelbrot_options(CLI::App& command, MandelbrotOptions& options) {
  add_field_options(command, mandelbrot_config_fields(), options.fields, "", MandelbrotConfig{});
  add_formula_file_option(command, options, "");
  add_text(command, "--window", options.window, "NUMBERS",
           "RE_MIN,RE_MAX,IM_MIN,IM_MAX (-1.5,0.5,-1,1 by default)")
      .expected(1, 4);
  add_decimal_view_options(command, options, "", "--window");
  add_text(command, "--size", options.size, "WxH", "Size of the image in pixels (1024x1024 by default)");
  add_text(command, "--backend", options.backend, "BACKEND", "Where to compute: auto (default), cuda or cpu");
  add_text(command, "--device", options.device, "N", "Number of the CUDA device (0 by default)");
}

void add_dwell_colour_options(CLI::App& command, MandelbrotOptions& options, const std::string& prefix) {
  add_field_options(command, dwell_colour_fields(), options.fields, prefix, MandelbrotSettings{});
}

void add_mandelbrot_scene_options(CLI::App& command, MandelbrotOptions& options) {
  add_text(command, "--view", options.view, "NUMBERS",
           "Mandelbrot: centre and width of the view, RE,IM,WIDTH; for more digits, --center")
      .expected(1, 3);
  add_decimal_view_options(command, options, kPrefix, "--view");
  add_field_options(command, mandelbrot_config_fields(), options.fields, kPrefix, MandelbrotSettings{}.config,
                    &FieldInfo::in_scene);
  add_formula_file_option(command, options, kPrefix);
  add_dwell_colour_options(command, options, kPrefix);
}

void add_mandelbrot_window_options(CLI::App& command, MandelbrotOptions& options) {
  add_field_options(command, mandelbrot_window_fields(), options.fields, kPrefix, MandelbrotSettings{});
}

}  // namespace loom::app
