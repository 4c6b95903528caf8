#include "app/cli/options/dwell_colour_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/options/read_number.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"
#include "compute/core/error.h"
#include "compute/core/named_choice.h"

namespace loom::app {

void DwellColourOptions::apply_to(MandelbrotSettings& settings) const {
  if (colouring) settings.colouring = parse_choice("colouring", *colouring, kColourings);
  if (interior) settings.interior = parse_choice("interior", *interior, kInteriorColours);
  if (cycle) settings.cycle = static_cast<std::uint32_t>(read_whole_number("--cycle", *cycle, 0, kMaxCycle));
  if (!points) return;
  const auto found = std::ranges::find(kSamplesPerAxis, *points, [](int one) { return std::to_string(one); });
  if (found == kSamplesPerAxis.end()) throw bad_value("--points", *points, "1, 2, 4");
  settings.samples_per_axis = *found;
}

void add_dwell_colour_options(CLI::App& command, DwellColourOptions& options, const std::string& prefix) {
  const MandelbrotSettings first;
  command
      .add_option(
          "--colouring", options.colouring,
          fmt::format("{}bands, smooth or histogram ({} by default)", prefix, name_of(first.colouring)))
      ->type_name("NAME");
  command
      .add_option("--cycle", options.cycle,
                  fmt::format("{}dwells per turn of the palette ({} by default); 0: the palette spans the "
                              "dwells of the image once",
                              prefix, first.cycle))
      ->type_name("N");
  command.add_option("--interior", options.interior, prefix + "palette (default), black or white")
      ->type_name("NAME");
  command
      .add_option("--points", options.points,
                  prefix + "samples per pixel on each axis: 1 (default), 2 or 4; the mean colour is shown")
      ->type_name("N");
}

}  // namespace loom::app
