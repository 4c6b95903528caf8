#include <fmt/format.h>

#include <filesystem>
#include <map>
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
#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app {
namespace {

struct PlotOptions {
  std::vector<std::string> results;
  std::string kind = "time";
  std::string out;
  std::string against;
  TypedFields filters;  ///< of plot::filters()
  /// The first typed option of either kind of sweep only.
  std::map<bench::SweepKind, std::string> kind_option;
  bool best = false;
  bool json = false;
};

template <typename Numbers>
std::vector<std::string> texts_of(const Numbers& numbers) {
  std::vector<std::string> texts;
  for (const auto number : numbers) texts.push_back(fmt::format("{}", number));
  return texts;
}

/// The values of a filter; empty for all.
std::vector<std::string> read_filter(const std::string& option, const std::string& text) {
  if (option == "block")
    return texts_of(bench::parse_tile_sizes(text).value_or(std::vector<std::uint32_t>{}));
  if (option == "level") return texts_of(bench::parse_levels(text));
  if (option == "size") return texts_of(bench::parse_doublings("size", text, 1, 1 << 20));
  if (const auto* const field = find_field(mandelbrot_config_fields(), option)) {
    const auto values = bench::parse_values(*field, text, bench::RangeStep::kDoubling);
    const bool all = !field->names().empty() && values.front() == bench::kAllWord;
    return all ? std::vector<std::string>{} : values;
  }
  if (text == bench::kAllWord) return {};
  std::vector<std::string> words = bench::parse_list(option, text);
  if (option == "devices") {
    for (std::string& word : words) word = fmt::format("{}", read_whole_number("--devices", word, 1, 1024));
  }
  return words;
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
  plot::Selection selection;
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
  for (const bench::SweepKind kind : bench::kSweepKinds) {
    for (const plot::Filter& filter : plot::filters(kind)) {
      if (const auto& text = typed_value(options.filters, filter.option); text && !text->empty())
        request.selection.values[filter.option] = read_filter(filter.option, *text);
    }
  }
  request.selection.best = options.best;
  return request;
}

Drawing draw(const PlotOptions& options, const PlotRequest& request, const bench::Results& results) {
  const bool of_mandelbrot = results.kind == bench::SweepKind::kMandelbrot;
  const std::string& wrong =
      options.kind_option.at(of_mandelbrot ? bench::SweepKind::kMaps : bench::SweepKind::kMandelbrot);
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
  const plot::Selection& selection = request.selection;
  if (request.is_landscape) return draw(plot::make_landscape_figure(results, selection), request.format);
  if (request.is_scaling) return draw(plot::make_scaling_figure(results, selection), request.format);
  if (options.against.empty())
    return draw(plot::make_figure(results, request.kind, selection), request.format);
  const plot::Baseline baseline{bench::read_results(options.against),
                                std::filesystem::path(options.against).filename().string()};
  return draw(plot::make_figure(results, request.kind, selection, &baseline), request.format);
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

}  // namespace

void add_plot(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<PlotOptions>();
  CLI::App* command = root.add_subcommand("plot", "Draw a plot from results files of bench");
  add_text(*command, "results", options->results, "RESULTS.json",
           "Results files; several of one sweep are drawn as one")
      .required()
      ->expected(1, -1);
  add_text(*command, "--kind", options->kind, "KIND",
           "speedup, time, memory, utilization, scaling or landscape");
  add_output_file(*command, "-o,--out", options->out,
                  "Output file: .svg, .pdf or .png (a new .svg in this folder by default)");
  add_text(*command, "--against", options->against, "RESULTS.json",
           "With --kind speedup: over the same configurations of these results, not over the bounding box");
  for (const bench::SweepKind kind : bench::kSweepKinds) {
    for (const plot::Filter& filter : plot::filters(kind)) {
      if (options->filters.contains(filter.option)) continue;  // of both kinds
      add_text(*command, "--" + filter.option, options->filters[filter.option], "LIST", filter.help);
    }
  }
  command->add_flag("--best", options->best, "One line per method, with its best tile size at each level");
  command->add_flag("--json", options->json, "Print one JSON object and nothing else on standard output");
  command->footer("Nothing is written if the results are truncated, of another version or not from bench.");
  command->callback([options, command, &chosen] {
    for (const bench::SweepKind kind : bench::kSweepKinds) {
      std::string& first = options->kind_option[kind];
      const auto note = [&](const std::string& name) {
        if (first.empty() && command->count(name) > 0) first = name;
      };
      for (const plot::Filter& filter : plot::filters(kind)) {
        if (filter.option != "backend" && filter.option != "devices") note("--" + filter.option);
      }
      if (kind != bench::SweepKind::kMaps) continue;
      note("--best");
      note("--against");
    }
    chosen = [options] { return run(*options); };
  });
}

}  // namespace loom::app
