#include "app/bench/axis_fields.h"

#include <array>

#include "app/bench/axis_text.h"

namespace loom::app::bench {
namespace {

void read_fractals(std::string_view text, const AxisContext& context, Axes& axes) {
  const bool is_own = context.own_fractal != nullptr && text == context.own_fractal->name();
  axes.fractals = is_own ? std::vector<NbbFractal>{*context.own_fractal} : parse_fractals(text);
}

constexpr std::array kFields = {
    AxisField{"fractal", &AxisTexts::fractal, read_fractals, "names of the catalogue, or all"},
    AxisField{"level", &AxisTexts::level,
              [](std::string_view text, const AxisContext&, Axes& axes) { axes.levels = parse_levels(text); },
              "levels in lists and ranges such as 4,8..16"},
    AxisField{"map", &AxisTexts::map,
              [](std::string_view text, const AxisContext&, Axes& axes) { axes.maps = parse_maps(text); },
              "bounding-box, lambda, compact, or all; ratios need the bounding box"},
    AxisField{"arithmetic", &AxisTexts::arithmetic,
              [](std::string_view text, const AxisContext&, Axes& axes) {
                axes.arithmetics = parse_arithmetics(text);
              },
              "how λ and ν are computed: names in a list, all, or auto, the fastest"},
    AxisField{"intra-block", &AxisTexts::intra_block,
              [](std::string_view text, const AxisContext&, Axes& axes) {
                axes.intra_blocks = parse_intra_blocks(text);
              },
              "how threads find their cells in a block: names in a list, all, or auto, the fastest"},
    AxisField{"halo", &AxisTexts::halo,
              [](std::string_view text, const AxisContext&, Axes& axes) { axes.halos = parse_halos(text); },
              "compact map: on, off, all, or auto, the faster"},
    AxisField{"tiles", &AxisTexts::tiles,
              [](std::string_view text, const AxisContext&, Axes& axes) { axes.tiles = parse_tiles(text); },
              "blocks that share a thread block: auto, numbers in a list, or all"},
    AxisField{"block", &AxisTexts::block,
              [](std::string_view text, const AxisContext&, Axes& axes) { axes.blocks = parse_blocks(text); },
              "block widths in lists such as 1,4,16, or all that a level allows"},
    AxisField{
        "workload", &AxisTexts::workload,
        [](std::string_view text, const AxisContext&, Axes& axes) { axes.workloads = parse_workloads(text); },
        "what every thread does with its cell: names in a list, or all"},
    AxisField{"reduction", &AxisTexts::reduction,
              [](std::string_view text, const AxisContext&, Axes& axes) {
                axes.reductions = parse_reductions(text);
              },
              "how reductions sum: warp, tensor, or all"},
    AxisField{"backend", &AxisTexts::backend,
              [](std::string_view text, const AxisContext& context, Axes& axes) {
                axes.backends = parse_backends(text, context.device);
              },
              "auto, cuda, cpu, or all that work here"},
};

}  // namespace

std::span<const AxisField> axis_fields() {
  return kFields;
}

void lay_over(AxisTexts& lower, const AxisTexts& upper) {
  for (const AxisField& field : kFields) {
    if (!(upper.*field.text).empty()) lower.*field.text = upper.*field.text;
  }
}

Axes parse_axes(const AxisTexts& texts, const AxisContext& context) {
  Axes axes;
  for (const AxisField& field : kFields) field.read(texts.*field.text, context, axes);
  return axes;
}

}  // namespace loom::app::bench
