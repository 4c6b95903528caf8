#include <fmt/format.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/cli/output.h"
#include "app/files/json_reader.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/cost_model.h"

namespace loom::app {
namespace {

struct ModelOptions {
  std::string n = "65536";
  std::string dwell = "512";
  std::string p = "0.7";
  std::string lambda = "100";
  std::string q = "128";
  std::string c = "64";
  std::optional<std::string> g;
  std::optional<std::string> r;
  std::optional<std::string> b;
  bool search = false;
  bool json = false;
};

struct Prediction {
  CostRatio ratio = CostRatio::kWorkReduction;
  CostOptimum optimum;
};

CostProblem read_problem(const ModelOptions& options) {
  CostProblem problem;
  problem.n = static_cast<double>(read_whole_number("--n", options.n, 1, std::uint64_t{1} << 40));
  problem.dwell = static_cast<double>(read_whole_number("--dwell", options.dwell, 1, 0xffffffffu));
  problem.p = read_real_number("--p", options.p, 0, 1);
  problem.lambda = read_real_number("--lambda", options.lambda, 0, 1e9);
  problem.q = static_cast<double>(read_whole_number("--q", options.q, 1, 1000000));
  problem.c = static_cast<double>(read_whole_number("--c", options.c, 1, 1000000));
  validate(problem);
  return problem;
}

std::optional<CostCut> read_cut(const ModelOptions& options) {
  const int typed = options.g.has_value() + options.r.has_value() + options.b.has_value();
  if (options.search && typed > 0) {
    throw InputError("--search finds g, r and B; allowed: --search, or --g, --r and --b");
  }
  if (typed == 0) return std::nullopt;
  if (typed < 3)
    throw InputError("g, r and B must be given together; allowed: --g, --r and --b, or --search");
  const auto read = [](std::string_view option, const std::string& text, std::uint64_t lowest) {
    return static_cast<std::uint32_t>(read_whole_number(option, text, lowest, 1024));
  };
  return CostCut{read("--g", *options.g, 1), read("--r", *options.r, 2), read("--b", *options.b, 1)};
}

std::array<Prediction, 3> predict(const CostProblem& problem, const std::optional<CostCut>& cut) {
  std::array<Prediction, 3> result;
  constexpr std::array kRatios = {CostRatio::kWorkReduction, CostRatio::kSbrSpeedup, CostRatio::kMbrSpeedup};
  for (std::size_t i = 0; i < kRatios.size(); ++i) {
    result[i].ratio = kRatios[i];
    if (cut) {
      result[i].optimum = {*cut, cost_ratio(kRatios[i], problem, *cut)};
    } else if (const auto best = best_cut(kRatios[i], problem)) {
      result[i].optimum = *best;
    } else {
      throw InputError(fmt::format(
          "n = {:.0f} is too small for any g, r and B of 2 to 256; allowed: at least 8", problem.n));
    }
  }
  return result;
}

nlohmann::ordered_json to_json(const CostOptimum& optimum) {
  return {{"g", optimum.cut.g}, {"r", optimum.cut.r}, {"b", optimum.cut.b}, {"value", optimum.value}};
}

void print_json(const CostProblem& problem, const std::array<Prediction, 3>& predictions, bool searched) {
  auto json = nlohmann::ordered_json::object();
  json["n"] = static_cast<std::uint64_t>(problem.n);
  json["dwell"] = static_cast<std::uint64_t>(problem.dwell);
  json["p"] = problem.p;
  json["lambda"] = problem.lambda;
  json["q"] = static_cast<std::uint64_t>(problem.q);
  json["c"] = static_cast<std::uint64_t>(problem.c);
  json["searched"] = searched;
  json["work_reduction"] = to_json(predictions[0].optimum);
  json["sbr_speedup"] = to_json(predictions[1].optimum);
  json["mbr_speedup"] = to_json(predictions[2].optimum);
  fmt::print("{}\n", json_text(json));
}

void print_text(const std::array<Prediction, 3>& predictions) {
  TextTable table({"", "value", "g", "r", "B"}, 1);
  constexpr std::array kNames = {"work reduction", "SBR speedup", "MBR speedup"};
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const CostOptimum& optimum = predictions[i].optimum;
    table.add({kNames[i], fmt::format("{:.4f}", optimum.value), fmt::format("{}", optimum.cut.g),
               fmt::format("{}", optimum.cut.r), fmt::format("{}", optimum.cut.b)});
  }
  fmt::print("{}", table.text());
}

int run(const ModelOptions& options) {
  const CostProblem problem = read_problem(options);
  const std::optional<CostCut> cut = read_cut(options);
  const auto predictions = predict(problem, cut);
  options.json ? print_json(problem, predictions, !cut) : print_text(predictions);
  return 0;
}

}  // namespace

void add_model(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<ModelOptions>();
  CLI::App* command = root.add_subcommand(
      "model",
      "Evaluate the cost model of subdivision: work reduction, SBR and MBR speedups over exhaustive");
  const auto add = [&](const char* name, std::string& value, const char* help) {
    add_text(*command, name, value, "NUMBER", help);
  };
  add("--n", options->n, "Side of the square image in pixels");
  add("--dwell", options->dwell, "A: work per pixel");
  add("--p", options->p, "P: probability that a region splits, 0 to 1");
  add("--lambda", options->lambda, "Cost of a split in units of A");
  add("--q", options->q, "Multiprocessors");
  add("--c", options->c, "Cores per multiprocessor");
  add_text(*command, "--g", options->g, "N", "Initial regions per axis, 1 to 1024");
  add_text(*command, "--r", options->r, "N", "Subdivision per axis, 2 to 1024");
  add_text(*command, "--b", options->b, "N", "B, 1 to 1024");
  command->add_flag(
      "--search", options->search,
      "Find the best g, r and B among 2, 4, ... 256 for each ratio (default without --g, --r, --b)");
  command->add_flag("--json", options->json, "Print one JSON object and nothing else on standard output");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace loom::app
