#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "app/bench/axes.h"
#include "app/bench/merge.h"
#include "app/bench/results.h"
#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/files/json_reader.h"
#include "app/files/output_file.h"
#include "app/plot/diagram_file.h"
#include "app/plot/figure.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app {
namespace {

struct PlotOptions {
  std::vector<std::string> results;
  std::string kind = "time";
  std::string out;
  std::string against;
  std::optional<std::string> over;
  TypedFields filters;  ///< of plot::filters()
  TypedFields terms;    ///< of a model: p, lambda, q, c
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
  if (option == "size") return texts_of(bench::parse_sizes(text));
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

/// Lines, or cells of a landscape.
std::size_t count_series(const plot::Figure& figure) {
  if (figure.landscape) return figure.landscape->cells.size();
  std::size_t count = 0;
  for (const plot::Panel& panel : figure.panels) count += panel.series.size();
  return count;
}

constexpr std::string_view kLandscape = "landscape";
constexpr std::string_view kScaling = "scaling";

/// The terms of the cost model, as options of plots of it.
struct Term {
  const char* option;
  const char* purpose;
  double lowest;
  double highest;
};
constexpr std::array kTerms = {
    Term{"p", "Model: P, the probabilities that a region splits (0.3,0.5,0.7,0.9)", 0, 1},
    Term{"lambda", "Model: costs of a split in units of A (100)", 0, 1e9},
    Term{"q", "Model: multiprocessors (128)", 1, 1e6},
    Term{"c", "Model: cores per multiprocessor (64)", 1, 1e6}};

/// The values of a term; empty if it was not typed.
std::vector<double> read_term(const PlotOptions& options, const char* name) {
  const Term& term = *std::ranges::find(kTerms, std::string_view(name), &Term::option);
  std::vector<double> values;
  const auto& text = typed_value(options.terms, name);
  if (!text) return values;
  for (const std::string& word : bench::parse_list(name, *text))
    values.push_back(read_real_number(fmt::format("--{}", name), word, term.lowest, term.highest));
  return values;
}

/// The numbers of a filter; empty if it was not typed.
std::vector<double> read_numbers(const PlotOptions& options, const char* filter) {
  std::vector<double> values;
  if (const auto& text = typed_value(options.filters, filter)) {
    for (const std::string& word : read_filter(filter, *text)) values.push_back(std::stod(word));
  }
  return values;
}

double read_one(const char* option, const std::vector<double>& values, double usual) {
  if (values.size() > 1) throw InputError(fmt::format("--{} takes one value in the plot of a model", option));
  return values.empty() ? usual : values.front();
}

/// The options that have an effect on the plot of a model.
std::vector<std::string> options_of(plot::Model model, std::string_view over) {
  if (!plot::is_of_subdivision(model)) return {"fractal", "level", "block"};
  std::vector<std::string> names = {"over", "p", "dwell", "lambda"};
  if (over != "n") names.push_back("size");
  for (const char* const axis : {"g", "r", "b"}) {
    if (over != axis) names.push_back(axis);
  }
  if (model != plot::Model::kWorkReduction) names.insert(names.end(), {"q", "c"});
  return names;
}

void check_options_of(plot::Model model, const PlotOptions& options) {
  const std::string over = options.over.value_or("n");
  const std::vector<std::string> allowed = options_of(model, over);
  const auto check = [&](bool is_typed, const std::string& option, std::string_view what) {
    if (!is_typed || std::ranges::find(allowed, option) != allowed.end()) return;
    throw InputError(fmt::format("{} has no effect on {}{}; allowed: --{}", what, plot::name_of(model),
                                 plot::is_of_subdivision(model) ? " over " + over : "",
                                 fmt::join(allowed, ", --")));
  };
  check(!options.results.empty(), "", "a results file");
  check(options.best, "best", "--best");
  check(!options.against.empty(), "against", "--against");
  check(options.over.has_value(), "over", "--over");
  for (const TypedFields* const fields : {&options.filters, &options.terms}) {
    for (const auto& [option, text] : *fields) check(text.has_value(), option, "--" + option);
  }
}

plot::ModelRequest model_request(plot::Model model, const PlotOptions& options) {
  plot::ModelRequest request{.model = model};
  request.over = plot::parse_axis(options.over.value_or("n"));
  check_options_of(model, options);
  if (plot::is_of_subdivision(model)) {
    const auto take = [](std::vector<double>& list, std::vector<double> typed) {
      if (!typed.empty()) list = std::move(typed);
    };
    take(request.p, read_term(options, "p"));
    take(request.lambda, read_term(options, "lambda"));
    take(request.dwell, read_numbers(options, "dwell"));
    request.problem.n = read_one("size", read_numbers(options, "size"), request.problem.n);
    request.problem.q = read_one("q", read_term(options, "q"), request.problem.q);
    request.problem.c = read_one("c", read_term(options, "c"), request.problem.c);
    for (const char* const axis : {"g", "r", "b"}) {
      for (const double value : read_numbers(options, axis))
        request.cuts[plot::parse_axis(axis)].push_back(static_cast<std::uint32_t>(value));
    }
    return request;
  }
  const std::string fractals =
      typed_value(options.filters, "fractal").value_or("sierpinski-gasket,sierpinski-carpet,vicsek");
  request.fractals = bench::parse_fractals(fractals);
  if (!bench::parse_solids(fractals).empty())
    throw InputError(fmt::format("--fractal {}: {} is of two dimensions; allowed: fractals of the plane",
                                 fractals, plot::name_of(model)));
  request.levels = bench::parse_levels(typed_value(options.filters, "level").value_or("0..16"));
  request.tile_size = static_cast<std::uint32_t>(read_one("block", read_numbers(options, "block"), 1));
  return request;
}

/// The parsed options.
struct PlotRequest {
  bool is_landscape = false;
  bool is_scaling = false;
  plot::Quantity kind = plot::Quantity::kTime;
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
  plot::format_of(options.out);
  for (const bench::SweepKind kind : bench::kSweepKinds) {
    for (const plot::Filter& filter : plot::filters(kind)) {
      if (const auto& text = typed_value(options.filters, filter.option); text && !text->empty())
        request.selection.values[filter.option] = read_filter(filter.option, *text);
    }
  }
  request.selection.best = options.best;
  if (options.over) request.selection.over = plot::parse_axis(*options.over);
  for (const auto& [option, text] : options.terms) {
    if (text)
      throw InputError(fmt::format(
          "--{} has no effect on results; allowed with --kind work-reduction, sbr-speedup or mbr-speedup",
          option));
  }
  return request;
}

plot::Figure make_figure(const PlotOptions& options, const PlotRequest& request,
                         const bench::Results& results) {
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
  if (options.over && (!of_mandelbrot || request.is_landscape || request.is_scaling))
    throw InputError(
        "--over has no effect here; allowed: plots of speedup, time or memory of a Mandelbrot sweep");
  if (request.is_landscape && !of_mandelbrot) {
    throw InputError(
        "landscape requires a Mandelbrot sweep; allowed for map sweeps: speedup, time, memory, utilization, "
        "energy");
  }
  const plot::Selection& selection = request.selection;
  if (request.is_landscape) return plot::make_landscape_figure(results, selection);
  if (request.is_scaling) return plot::make_scaling_figure(results, selection);
  if (options.against.empty()) return plot::make_figure(results, request.kind, selection);
  const plot::Baseline baseline{bench::read_results(options.against),
                                std::filesystem::path(options.against).filename().string()};
  return plot::make_figure(results, request.kind, selection, &baseline);
}

/// `gaps`: what the results lack.
plot::Figure figure_of_results(const PlotOptions& options, std::string& gaps) {
  const PlotRequest request = plot_request(options);
  if (options.results.empty())
    throw InputError(fmt::format("--kind {} needs a results file; bench writes them", options.kind));
  check_can_be_written("--out", options.out);
  const bench::Results results = request.is_scaling ? bench::read_merged_over_ranks(options.results)
                                                    : bench::read_merged(options.results);
  plot::Figure figure = make_figure(options, request, results);
  gaps = gaps_text(results);
  if (!gaps.empty()) fmt::print(stderr, "fractal-loom: warning: {}\n", gaps);
  return figure;
}

plot::Figure figure_of_model(plot::Model model, const PlotOptions& options) {
  plot::Figure figure = make_model_figure(model_request(model, options));
  plot::format_of(options.out);
  check_can_be_written("--out", options.out);
  if (count_series(figure) == 0)
    throw InputError(plot::is_of_subdivision(model)
                         ? "no selected g, r and B leave a level at this n; allowed: g * r * B <= n"
                         : "no selected level has this tile size; allowed: products of the lowest levels' "
                           "scales, at most 32");
  return figure;
}

int run(PlotOptions options) {
  if (options.out.empty()) {
    const std::string stem =
        options.results.empty() ? "model" : std::filesystem::path(options.results.front()).stem().string();
    options.out = new_file_name(fmt::format("{}-{}", stem, options.kind), ".svg");
  }
  // The drawing is complete before the file is written.
  const auto model = plot::find_model(options.kind);
  std::string gaps;
  const plot::Figure figure = model ? figure_of_model(*model, options) : figure_of_results(options, gaps);
  write_file(options.out, plot::draw_figure(figure, plot::format_of(options.out)));
  if (options.json) {
    auto json = nlohmann::ordered_json::object();
    json["out"] = options.out;
    json["kind"] = options.kind;
    json["panels"] = figure.landscape ? figure.landscape->rs.size() : figure.panels.size();
    json["series"] = count_series(figure);
    if (!gaps.empty()) json["missing"] = gaps;
    fmt::print("{}\n", json_text(json));
  } else {
    fmt::print("{}: {}, {} {}\n", options.out, figure.title, count_series(figure),
               figure.landscape ? "cells" : "lines");
  }
  return 0;
}

}  // namespace

Action add_plot(CLI::App& command) {
  auto options = std::make_shared<PlotOptions>();
  command.description("Draw a plot from results files of bench");
  add_text(command, "results", options->results, "RESULTS.json",
           "Results files; several of one sweep are drawn as one")
      .expected(0, -1);
  add_text(command, "--kind", options->kind, "KIND",
           "speedup, time, memory, utilization, energy, scaling or landscape; a model, without results: "
           "work-reduction, sbr-speedup, mbr-speedup, parallel-space, map-time or compression");
  add_text(command, "--over", options->over, "AXIS",
           "Mandelbrot and models of subdivision: n, g, r or b on the x axis (n)");
  add_output_file(command, "-o,--out", options->out,
                  "Output file: .svg, .pdf or .png (a new .svg in this folder by default)");
  add_text(command, "--against", options->against, "RESULTS.json",
           "With --kind speedup: over the same configurations of these results, not over the bounding box");
  for (const bench::SweepKind kind : bench::kSweepKinds) {
    for (const plot::Filter& filter : plot::filters(kind)) {
      if (options->filters.contains(filter.option)) continue;  // of both kinds
      add_text(command, "--" + filter.option, options->filters[filter.option], "LIST", filter.help);
    }
  }
  for (const Term& term : kTerms)
    add_text(command, fmt::format("--{}", term.option), options->terms[term.option], "LIST", term.purpose);
  command.add_flag("--best", options->best, "One line per method, with its best tile size at each level");
  command.add_flag("--json", options->json, "Print one JSON object and nothing else on standard output");
  command.footer("Nothing is written if the results are truncated, of another version or not from bench.");
  return [options, &command] {
    for (const bench::SweepKind kind : bench::kSweepKinds) {
      std::vector<std::string> names;
      for (const plot::Filter& filter : plot::filters(kind)) {
        if (filter.option != "backend" && filter.option != "devices") names.push_back("--" + filter.option);
      }
      if (kind == bench::SweepKind::kMaps) names.insert(names.end(), {"--best", "--against"});
      options->kind_option[kind] = first_typed(command, names);
    }
    return run(*options);
  };
}

}  // namespace loom::app
