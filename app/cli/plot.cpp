#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/bench/axis_text.h"
#include "app/bench/file_text.h"
#include "app/bench/results_file.h"
#include "app/cli/command.h"
#include "app/plot/draw_figure.h"
#include "app/plot/figure.h"

namespace loom::app {
namespace {

struct PlotOptions {
  std::string results;
  std::string kind = "time";
  std::string out;
  std::string fractal;
  std::string map;
  std::string arithmetic;
  std::string intra_block;
  std::string workload;
  std::string backend;
  std::string block;
  bool best = false;
  bool json = false;
};

/// The words of a filter; none for an empty text or "all".
std::vector<std::string> words_of(std::string_view option, const std::string& text) {
  if (text.empty() || text == "all") return {};
  return bench::parse_list(option, text);
}

plot::Selection selection_of(const PlotOptions& options) {
  plot::Selection selection;
  selection.fractals = words_of("fractal", options.fractal);
  selection.maps = words_of("map", options.map);
  selection.arithmetics = words_of("arithmetic", options.arithmetic);
  selection.intra_blocks = words_of("intra-block", options.intra_block);
  selection.workloads = words_of("workload", options.workload);
  selection.backends = words_of("backend", options.backend);
  if (!options.block.empty())
    selection.blocks = bench::parse_blocks(options.block).value_or(std::vector<std::uint32_t>{});
  selection.best = options.best;
  return selection;
}

std::size_t count_series(const plot::Figure& figure) {
  std::size_t count = 0;
  for (const plot::Panel& panel : figure.panels) count += panel.series.size();
  return count;
}

int run(const PlotOptions& options) {
  const plot::Kind kind = plot::parse_kind(options.kind);
  const plot::Format format = plot::format_of(options.out);
  const plot::Selection selection = selection_of(options);
  const plot::Figure figure = plot::make_figure(bench::read_results(options.results), kind, selection);
  // Drawn whole before the file is touched.
  bench::replace_file(options.out, plot::draw_figure(figure, format));
  if (options.json) {
    nlohmann::ordered_json json;
    json["out"] = options.out;
    json["kind"] = plot::name_of(kind);
    json["panels"] = figure.panels.size();
    json["series"] = count_series(figure);
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}: {}, {} lines\n", options.out, figure.title, count_series(figure));
  }
  return 0;
}

}  // namespace

void add_plot(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<PlotOptions>();
  CLI::App* command = root.add_subcommand("plot", "Draw a figure from a results file of bench");
  command->add_option("results", options->results, "Results file")->type_name("RESULTS.json")->required();
  command->add_option("--kind", options->kind, "speedup, time, memory or efficiency")
      ->type_name("KIND")
      ->capture_default_str();
  command->add_option("-o,--out", options->out, "Figure to write: .svg, .pdf or .png")
      ->type_name("FILE")
      ->required();
  const auto add_filter = [command](const char* name, std::string& text, const char* what) {
    command->add_option(name, text, what)->type_name("LIST");
  };
  add_filter("--fractal", options->fractal, "The fractal, where the results hold several");
  add_filter("--map", options->map, "Only these maps");
  add_filter("--arithmetic", options->arithmetic, "Only these map arithmetics");
  add_filter("--intra-block", options->intra_block, "Only these intra-block mappings");
  add_filter("--block", options->block, "Only these block widths");
  add_filter("--workload", options->workload, "The workload, where the results hold several");
  add_filter("--backend", options->backend, "The backend, where the results hold several");
  command->add_flag("--best", options->best, "One line a method, at each level with its best block size");
  command->add_flag("--json", options->json, "Print one JSON object and nothing else on standard output");
  command->footer(
      "Nothing is written where the results are truncated, of another version or not from bench.");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace loom::app
