#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/files/json_reader.h"
#include "compute/backend/engine_factory.h"
#include "compute/backend/fastest_plan.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/cost_model.h"
#include "compute/mandelbrot/plan_model.h"

namespace loom::app {
namespace {

struct ModelOptions {
  std::optional<std::string> n;
  std::string dimensions = "2";
  std::string dwell = "512";
  std::string p = "0.7";
  std::string lambda = "100";
  std::string q = "128";
  std::string c = "64";
  std::optional<std::string> g;
  std::optional<std::string> r;
  std::optional<std::string> b;
  std::string backend = "auto";
  std::string device = "0";
  std::optional<std::string> size;
  bool search = false;
  bool measure = false;
  bool json = false;
};

CostProblem read_problem(const ModelOptions& options) {
  CostProblem problem;
  problem.dimensions = read_whole_number<int>("--dimensions", options.dimensions, 2, 3);
  const std::string n = options.n.value_or(problem.dimensions == 2 ? "65536" : "1024");
  problem.n = static_cast<double>(read_whole_number("--n", n, 1, std::uint64_t{1} << 40));
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
  const auto read = [](std::string_view option, const std::string& text, std::uint32_t lowest) {
    return read_whole_number<std::uint32_t>(option, text, lowest, 1024);
  };
  return CostCut{read("--g", *options.g, 1), read("--r", *options.r, 2), read("--b", *options.b, 1)};
}

std::array<CutValue, 3> predict(const CostProblem& problem, const std::optional<CostCut>& cut) {
  std::array<CutValue, 3> result;
  constexpr std::array kRatios = {CostRatio::kWorkReduction, CostRatio::kSbrSpeedup, CostRatio::kMbrSpeedup};
  for (std::size_t i = 0; i < kRatios.size(); ++i) {
    if (cut) {
      result[i] = {*cut, cost_ratio(kRatios[i], problem, *cut)};
    } else if (const auto best = best_cut(kRatios[i], problem)) {
      result[i] = *best;
    } else {
      throw InputError(fmt::format(
          "n = {:.0f} is too small for any g, r and B of 2 to 256; allowed: at least 8", problem.n));
    }
  }
  return result;
}

nlohmann::ordered_json to_json(const CutValue& optimum) {
  return {{"g", optimum.cut.g}, {"r", optimum.cut.r}, {"b", optimum.cut.b}, {"value", optimum.value}};
}

void print_json(const CostProblem& problem, const std::array<CutValue, 3>& predictions, bool searched) {
  auto json = nlohmann::ordered_json::object();
  json["dimensions"] = problem.dimensions;
  json["n"] = static_cast<std::uint64_t>(problem.n);
  json["dwell"] = static_cast<std::uint64_t>(problem.dwell);
  json["p"] = problem.p;
  json["lambda"] = problem.lambda;
  json["q"] = static_cast<std::uint64_t>(problem.q);
  json["c"] = static_cast<std::uint64_t>(problem.c);
  json["searched"] = searched;
  json["work_reduction"] = to_json(predictions[0]);
  json["sbr_speedup"] = to_json(predictions[1]);
  json["mbr_speedup"] = to_json(predictions[2]);
  fmt::print("{}\n", json_text(json));
}

void print_text(const std::array<CutValue, 3>& predictions) {
  TextTable table({"", "value", "g", "r", "B"}, 1);
  constexpr std::array kNames = {"work reduction", "SBR speedup", "MBR speedup"};
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const CutValue& optimum = predictions[i];
    table.add({kNames[i], fmt::format("{:.4f}", optimum.value), fmt::format("{}", optimum.cut.g),
               fmt::format("{}", optimum.cut.r), fmt::format("{}", optimum.cut.b)});
  }
  fmt::print("{}", table.text());
}

/// A view whose plans are timed.
struct MeasuredView {
  const char* name;
  EscapeTimeSet set;
  double re;
  double im;
  double width;
  std::uint32_t dwell_limit;
};

EscapeTimeSet julia_at(double re, double im) {
  return {.julia = JuliaPoint{re, im}};
}

/// Four views each of the Mandelbrot set, its Julia sets, multibrots, the Burning Ship and the tricorn.
std::array<MeasuredView, 20> measured_views() {
  const EscapeTimeSet cubic{.formula = Formula::kMultibrot, .power = 3};
  const EscapeTimeSet quartic{.formula = Formula::kMultibrot, .power = 4};
  const EscapeTimeSet ship{.formula = Formula::kBurningShip};
  const EscapeTimeSet tricorn{.formula = Formula::kTricorn};
  return {{{"mandelbrot, whole", {}, -0.5, 0, 2, 512},
           {"mandelbrot, seahorses", {}, -0.7453, 0.1127, 0.0065, 2000},
           {"mandelbrot, elephants", {}, 0.2925, 0.0149, 0.012, 1000},
           {"mandelbrot, spiral", {}, -0.743643887, 0.131825904, 0.0005, 5000},
           {"julia -0.12 + 0.74 i", julia_at(-0.12, 0.74), 0, 0, 3, 512},
           {"julia -0.4 + 0.6 i", julia_at(-0.4, 0.6), 0, 0, 3, 512},
           {"julia -0.75 + 0.11 i", julia_at(-0.75, 0.11), 0, 0, 1, 1000},
           {"julia -0.1 + 0.651 i", julia_at(-0.1, 0.651), 0.2, 0.1, 0.5, 1000},
           {"multibrot 3, whole", cubic, 0, 0, 2.6, 512},
           {"multibrot 3, edge", cubic, 0.45, 0.75, 0.2, 1000},
           {"multibrot 3, bay", cubic, 0.5, 0.61, 0.03, 2000},
           {"multibrot 4, whole", quartic, 0, 0, 2.6, 512},
           {"burning-ship, whole", ship, -0.5, -0.5, 3.2, 512},
           {"burning-ship, ship", ship, -1.762, -0.028, 0.12, 1000},
           {"burning-ship, mast", ship, -1.625, 0, 0.3, 1000},
           {"burning-ship, edge", ship, 0.5, -1, 0.8, 512},
           {"tricorn, whole", tricorn, -0.2, 0, 3.6, 512},
           {"tricorn, edge", tricorn, -1.1, 0.3, 0.5, 1000},
           {"tricorn, arm", tricorn, -1.7, 0, 0.2, 2000},
           {"tricorn, bay", tricorn, 0.35, 0.6, 0.3, 1000}}};
}

PlanTimes time_plans(MandelbrotEngine& engine, const MeasuredView& of, std::uint32_t n, RegionScheme scheme) {
  const double half = of.width / 2;
  MandelbrotView view{.width = n, .height = n};
  view.window = {of.re - half, of.re + half, of.im - half, of.im + half};
  const MandelbrotConfig config{.set = of.set, .scheme = scheme, .dwell_limit = of.dwell_limit};
  PlanTimes times{
      .n = n,
      .dwell_limit = static_cast<double>(of.dwell_limit),
      .census = RegionCensus(
          engine.compute(with_plan(config, {.exhaustive = false, .cut = RegionCensus::kCut}), view).levels,
          n)};
  constexpr std::uint32_t kRuns = 5;
  double fastest = std::numeric_limits<double>::infinity();
  times.exhaustive_ms = shortest_ms(engine, with_plan(config, {.exhaustive = true, .cut = {}}), view, kRuns);
  for (const std::uint32_t g : kCutValues) {
    std::uint32_t timed_one_level = 0;
    for (const std::uint32_t r : kSearchedR) {
      for (const std::uint32_t b : kCutValues) {
        const CostCut cut{g, r, b};
        if (std::uint64_t{g} * r * b > n) continue;
        // With one level, r and B change nothing.
        const bool one_level = n / g / r <= b;
        if (one_level && timed_one_level == g) continue;
        if (one_level) timed_one_level = g;
        times.runs.push_back({cut, shortest_ms(engine, with_plan(config, {.exhaustive = false, .cut = cut}),
                                               view, kRuns, 2, 2 * PlanModel::kSlowest * fastest)});
        fastest = std::min(fastest, times.runs.back().ms);
      }
    }
  }
  return times;
}

std::string cut_text(const CostCut& cut) {
  return fmt::format("{} {} {}", cut.g, cut.r, cut.b);
}

nlohmann::ordered_json to_json(const PlanTimes::Run& run) {
  return {{"g", run.cut.g}, {"r", run.cut.r}, {"b", run.cut.b}, {"ms", run.ms}};
}

/// Times all plans of twenty views, and chooses one for each view by a model that is fitted to the others.
int measure(const ModelOptions& options) {
  const BackendSelection backend = select_backend(
      parse_backend(options.backend), read_whole_number<int>("--device", options.device, 0, 1023));
  const bool on_host = backend.device.on_host;
  const auto n =
      read_whole_number<std::uint32_t>("--size", options.size.value_or(on_host ? "128" : "2048"), 64, 8192);
  if (!std::has_single_bit(n))
    throw InputError(fmt::format("--size {} is not allowed; allowed: powers of two from 64 to 8192", n));
  const auto engine = make_mandelbrot_engine(backend);
  const auto views = measured_views();
  auto json = nlohmann::ordered_json::object();
  json["backend"] = name_of(backend.device.kind);
  json["device"] = device_text(engine->backend_name());
  json["size"] = n;
  json["schemes"] = nlohmann::ordered_json::array();
  ProgressLine progress;
  std::string text;
  for (const RegionScheme scheme : {RegionScheme::kSbr, RegionScheme::kMbr}) {
    std::vector<PlanTimes> times;
    for (const MeasuredView& view : views) {
      progress.show(fmt::format("{}: {} of {} views", name_of(scheme), times.size() + 1, views.size()));
      times.push_back(time_plans(*engine, view, n, scheme));
    }
    const PlanModel all(times);
    nlohmann::ordered_json of_scheme = {{"scheme", name_of(scheme)},
                                        {"overhead_ms", all.overhead_ms()},
                                        {"views", nlohmann::ordered_json::array()}};
    TextTable table({fmt::format("{}, {} x {}", name_of(scheme), n, n), "g r B by the model", "ms", "fastest",
                     "ms", "ratio", "exhaustive"},
                    1);
    std::size_t near = 0;
    for (std::size_t i = 0; i < views.size(); ++i) {
      const auto best = std::min_element(times[i].runs.begin(), times[i].runs.end(),
                                         [](const auto& a, const auto& b) { return a.ms < b.ms; });
      const PlanTimes::Run* const chosen = PlanModel(times, i).choose(times[i]);
      const double ratio = chosen != nullptr ? chosen->ms / best->ms : 0;
      if (chosen != nullptr && ratio <= 1.1) ++near;
      of_scheme["views"].push_back({{"view", views[i].name},
                                    {"exhaustive_ms", times[i].exhaustive_ms},
                                    {"chosen", chosen != nullptr ? to_json(*chosen) : nullptr},
                                    {"fastest", to_json(*best)}});
      table.add({views[i].name, chosen != nullptr ? cut_text(chosen->cut) : "none",
                 chosen != nullptr ? fmt::format("{:.4f}", chosen->ms) : "", cut_text(best->cut),
                 fmt::format("{:.4f}", best->ms), chosen != nullptr ? fmt::format("{:.2f}", ratio) : "",
                 fmt::format("{:.4f}", times[i].exhaustive_ms)});
    }
    of_scheme["within_10_percent"] = near;
    json["schemes"].push_back(of_scheme);
    text += table.text();
    text += fmt::format(
        "within 10 % of the fastest: {} of {}; overhead of a computation with one level: {:.4f} ms\n\n", near,
        views.size(), all.overhead_ms());
  }
  progress.show("");
  options.json ? fmt::print("{}\n", json_text(json)) : fmt::print("{}", text);
  return 0;
}

int run(const ModelOptions& options) {
  if (options.measure) return measure(options);
  const CostProblem problem = read_problem(options);
  const std::optional<CostCut> cut = read_cut(options);
  const auto predictions = predict(problem, cut);
  options.json ? print_json(problem, predictions, !cut) : print_text(predictions);
  return 0;
}

}  // namespace

Action add_model(CLI::App& command) {
  auto options = std::make_shared<ModelOptions>();
  command.description(
      "Evaluate the cost model of subdivision: work reduction, SBR and MBR speedups over exhaustive");
  const auto add = [&](const char* name, std::string& value, const char* help) {
    add_text(command, name, value, "NUMBER", help);
  };
  add_text(
      command, "--n", options->n, "NUMBER",
      "Side of the square image, or of the cube, in pixels or samples (65536 by default, in space 1024)");
  add("--dimensions", options->dimensions, "2 for images, 3 for the samples of a cube");
  add("--dwell", options->dwell, "A: work per pixel");
  add("--p", options->p, "P: probability that a region splits, 0 to 1");
  add("--lambda", options->lambda, "Cost of a split in units of A");
  add("--q", options->q, "Multiprocessors");
  add("--c", options->c, "Cores per multiprocessor");
  add_text(command, "--g", options->g, "N", "Initial regions per axis, 1 to 1024");
  add_text(command, "--r", options->r, "N", "Subdivision per axis, 2 to 1024");
  add_text(command, "--b", options->b, "N", "B, 1 to 1024");
  command.add_flag(
      "--search", options->search,
      "Find the best g, r and B among 2, 4, ... 256 for each ratio (default without --g, --r, --b)");
  command.add_flag(
      "--measure", options->measure,
      "Time all g, r and B on twenty views, fit a model of this machine's overheads, and compare "
      "its choice for each view, without that view, with the fastest");
  add_text(command, "--backend", options->backend, "BACKEND", "Where to compute: auto, cuda or cpu");
  add_text(command, "--device", options->device, "N", "Number of the CUDA device");
  add_text(command, "--size", options->size, "N",
           "Side of the square images, a power of two from 64 to 8192 (2048 by default, on a CPU 128)");
  command.add_flag("--json", options->json, "Print one JSON object and nothing else on standard output");
  return [options, &command] {
    require_effect(command, {{"--backend --device --size", options->measure, "with --measure"},
                             {"--n --dimensions --dwell --p --lambda --q --c --g --r --b --search",
                              !options->measure, "without --measure"}});
    return run(*options);
  };
}

}  // namespace loom::app
