#include "app/bench/axis_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "app/bench/axis_text.h"
#include "compute/mandelbrot/mandelbrot_fields.h"
#include "compute/map/method_fields.h"

namespace loom::app::bench {
namespace {

constexpr std::uint64_t kLargestImageSide = 1 << 20;

template <typename AxesOfKind, typename Value>
AxesOfKind class_of(Value AxesOfKind::*);

/// Reads a text into one member of the axes with a parser that depends on the text alone.
template <auto kMember, auto kParse>
void read_member(std::string_view text, const AxisContext&, Axes& axes) {
  std::get<decltype(class_of(kMember))>(axes.of).*kMember = kParse(text);
}

template <auto kMember>
void read_backends(std::string_view text, const AxisContext& context, Axes& axes) {
  std::get<decltype(class_of(kMember))>(axes.of).*kMember = parse_backends(text, context.device);
}

void read_fractals(std::string_view text, const AxisContext& context, Axes& axes) {
  MapAxes& maps = std::get<MapAxes>(axes.of);
  const bool is_own = context.custom_fractal != nullptr && text == context.custom_fractal->name();
  maps.fractals = is_own ? std::vector<NbbFractal>{*context.custom_fractal} : parse_fractals(text);
  maps.solids = is_own ? std::vector<SolidFractal>() : parse_solids(text);
}

/// Requires that the backends have been read.
void read_devices(std::string_view text, const AxisContext& context, Axes& axes) {
  MapAxes& maps = std::get<MapAxes>(axes.of);
  maps.device_list = context.device_list;
  if (maps.device_list.empty()) maps.device_list = devices_from(context.device);
  maps.devices = parse_device_counts(text, maps.backends, maps.device_list.size());
}

/// The axis of a setting. `kMember` holds its values by option.
template <auto kMember, typename Settings>
AxisField setting_axis(const Field<Settings>& field, RangeStep step, const std::string& default_text) {
  std::string hint = fmt::format("{}: {}", field.purpose, fmt::join(field.names(), ", "));
  if (field.form == FieldForm::kWhole)
    hint = fmt::format("{}: {} to {}", field.purpose, field.lowest, field.highest);
  if (field.form == FieldForm::kText) hint = fmt::format("{}, joined by +", field.purpose);
  if (!field.names().empty() || step == RangeStep::kOne) hint += ", all";
  if (field.has_auto) hint += ", or auto (the fastest)";
  std::string example = default_text;
  if (field.form == FieldForm::kWhole) {
    example = fmt::format("{}..{}", std::max<std::int64_t>(field.lowest, 2),
                          std::min<std::int64_t>(field.highest, 16));
  } else if (field.names().size() > 1) {
    example = fmt::format("{},{}", field.names()[0], field.names()[1]);
  }
  return {std::string(field.option), default_text, hint, example,
          [&field, step](std::string_view text, const AxisContext&, Axes& axes) {
            auto& values = std::get<decltype(class_of(kMember))>(axes.of).*kMember;
            values[std::string(field.option)] = parse_values(field, text, step);
          }};
}

std::vector<AxisField> map_fields() {
  std::vector<AxisField> fields = {
      {"fractal", "sierpinski-gasket",
       "Fractals of the catalogue, also three-dimensional ones; all: the two-dimensional ones",
       "sierpinski-gasket,vicsek", read_fractals},
      {"level", "0..9", "Levels, as lists and ranges such as 4,8..16", "4,8..16",
       read_member<&MapAxes::levels, parse_levels>},
      {"map", "all", "Thread maps: bounding-box, lambda, compact, or all; ratios require the bounding box",
       "bounding-box,lambda", read_member<&MapAxes::maps, parse_maps>},
  };
  for (const MethodField& field : method_fields()) {
    if (field.option == "map") continue;
    fields.push_back(setting_axis<&MapAxes::method>(field, RangeStep::kOne, std::string(kAutoWord)));
  }
  fields.push_back({"block", "all", "Tile widths, as lists such as 1,4,16, or all that a level allows",
                    "1,4,16", read_member<&MapAxes::tile_sizes, parse_tile_sizes>});
  fields.push_back({"workload", "life",
                    "What every thread does with its cell: single-write, reduction, life, or all",
                    "reduction,life", read_member<&MapAxes::workloads, parse_workloads>});
  fields.push_back({"reduction", "warp", "How reductions sum: warp, tensor, or all", "warp,tensor",
                    read_member<&MapAxes::reductions, parse_reductions>});
  fields.push_back({"backend", "auto", "auto, cuda, cpu, or all that work on this machine", "cpu",
                    read_backends<&MapAxes::backends>});
  fields.push_back({"devices", "1",
                    "Number of CUDA devices that share the cells, as in 1,2 or 1..4 (several require map "
                    "compact), or all: every number up to those present",
                    "1", read_devices});
  return fields;
}

std::vector<std::uint32_t> parse_sizes(std::string_view text) {
  return parse_doublings("size", text, 1, kLargestImageSide);
}

DecimalView parse_center(std::string_view text) {
  return parse_decimal_view(text, DecimalView{}.width.text());
}

std::vector<AxisField> mandelbrot_fields() {
  std::vector<AxisField> fields = {
      {"size", "1024", "n of an image of n x n pixels, as in 1024..65536", "1024..65536",
       read_member<&MandelbrotAxes::sizes, parse_sizes>},
      {"center", "-0.5,0", "Centre of the views, RE,IM: decimal numbers with any number of digits", "0,1",
       read_member<&MandelbrotAxes::center, parse_center>},
      {"width", "2", "Widths of the views: decimal numbers", "1e-3,1e-30,1e-300",
       read_member<&MandelbrotAxes::widths, parse_widths>}};
  const MandelbrotConfig defaults;
  for (const auto& field : mandelbrot_config_fields()) {
    if (!field.in_sweep) continue;
    const std::string default_text =
        field.key == "method" ? std::string(kAllWord) : field.text(defaults).value_or("");
    fields.push_back(setting_axis<&MandelbrotAxes::fields>(field, RangeStep::kDoubling, default_text));
  }
  fields.push_back({"backend", "auto", "auto, cuda, cpu, or all that work on this machine", "cpu",
                    read_backends<&MandelbrotAxes::backends>});
  return fields;
}

}  // namespace

std::span<const AxisField> axis_fields(SweepKind kind) {
  static const std::vector<AxisField> of_maps = map_fields();
  static const std::vector<AxisField> of_mandelbrot = mandelbrot_fields();
  return kind == SweepKind::kMaps ? of_maps : of_mandelbrot;
}

AxisTexts default_axes(SweepKind kind) {
  AxisTexts texts;
  for (const AxisField& field : axis_fields(kind)) texts[field.name] = field.default_text;
  return texts;
}

void override_texts(AxisTexts& lower, const AxisTexts& upper) {
  for (const auto& [name, text] : upper) {
    if (!text.empty()) lower[name] = text;
  }
}

Axes empty_axes(SweepKind kind) {
  if (kind == SweepKind::kMaps) return {MapAxes{}};
  return {MandelbrotAxes{}};
}

Axes parse_axes(SweepKind kind, const AxisTexts& texts, const AxisContext& context) {
  Axes axes = empty_axes(kind);
  for (const AxisField& field : axis_fields(kind)) {
    const auto text = texts.find(field.name);
    field.read(text == texts.end() ? std::string_view() : text->second, context, axes);
  }
  return axes;
}

}  // namespace loom::app::bench
