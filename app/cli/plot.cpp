#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "app/bench/axes.h"
#include "app/bench/merge.h"
#include "app/bench/results_file.h"
#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/files/json_reader.h"
#include "app/files/output_file.h"
#include "app/plot/diagram_file.h"
#include "app/plot/figure.h"
#include "app/plot/landscape_figure.h"
#include "app/plot/mandelbrot_figure.h"
#include "app/plot/scaling_figure.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app {
namespace {

struct PlotOptions {
  std::vector<std::string> results;
  std::string kind = "time";
  std::string out;
  std::string against;
  std::string fractal;
  std::string map;
  std::string arithmetic;
  std::string intra_block;
  std::string workload;
  std::string backend;
  std::string tile_size;
  std::string level;
  std::string devices;
  TypedFields config;  ///< of mandelbrot_config_fields()
  std::string size;
  std::string width;
  std::string map_option;         ///< the first typed option for map sweeps only
  std::string mandelbrot_option;  ///< the first typed option for Mandelbrot sweeps only
  bool best = false;
  bool json = false;
};

/// The words of a filter; empty for an empty text or "all".
std::vector<std::string> words_of(std::string_view option, const std::string& text) {
  if (text.empty() || text == "all") return {};
  return bench::parse_list(option, text);
}

/// Device counts of a filter; empty for all.
std::vector<int> devices_of(const PlotOptions& options) {
  std::vector<int> devices;
  for (const std::string& word : words_of("devices", options.devices))
    devices.push_back(static_cast<int>(read_whole_number("--devices", word, 1, 1024)));
  return devices;
}

plot::Selection selection_of(const PlotOptions& options) {
  plot::Selection selection;
  selection.fractals = words_of("fractal", options.fractal);
  selection.maps = words_of("map", options.map);
  selection.arithmetics = words_of("arithmetic", options.arithmetic);
  selection.intra_blocks = words_of("intra-block", options.intra_block);
  selection.workloads = words_of("workload", options.workload);
  selection.backends = words_of("backend", options.backend);
  if (!options.tile_size.empty())
    selection.tile_sizes = bench::parse_tile_sizes(options.tile_size).value_or(std::vector<std::uint32_t>{});
  if (!options.level.empty()) selection.levels = bench::parse_levels(options.level);
  selection.devices = devices_of(options);
  selection.best = options.best;
  return selection;
}

plot::MandelbrotSelection mandelbrot_selection_of(const PlotOptions& options) {
  plot::MandelbrotSelection selection;
  for (const auto& field : mandelbrot_config_fields()) {
    const std::optional<std::string>& text = typed_value(options.config, field.option);
    if (!text) continue;
    auto values = bench::parse_values(field, *text, bench::RangeStep::kDoubling);
    const bool all = !field.names().empty() && values.front() == bench::kAllWord;
    if (!all) selection.fields[std::string(field.option)] = std::move(values);
  }
  if (!options.size.empty()) selection.sizes = bench::parse_doublings("size", options.size, 1, 1 << 20);
  selection.widths = words_of("width", options.width);
  selection.backends = words_of("backend", options.backend);
  selection.devices = devices_of(options);
  return selection;
}

std::size_t count_series(const plot::Figure& figure) {
  std::size_t count = 0;
  for (const plot::Panel& panel : figure.panels) count += panel.series.size();
  return count;
}

/// The bytes of a figure, and its description for the output.
struct Drawing {
  std::string bytes;
  std::string title;
  std::size_t panels = 0;
  std::size_t series = 0;  ///< lines, or cells of a landscape
  std::string_view series_name;
};

Drawing draw(const plot::Figure& figure, plot::FigureFormat format) {
  return {plot::draw_figure(figure, format), figure.title, figure.panels.size(), count_series(figure),
          "lines"};
}

Drawing draw(const plot::LandscapeFigure& landscape, plot::FigureFormat format) {
  std::size_t cells = 0;
  for (const plot::LandscapePanel& panel : landscape.panels) cells += panel.cells.size();
  return {plot::draw_figure(landscape, format), landscape.title, landscape.panels.size(), cells, "cells"};
}

constexpr std::string_view kLandscape = "landscape";
constexpr std::string_view kScaling = "scaling";

/// The parsed options.
struct PlotRequest {
  bool is_landscape = false;
  bool is_scaling = false;
  plot::Quantity kind = plot::Quantity::kTime;
  plot::FigureFormat format = plot::FigureFormat::kSvg;
  plot::Selection maps;
  plot::MandelbrotSelection dwells;
};

PlotRequest plot_request(const PlotOptions& options) {
  PlotRequest request;
  request.is_landscape = options.kind == kLandscape;
  request.is_scaling = options.kind == kScaling;
  if (!request.is_landscape && !request.is_scaling) request.kind = plot::parse_quantity(options.kind);
  if (!options.against.empty() &&
      (request.kind != plot::Quantity::kSpeedup || request.is_landscape || request.is_scaling))
    throw InputError("--against requires --kind speedup");
  request.format = plot::format_of(options.out);
  request.maps = selection_of(options);
  request.dwells = mandelbrot_selection_of(options);
  return request;
}

Drawing draw(const PlotOptions& options, const PlotRequest& request, const bench::Results& results) {
  const bool of_mandelbrot = results.kind() == bench::SweepKind::kMandelbrot;
  const std::string& wrong = of_mandelbrot ? options.map_option : options.mandelbrot_option;
  if (!wrong.empty()) {
    throw InputError(fmt::format(
        "{} does not filter results of a sweep over {}; allowed: {}", wrong,
        of_mandelbrot ? "the Mandelbrot set" : "maps",
        of_mandelbrot ? "--method, --ideas, --scheme, --g, --r, --b, --dwell, --precision, --size, --width, "
                        "--backend, --devices"
                      : "--fractal, --map, --arithmetic, --intra-block, --block, "
                        "--level, --workload, --backend, --devices, --best, --against"));
  }
  if (request.is_landscape && !of_mandelbrot) {
    throw InputError(
        "landscape requires a Mandelbrot sweep; allowed for map sweeps: speedup, time, memory, utilization");
  }
  if (request.is_landscape) return draw(plot::make_landscape_figure(results, request.dwells), request.format);
  if (request.is_scaling) {
    return draw(of_mandelbrot ? plot::make_scaling_figure(results, request.dwells)
                              : plot::make_scaling_figure(results, request.maps),
                request.format);
  }
  if (of_mandelbrot) return draw(plot::make_figure(results, request.kind, request.dwells), request.format);
  if (options.against.empty())
    return draw(plot::make_figure(results, request.kind, request.maps), request.format);
  const plot::Baseline baseline{bench::read_results(options.against),
                                std::filesystem::path(options.against).filename().string()};
  return draw(plot::make_figure(results, request.kind, request.maps, &baseline), request.format);
}

int run(PlotOptions options) {
  if (options.out.empty()) {
    const std::string stem = std::filesystem::path(options.results.front()).stem().string();
    options.out = new_file_name(fmt::format("{}-{}", stem, options.kind), ".svg");
  }
  // The drawing is complete before the file is written.
  const PlotRequest request = plot_request(options);
  check_can_be_written("--out", options.out);
  const bench::Results results = request.is_scaling ? bench::read_merged_over_ranks(options.results)
                                                    : bench::read_merged(options.results);
  const Drawing drawing = draw(options, request, results);
  const std::string gaps = gaps_text(results);
  if (!gaps.empty()) fmt::print(stderr, "fractal-loom: warning: {}\n", gaps);
  write_file(options.out, drawing.bytes);
  if (options.json) {
    auto json = nlohmann::ordered_json::object();
    json["out"] = options.out;
    json["kind"] = options.kind;
    json["panels"] = drawing.panels;
    json["series"] = drawing.series;
    if (!gaps.empty()) json["missing"] = gaps;
    fmt::print("{}\n", json_text(json));
  } else {
    fmt::print("{}: {}, {} {}\n", options.out, drawing.title, drawing.series, drawing.series_name);
  }
  return 0;
}

/// The first of these options that was typed; empty if there is none.
std::string first_typed(const CLI::App& command, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (command.count(name) > 0) return name;
  }
  return "";
}

}  // namespace

void add_plot(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<PlotOptions>();
  CLI::App* command = root.add_subcommand("plot", "Draw a plot from results files of bench");
  command->add_option("results", options->results, "Results files; several of one sweep are drawn as one")
      ->type_name("RESULTS.json")
      ->required()
      ->expected(1, -1);
  command->add_option("--kind", options->kind, "speedup, time, memory, utilization, scaling or landscape")
      ->type_name("KIND")
      ->capture_default_str();
  command
      ->add_option("-o,--out", options->out,
                   "Output file: .svg, .pdf or .png (a new .svg in this folder by default)")
      ->type_name("FILE")
      ->check(output_name());
  command
      ->add_option(
          "--against", options->against,
          "With --kind speedup: over the same configurations of these results, not over the bounding box")
      ->type_name("RESULTS.json");
  const auto add_filter = [command](const char* name, std::string& text, const char* what) {
    command->add_option(name, text, what)->type_name("LIST");
  };
  add_filter("--fractal", options->fractal, "Fractal, if the results contain several");
  add_filter("--map", options->map, "Only these maps");
  add_filter("--arithmetic", options->arithmetic, "Only these map arithmetics");
  add_filter("--intra-block", options->intra_block, "Only these intra-block mappings");
  add_filter("--block", options->tile_size, "Only these tile widths");
  add_filter("--level", options->level, "Only these levels");
  add_filter("--workload", options->workload, "Workload, if the results contain several (life by default)");
  add_filter("--backend", options->backend, "Backend, if the results contain several");
  add_filter("--devices", options->devices, "Number of devices, if the results contain several");
  for (const FieldInfo& field : mandelbrot_config_fields()) {
    if (!field.in_sweep) continue;
    const std::string option(field.option);
    command
        ->add_option("--" + option, options->config[option],
                     fmt::format("Mandelbrot: only these values of {}{}", field.label,
                                 field.form == FieldForm::kText ? ", joined by +" : ""))
        ->type_name("LIST");
  }
  add_filter("--size", options->size, "Mandelbrot: only these n");
  add_filter("--width", options->width, "Mandelbrot: only these widths, as in the results");
  command->add_flag("--best", options->best, "One line per method, with its best tile size at each level");
  command->add_flag("--json", options->json, "Print one JSON object and nothing else on standard output");
  command->footer("Nothing is written if the results are truncated, of another version or not from bench.");
  command->callback([options, command, &chosen] {
    options->map_option = first_typed(*command, {"--fractal", "--map", "--arithmetic", "--intra-block",
                                                 "--block", "--level", "--workload", "--best", "--against"});
    std::vector<std::string> of_mandelbrot = {"--size", "--width"};
    for (const auto& [option, text] : options->config) of_mandelbrot.push_back("--" + option);
    options->mandelbrot_option = first_typed(*command, of_mandelbrot);
    chosen = [options] { return run(*options); };
  });
}

}  // namespace loom::app
