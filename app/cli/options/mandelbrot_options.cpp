#include "app/cli/options/mandelbrot_options.h"

#include <array>
#include <limits>

#include "app/cli/options/read_number.h"
#include "compute/backend/mandelbrot_factory.h"

namespace loom::app {
namespace {

constexpr std::uint64_t kMaxDwell = 65535;
constexpr std::uint32_t kMaxSide = 1 << 20;

std::uint32_t read_or(std::string_view option, const std::optional<std::string>& text,
                      std::uint32_t otherwise, std::uint64_t lowest, std::uint64_t highest) {
  if (!text) return otherwise;
  return static_cast<std::uint32_t>(read_whole_number(option, *text, lowest, highest));
}

ComplexWindow read_window(const std::vector<std::string>& words) {
  constexpr double kMost = std::numeric_limits<double>::max();
  constexpr std::array<Bounds, 4> kFinite = {
      {{-kMost, kMost}, {-kMost, kMost}, {-kMost, kMost}, {-kMost, kMost}}};
  const std::vector<double> numbers =
      read_numbers("--window", words, kFinite, "four numbers, RE_MIN,RE_MAX,IM_MIN,IM_MAX, each finite");
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

}  // namespace

MandelbrotConfig MandelbrotOptions::config(const Device& runs_on) const {
  MandelbrotConfig config;
  if (method) config.method = parse_mandelbrot_method(*method);
  if (scheme) config.scheme = parse_region_scheme(*scheme);
  cut.apply_to(config);
  config.dwell_limit = read_or("--dwell", dwell, config.dwell_limit, 1, kMaxDwell);
  if (config.method == MandelbrotMethod::kDp) config.block = {64, 8};
  if (block_shape) {
    // Described as text, because the bounds of x and y depend on each other.
    const ImageSides sides =
        read_sides("--block-shape", *block_shape, 1024,
                   "WIDTHxHEIGHT with a product that is a multiple of 32 from 32 to 1024");
    config.block = {sides.x, sides.y};
  }
  if (precision) config.precision = parse_precision(*precision);
  if (fill) config.fill = parse_fill_rule(*fill);
  config.optimisations = optimisations && *optimisations != "fastest" ? parse_optimisations(*optimisations)
                                                                      : fastest_optimisations(runs_on);
  validate(config);
  return config;
}

MandelbrotView MandelbrotOptions::view() const {
  MandelbrotView view;
  if (size) {
    const ImageSides sides = read_sides("--size", *size, kMaxSide, allowed_sides(kMaxSide));
    view.width = sides.x;
    view.height = sides.y;
  }
  if (!window.empty()) view.window = read_window(window);
  validate(view, precision ? parse_precision(*precision) : Precision::kFloat);
  return view;
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
  command.add_option("--method", options.method, "exhaustive, dp (dynamic parallelism) or ask (default)")
      ->type_name("METHOD");
  command
      .add_option("--scheme", options.scheme,
                  "Thread blocks per region: sbr (a single one, default) or mbr (multiple)")
      ->type_name("SCHEME");
  add_cut_options(command, options.cut, "", {});
  command.add_option("--dwell", options.dwell, "Dwell limit, 1 to 65535 (512 by default)")->type_name("N");
  command
      .add_option("--block-shape", options.block_shape,
                  "CUDA: threads per thread block (16x16 by default, 64x8 with dp)")
      ->type_name("WxH");
  command.add_option("--precision", options.precision, "float (default) or double")->type_name("NAME");
  command
      .add_option("--fill", options.fill,
                  "Fill every uniform region (uniform, default) or only those at the dwell limit (interior)")
      ->type_name("RULE");
  command
      .add_option("--ideas", options.optimisations,
                  "Optimizations beyond the published form: fastest (default, per backend), all, none, or a "
                  "list of early-stop, periodicity, narrow, tiles, regroup, queue, join, mirror, interior")
      ->type_name("LIST");
  command.add_option("--window", options.window, "RE_MIN,RE_MAX,IM_MIN,IM_MAX (-1.5,0.5,-1,1 by default)")
      ->type_name("NUMBERS")
      ->expected(1, 4);
  command.add_option("--size", options.size, "Size of the image in pixels (1024x1024 by default)")
      ->type_name("WxH");
  command.add_option("--backend", options.backend, "Where to compute: auto (default), cuda or cpu")
      ->type_name("BACKEND");
  command.add_option("--device", options.device, "Number of the CUDA device (0 by default)")->type_name("N");
}

}  // namespace loom::app
