#include "app/cli/options/mandelbrot_scene_options.h"

#include <fmt/format.h>

#include <array>

#include "app/cli/options/read_number.h"
#include "compute/core/error.h"
#include "compute/core/named_choice.h"

namespace loom::app {
namespace {

constexpr double kMaxCentre = 4;
constexpr double kLeastWidth = 1e-13;
constexpr double kMaxWidth = 16;

}  // namespace

MandelbrotSettings MandelbrotSceneOptions::settings(const MandelbrotSettings* opened) const {
  MandelbrotSettings chosen = opened != nullptr ? *opened : MandelbrotSettings{};
  if (method) set_method(chosen.config, parse_mandelbrot_method(*method));
  if (scheme) chosen.config.scheme = parse_region_scheme(*scheme);
  cut.apply_to(chosen.config);
  if (dwell) {
    chosen.config.dwell_limit = static_cast<std::uint32_t>(read_whole_number("--dwell", *dwell, 1, 65535));
  }
  colours.apply_to(chosen);
  if (regions) chosen.overlay = parse_choice("regions", *regions, kRegionOverlays);
  if (method || cut.g || cut.r || cut.b) chosen.automatic = false;
  if (automatic && *automatic != "on" && *automatic != "off") {
    throw InputError(fmt::format("unknown --automatic '{}'; allowed: on, off", *automatic));
  }
  if (automatic) chosen.automatic = *automatic == "on";
  if (model) chosen.show_model = true;
  if (every_frame) chosen.measure = true;
  if (timeline) chosen.show_timeline = true;
  first_view();
  return chosen;
}

std::optional<ComplexView> MandelbrotSceneOptions::first_view() const {
  if (view.empty()) return std::nullopt;
  const std::string allowed =
      fmt::format("RE,IM,WIDTH: centre, each from -{0} to {0}, and width, from {1} to {2}", kMaxCentre,
                  kLeastWidth, kMaxWidth);
  constexpr std::array<Bounds, 3> kBounds = {
      {{-kMaxCentre, kMaxCentre}, {-kMaxCentre, kMaxCentre}, {kLeastWidth, kMaxWidth}}};
  const std::vector<double> numbers = read_numbers("--view", view, kBounds, allowed);
  return ComplexView{{numbers[0], numbers[1]}, numbers[2]};
}

void add_mandelbrot_scene_options(CLI::App& command, MandelbrotSceneOptions& options) {
  command.add_option("--workspace", options.workspace, "life (default) or mandelbrot")->type_name("NAME");
  command
      .add_option("--view", options.view,
                  "Mandelbrot: centre and width of the view, RE,IM,WIDTH; double precision where float is "
                  "not sufficient")
      ->type_name("NUMBERS")
      ->expected(1, 3);
  command.add_option("--method", options.method, "Mandelbrot: exhaustive, dp or ask (default)")
      ->type_name("METHOD");
  command.add_option("--scheme", options.scheme, "Mandelbrot: sbr (default) or mbr")->type_name("SCHEME");
  add_cut_options(command, options.cut, "Mandelbrot: ", MandelbrotSettings{}.config);
  command.add_option("--dwell", options.dwell, "Mandelbrot: dwell limit, 1 to 65535 (512 by default)")
      ->type_name("N");
  add_dwell_colour_options(command, options.colours, "Mandelbrot: ");
}

void add_mandelbrot_window_options(CLI::App& command, MandelbrotSceneOptions& options) {
  command
      .add_option("--regions", options.regions,
                  "Mandelbrot: off (default), levels, kinds, waits (warp divergence) or devices")
      ->type_name("NAME");
  command
      .add_option("--automatic", options.automatic,
                  "Mandelbrot: choose method, g, r and B by timing, on or off (on for a GPU by default, "
                  "unless one of them is given)")
      ->type_name("on|off");
  command.add_flag("--every-frame", options.every_frame, "Mandelbrot: compute in every frame");
  command.add_flag("--timeline", options.timeline,
                   "Mandelbrot: record one computation and show its timeline next to the picture");
  command.add_flag(
      "--model", options.model,
      "Mandelbrot: show the cost model; shot first measures the exhaustive method and the landscape");
}

}  // namespace loom::app
