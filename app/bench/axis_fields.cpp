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

constexpr std::uint64_t kLargestImageSide = 1 << 20;

constexpr std::array kMandelbrotFields = {
    MandelbrotAxisField{"size", &MandelbrotAxisTexts::size,
                        [](std::string_view text, const AxisContext&, MandelbrotAxes& axes) {
                          axes.sizes = parse_doublings("size", text, 1, kLargestImageSide);
                        },
                        "n, for images of n x n pixels"},
    MandelbrotAxisField{"method", &MandelbrotAxisTexts::method,
                        [](std::string_view text, const AxisContext&, MandelbrotAxes& axes) {
                          axes.methods = parse_mandelbrot_methods(text);
                        },
                        "exhaustive, dp, ask, or all; ratios need exhaustive"},
    MandelbrotAxisField{"scheme", &MandelbrotAxisTexts::scheme,
                        [](std::string_view text, const AxisContext&, MandelbrotAxes& axes) {
                          axes.schemes = parse_region_schemes(text);
                        },
                        "blocks of a region: sbr, mbr, or all"},
    MandelbrotAxisField{"ideas", &MandelbrotAxisTexts::ideas,
                        [](std::string_view text, const AxisContext&, MandelbrotAxes& axes) {
                          axes.ideas = parse_idea_sets(text);
                        },
                        "none (the published form), all, or ideas joined as in early-stop+tiles"},
    MandelbrotAxisField{"g", &MandelbrotAxisTexts::g,
                        [](std::string_view text, const AxisContext&, MandelbrotAxes& axes) {
                          axes.gs = parse_doublings("g", text, 1, 1024);
                        },
                        "first regions on each axis"},
    MandelbrotAxisField{"r", &MandelbrotAxisTexts::r,
                        [](std::string_view text, const AxisContext&, MandelbrotAxes& axes) {
                          axes.rs = parse_doublings("r", text, 2, 1024);
                        },
                        "parts of a split on each axis"},
    MandelbrotAxisField{"b", &MandelbrotAxisTexts::b,
                        [](std::string_view text, const AxisContext&, MandelbrotAxes& axes) {
                          axes.bs = parse_doublings("b", text, 1, 1024);
                        },
                        "B: a region splits while its side over r is above"},
    MandelbrotAxisField{"dwell", &MandelbrotAxisTexts::dwell,
                        [](std::string_view text, const AxisContext&, MandelbrotAxes& axes) {
                          axes.dwell_limits = parse_doublings("dwell", text, 1, 65535);
                        },
                        "dwell limits"},
    MandelbrotAxisField{"precision", &MandelbrotAxisTexts::precision,
                        [](std::string_view text, const AxisContext&, MandelbrotAxes& axes) {
                          axes.precisions = parse_precisions(text);
                        },
                        "float, double, or all"},
    MandelbrotAxisField{"backend", &MandelbrotAxisTexts::backend,
                        [](std::string_view text, const AxisContext& context, MandelbrotAxes& axes) {
                          axes.backends = parse_backends(text, context.device);
                        },
                        "auto, cuda, cpu, or all that work here"},
};

}  // namespace

std::span<const AxisField> axis_fields() {
  return kFields;
}

std::span<const MandelbrotAxisField> mandelbrot_axis_fields() {
  return kMandelbrotFields;
}

namespace {

template <typename Texts, typename Fields>
void lay_texts_over(Texts& lower, const Texts& upper, const Fields& fields) {
  for (const auto& field : fields) {
    if (!(upper.*field.text).empty()) lower.*field.text = upper.*field.text;
  }
}

template <typename AxesOfKind, typename Texts, typename Fields>
AxesOfKind read_all(const Texts& texts, const AxisContext& context, const Fields& fields) {
  AxesOfKind axes;
  for (const auto& field : fields) field.read(texts.*field.text, context, axes);
  return axes;
}

}  // namespace

void lay_over(AxisTexts& lower, const AxisTexts& upper) {
  lay_texts_over(lower, upper, kFields);
}

void lay_over(MandelbrotAxisTexts& lower, const MandelbrotAxisTexts& upper) {
  lay_texts_over(lower, upper, kMandelbrotFields);
}

Axes parse_axes(const AxisTexts& texts, const AxisContext& context) {
  return read_all<Axes>(texts, context, kFields);
}

MandelbrotAxes parse_axes(const MandelbrotAxisTexts& texts, const AxisContext& context) {
  return read_all<MandelbrotAxes>(texts, context, kMandelbrotFields);
}

}  // namespace loom::app::bench
