#include "app/plot/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "app/files/file_kind.h"
#include "app/plot/diagram_file.h"
#include "app/plot/lines.h"
#include "app/plot/plot_area.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom::app::plot {
namespace {

using bench::Row;

constexpr std::array kQuantityTexts = {
    QuantityText{Quantity::kSpeedup, "speedup", "speedup over {0}", "speedup over {0}, same {1}tile size",
                 "speedup over exhaustive", "speedup over the fastest exhaustive form"},
    QuantityText{Quantity::kTime, "time", "time per generation", "milliseconds, median", "time per image",
                 "milliseconds, median"},
    QuantityText{Quantity::kMemory, "memory", "memory for cells", "bytes, both generations", "memory",
                 "bytes, dwells and tables"},
    QuantityText{Quantity::kUtilization, "utilization", "thread utilization",
                 "thread utilization (active / launched)", nullptr, nullptr},
    QuantityText{Quantity::kEnergy, "energy", "energy per generation", "joules", "energy per image",
                 "joules"}};
/// The column of n, g, r or B.
const char* column_of(XAxis axis) {
  if (axis == XAxis::kSize) return "width";
  return axis == XAxis::kG ? "g" : axis == XAxis::kR ? "r" : "b";
}

int log2_of(const Row& row, XAxis axis) {
  const std::uint64_t value = row.count(column_of(axis));
  if (!std::has_single_bit(value)) {
    throw InputError(fmt::format("{} = {} cannot be drawn; allowed: powers of two",
                                 axis == XAxis::kSize ? "n" : column_of(axis), value));
  }
  return std::countr_zero(value);
}

int whole_depth(const Row& row) {
  return std::max(0, static_cast<int>(std::lround(bench::depth_of(width_text(row)))));
}

template <typename Values>
std::size_t rank_in(const Values& values, const bench::Json& name) {
  const auto is_it = [&](auto value) { return name == name_of(value); };
  return static_cast<std::size_t>(std::ranges::find_if(values, is_it) - values.begin());
}

bool have_several(const Rows& rows, std::string (*text_of_row)(const Row& row)) {
  std::set<std::string> texts;
  for (const Row* row : rows) texts.insert(text_of_row(*row));
  texts.erase("");
  return texts.size() > 1;
}

LineValue lower_of(const LineValue& a, const LineValue& b) {
  return b.value < a.value ? b : a;
}

/// The lines of methods of the Mandelbrot set. Throws InputError if there are too many, or if different
/// views have the same value on the x axis.
std::vector<Line> mandelbrot_lines(const Rows& rows, const Figure& figure) {
  const bool over_cuts = figure.x_axis >= XAxis::kG && figure.x_axis <= XAxis::kB;
  const bool several_cuts = !over_cuts && have_several(rows, [](const Row& row) {
    return is_exhaustive(row) ? std::string() : bench::cut_text(row);
  });
  const bool several_precisions = have_several(rows, [](const Row& row) { return row.text("precision"); });
  const bool several_orders = have_several(rows, [](const Row& row) { return row.text("order"); });
  const auto key_of = [&](const Row& row) {
    LineKey key{{rank_in(kMandelbrotMethods, row["method"]), rank_in(kPrecisions, row["precision"])},
                method_text(row),
                {row.text("ideas"), over_cuts ? bench::cut_text(row) : ""}};
    if (!is_exhaustive(row) && several_cuts) key.name += ", " + bench::cut_text(row);
    if (several_precisions) key.name += ", " + row.text("precision");
    if (several_orders && !row["order"].is_null()) key.name += ", " + row.text("order");
    return key;
  };
  const auto x_of = [&](const Row& row) {
    return figure.x_axis == XAxis::kDepth ? whole_depth(row) : log2_of(row, figure.x_axis);
  };
  std::map<std::pair<LineKey, int>, const Row*> views;
  for (const Row* row : rows) {
    const Row& first = *views.emplace(std::pair(key_of(*row), x_of(*row)), row).first->second;
    if (!same_view(first, *row)) {
      throw InputError(
          fmt::format("the widths {} and {} have the same depth; allowed: --width with one of them",
                      width_text(first), width_text(*row)));
    }
  }
  const auto without_cut = [](LineKey key) {
    key.parts.pop_back();
    return key;
  };
  std::vector<Line> lines = join_lines(collect(rows, figure.kind, key_of, x_of), without_cut, lower_of);
  if (lines.size() > kLinesInOnePanel) {
    throw InputError(fmt::format(
        "{} lines are too many for a plot; allowed: at most {}, --kind landscape for many g, r and B",
        lines.size(), kLinesInOnePanel));
  }
  return lines;
}

void draw_mandelbrot(Figure& figure, const bench::Results& results, const Selection& selection) {
  const QuantityText& text = text_of(figure.kind);
  if (text.of_mandelbrot == nullptr) {
    throw InputError(
        "utilization exists only for map sweeps; allowed for the Mandelbrot set: speedup, time, memory, "
        "landscape");
  }
  Rows rows = select(results, selection);
  figure.title = fmt::format("{}: {}", bench::set_text(*rows.front()), text.of_mandelbrot);
  figure.y_label = text.y_of_mandelbrot;
  check_devices(rows);
  figure.x_axis = selection.over;
  figure.x_label = x_label_of(selection.over);
  if (selection.over != XAxis::kSize) {
    std::erase_if(rows, [](const Row* row) { return is_exhaustive(*row); });
    if (rows.empty())
      throw InputError("exhaustive has no g, r and B; allowed: --over n, or --method ask, dp");
    check_one(rows, "size", "n", "--size with one of them");
    check_one(rows, "width", "width", "--width with one of them");
    figure.title += ", " + bench::size_text(*rows.front());
    figure.y_label += ", best values of the other two of g, r and B";
  } else if (have_several(rows, [](const Row& row) { return width_text(row); })) {
    check_one(rows, "size", "n", "--size");
    figure.x_axis = XAxis::kDepth;
    figure.x_label = "depth d, width of the view 10^-d";
    figure.title += " of " + bench::size_text(*rows.front());
  }
  const Rows exhaustive = exhaustive_rows(results, selection);
  Drawing drawing(figure, results);
  figure.panels.emplace_back();
  for (Line& line : mandelbrot_lines(rows, figure)) {
    if (figure.kind == Quantity::kSpeedup) {
      if (line.key.name.starts_with(name_of(MandelbrotMethod::kExhaustive))) continue;
      for (auto& [x, value] : line.values) value.value = exhaustive_ms(exhaustive, *value.row) / value.value;
      std::erase_if(line.values, [](const auto& value) { return !(value.second.value > 0); });
    }
    if (!line.values.empty()) drawing.add(line, {"", line.key.name, line.key.variant()});
  }
  if (figure.panels.front().series.empty()) {
    throw InputError(
        "the results contain no exhaustive entry of the same image as another method; allowed: the kinds "
        "time, memory, landscape");
  }
  figure.legend = {drawing.colour_legend("method"), drawing.dash_legend("optimizations")};
  figure.caption = caption_of(results, rows);
}

}  // namespace

const QuantityText& text_of(Quantity quantity) {
  return *std::ranges::find(kQuantityTexts, quantity, &QuantityText::quantity);
}

std::string x_label_of(std::uint64_t scale) {
  return scale > 1 ? fmt::format("level r, side n = {}ʳ", scale) : "level r";
}

std::string x_label_of(XAxis axis) {
  if (axis == XAxis::kSize) return "log₂ n, images of n × n pixels";
  if (axis == XAxis::kG) return "log₂ g, initial regions per axis";
  return axis == XAxis::kR ? "log₂ r, subdivision per axis" : "log₂ B, stop at regions of r × B pixels";
}

std::string_view name_of(Quantity quantity) {
  return text_of(quantity).name;
}

Quantity parse_quantity(std::string_view name) {
  for (const QuantityText& text : kQuantityTexts) {
    if (text.name == name) return text.quantity;
  }
  throw InputError(fmt::format(
      "unknown kind '{}'; allowed: speedup, time, memory, utilization, energy, scaling, landscape "
      "(Mandelbrot set only); models: work-reduction, sbr-speedup, mbr-speedup, parallel-space, "
      "map-time, compression",
      name));
}

Figure make_figure(const bench::Results& results, Quantity kind, const Selection& selection,
                   const Baseline* baseline) {
  Figure figure;
  figure.kind = kind;
  const auto has_energy = [](const Row& row) { return row.number("joules") > 0; };
  if (kind == Quantity::kEnergy && std::ranges::none_of(results.rows, has_energy))
    throw InputError("the results contain no energy; allowed: results of bench --energy");
  results.kind == bench::SweepKind::kMaps ? draw_maps(figure, results, selection, baseline)
                                          : draw_mandelbrot(figure, results, selection);
  return figure;
}

namespace {

/// Numbers of cells per device within this factor count as equal. With k = 3 replicas, some level is within
/// this factor of any number of cells.
constexpr double kNearest = 1.75;

/// What scaling plots of a kind of sweep call things.
struct ScalingWords {
  const char* size;   ///< what a line has one of
  const char* work;   ///< what a device computes
  const char* tuned;  ///< what is chosen for each point of a line that joins several methods
};

double work_of(const Row& row) {
  return row.kind() == bench::SweepKind::kMaps ? row.number("cells") : row.number("pixels");
}

/// The times over the number of devices, by method and size: level or n. `best` joins the tile sizes, or g, r
/// and B, of a method.
std::vector<Line> times_of(const Rows& rows, bool best) {
  const auto key_of = [](const Row& row) {
    std::string method = method_text(row);
    if (row.kind() == bench::SweepKind::kMandelbrot) {
      method += ", optimizations " + row.text("ideas");
      return LineKey{{}, method, {is_exhaustive(row) ? "" : bench::cut_text(row)}, row.count("width")};
    }
    if (const std::string storage = row.text("storage"); !storage.empty()) method += ", " + storage;
    if (const std::string reduction = row.text("reduction"); !reduction.empty())
      method += ", by " + reduction;
    return LineKey{{}, method, {"ρ " + row.text("block")}, row.count("level")};
  };
  const auto devices_of = [](const Row& row) { return static_cast<int>(row.count("devices")); };
  const auto joined_key = [&](const LineKey& key) {
    return LineKey{{}, best ? key.name : key.method(), {}, key.size};
  };
  return join_lines(collect(rows, Quantity::kTime, key_of, devices_of), joined_key, lower_of);
}

Line strong_line(const Line& times) {
  Line speedups{times.key};
  const auto one = times.values.find(1);
  if (one == times.values.end()) return speedups;
  for (const auto& [devices, time] : times.values)
    speedups.values[devices].value = one->second.value / time.value;
  return speedups;
}

/// The time of a method with `devices` devices whose work per device is nearest to that of `one`. Null if
/// none is within kNearest.
const LineValue* nearest(const std::vector<Line>& lines, const LineKey& key, const LineValue& one,
                         int devices) {
  const LineValue* found = nullptr;
  double least = std::log(kNearest);
  for (const Line& line : lines) {
    const auto at = line.values.find(devices);
    if (line.key.name != key.name || at == line.values.end()) continue;
    const double away = std::abs(std::log(work_of(*at->second.row) / devices / work_of(*one.row)));
    if (away > least) continue;
    least = away;
    found = &at->second;
  }
  return found;
}

Line weak_line(const std::vector<Line>& lines, const Line& times) {
  Line speedups{times.key};
  const auto one = times.values.find(1);
  if (one == times.values.end()) return speedups;
  const auto rate_of = [](const LineValue& time) { return work_of(*time.row) / time.value; };
  std::set<int> counts;
  for (const Line& line : lines) {
    if (line.key.name != times.key.name) continue;
    for (const auto& [devices, time] : line.values) counts.insert(devices);
  }
  for (const int devices : counts) {
    const LineValue* const time =
        devices == 1 ? &one->second : nearest(lines, times.key, one->second, devices);
    if (time != nullptr) speedups.values[devices].value = rate_of(*time) / rate_of(one->second);
  }
  return speedups;
}

/// The lines of both panels, of several points each.
struct ScalingLines {
  std::vector<Line> strong;
  std::vector<Line> weak;

  explicit ScalingLines(const std::vector<Line>& times) {
    const auto keep = [](std::vector<Line>& lines, Line line) {
      if (line.values.size() > 1) lines.push_back(std::move(line));
    };
    for (const Line& line : times) {
      keep(strong, strong_line(line));
      keep(weak, weak_line(times, line));
    }
  }
};

/// Throws if samples with bit storage have different numbers of generations. Bit storage runs several
/// generations per launch if several are requested, so such samples measure different methods.
void check_equal_samples(const Rows& rows) {
  const Row* first = nullptr;
  for (const Row* row : rows) {
    if ((*row)["storage"] != "bits") continue;
    if (first == nullptr) first = row;
    const char* const column = "generations_per_sample";
    if ((*row)[column] == (*first)[column]) continue;
    throw InputError(
        fmt::format("level {} on {} device{} was sampled with {} generations per call, level {} on {} with "
                    "{}: bit storage with different numbers is not comparable; allowed: --level with levels "
                    "that agree, or results of bench --at-once N",
                    first->text("level"), first->text("devices"), first->count("devices") == 1 ? "" : "s",
                    first->text(column), row->text("level"), row->text("devices"), row->text(column)));
  }
}

void add_scaling_panel(Figure& figure, Drawing& drawing, const std::string& title,
                       const std::vector<Line>& lines) {
  const auto is_drawn = [&](const Line& line) {
    return std::ranges::find(drawing.colours, fmt::format("{}", line.key.size)) != drawing.colours.end();
  };
  if (std::ranges::none_of(lines, is_drawn)) return;
  Line ideal;
  for (const Line& line : lines) {
    for (const auto& [devices, speedup] : line.values) ideal.values[devices].value = devices;
  }
  figure.panels.push_back({title, {drawing.series(ideal, kUniformStyle, 1)}});
  for (const Line& line : lines) {
    if (is_drawn(line)) drawing.add(line, {title, fmt::format("{}", line.key.size), line.key.name});
  }
}

}  // namespace

Figure make_scaling_figure(const bench::Results& results, const Selection& selection) {
  const bool of_maps = results.kind == bench::SweepKind::kMaps;
  const ScalingWords words =
      of_maps ? ScalingWords{"level r", "cells", "tile size"} : ScalingWords{"n", "pixels", "g, r and B"};
  const Rows rows = select(results, selection);
  if (of_maps) {
    check_equal_samples(rows);
  } else {
    check_one(rows, "precision", "precision", "--precision");
    check_one(rows, "width", "width", "--width");
  }
  const bool best = of_maps && selection.best;
  ScalingLines lines(times_of(rows, best));
  const bool joined = best || lines.strong.size() > kLinesInOnePanel || lines.weak.size() > kLinesInOnePanel;
  lines = ScalingLines(times_of(rows, joined));
  std::set<std::uint64_t> all_sizes;
  std::set<std::string> methods;
  for (const auto* part : {&lines.strong, &lines.weak}) {
    for (const Line& line : *part) {
      all_sizes.insert(line.key.size);
      methods.insert(line.key.name);
    }
  }
  if (all_sizes.empty()) {
    throw InputError(
        "the results contain no configuration that was measured on one device and on several; allowed: "
        "results of bench --devices");
  }
  if (methods.size() > kDashes) {
    throw InputError(fmt::format(
        "{} methods are too many for a scaling plot; allowed: at most {} (select some by options)",
        methods.size(), kDashes));
  }
  Figure figure;
  figure.kind = Quantity::kSpeedup;
  Drawing drawing(figure, results);
  for (const std::uint64_t size : all_sizes) drawing.colours.push_back(fmt::format("{}", size));
  if (all_sizes.size() > kColours)
    drawing.colours.erase(drawing.colours.begin(), drawing.colours.end() - std::ptrdiff_t{kColours});
  drawing.dashes.assign(methods.begin(), methods.end());
  figure.title = of_maps ? fmt::format("{}, {}: scaling over devices", rows.front()->text("fractal"),
                                       rows.front()->text("workload"))
                         : "Mandelbrot set: scaling over devices";
  figure.x_axis = XAxis::kDevices;
  figure.x_label = "devices";
  figure.y_label = "speedup over one device";
  if (joined) figure.y_label += fmt::format(", best {} each", words.tuned);
  add_scaling_panel(figure, drawing, "strong scaling: same problem size", lines.strong);
  add_scaling_panel(figure, drawing, fmt::format("weak scaling: same {} per device", words.work), lines.weak);
  figure.columns = figure.panels.size();
  figure.legend = {drawing.colour_legend(words.size),
                   drawing.dash_legend("method"),
                   {"reference", {{"ideal", kUniformStyle, 1}}}};
  if (drawing.colours.size() < all_sizes.size()) {
    figure.caption = fmt::format("The {} largest of {} values of {}. ", drawing.colours.size(),
                                 all_sizes.size(), words.size);
  }
  if (!lines.weak.empty()) {
    figure.caption += fmt::format(
        "Weak scaling: {0} per second relative to one device at the {1} of the line, which has as many {0} "
        "as each of the devices, within a factor of {2}. ",
        words.work, words.size, kNearest);
  }
  figure.caption += caption_of(results, rows);
  return figure;
}

FigureFormat format_of(std::string_view file) {
  const std::string extension = lower_extension(file);
  if (extension == ".svg") return FigureFormat::kSvg;
  if (extension == ".pdf") return FigureFormat::kPdf;
  if (extension == ".png") return FigureFormat::kPng;
  throw InputError(fmt::format("{}: unknown file format; allowed: .svg, .pdf, .png", file));
}

}  // namespace loom::app::plot
