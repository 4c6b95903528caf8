#include "compute/engine/timeline.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/bench/cell_config.h"
#include "app/bench/results.h"
#include "app/cli/command.h"
#include "app/cli/options/mandelbrot_options.h"
#include "app/cli/options/options.h"
#include "app/cli/options/scene_options.h"
#include "app/explain/diagram/diagrams.h"
#include "app/explain/timeline_lanes.h"
#include "app/files/file_kind.h"
#include "app/files/json_reader.h"
#include "app/files/output_file.h"
#include "app/plot/diagram_file.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

nlohmann::ordered_json to_json(const Occupancy& occupancy) {
  if (occupancy.kernel.threads == 0) return nullptr;
  return {{"blocks_at_once", occupancy.blocks},
          {"limited_by", limited_by(occupancy)},
          {"share_of_threads", occupancy.share()},
          {"threads", occupancy.kernel.threads},
          {"registers", occupancy.kernel.registers},
          {"shared_bytes", occupancy.kernel.shared_bytes},
          {"by_threads", occupancy.by_threads},
          {"by_registers", occupancy.by_registers},
          {"by_shared_memory", occupancy.by_shared_memory},
          {"by_block_slots", occupancy.by_blocks}};
}

/// Add to a JSON object the summary of a timeline (clock, times, launches with occupancy, statistics) and its
/// data (workers and spans, each a list of numbers in the order of a list of names).
void add_timeline_summary(nlohmann::ordered_json& json, const Timeline& timeline) {
  json["clock"] = timeline.clock;
  json["resolution_ns"] = timeline.resolution;
  json["ms"] = {{"timed", timeline.plain_milliseconds}, {"recorded", timeline.milliseconds}};
  auto& launches = json["launches"] = nlohmann::ordered_json::array();
  for (const TimelineLaunch& launch : timeline.launches) {
    launches.push_back({{"kernel", launch.kernel},
                        {"blocks", launch.blocks},
                        {"occupancy", to_json(launch.occupancy)},
                        {"recorded_occupancy", to_json(launch.recorded_occupancy)}});
  }
  const explain::TimelineStats stats = explain::timeline_stats(timeline);
  auto& out = json["figures"];
  out["duration_ns"] = stats.duration;
  out["workers"] = stats.workers;
  out["workers_used"] = stats.workers_used;
  out["spans"] = stats.spans;
  out["busy_ns"] = stats.busy;
  out["slots"] = stats.slots;
  out["most_at_once"] = stats.max_concurrency;
  out["mean_at_once"] = stats.mean_concurrency;
  out["slot_utilization"] = stats.slot_utilization;
  out["waves"] = json_or_null(stats.waves);
  out["tail_ns"] = stats.tail;
  out["tail_share"] = stats.tail_fraction();
  out["grids"] = explain::timeline_grids(timeline).size();
  json["spans_kept"] = timeline.spans.size();
  json["spans_left_out"] = timeline.spans_left_out;
}

void add_timeline_spans(nlohmann::ordered_json& json, const Timeline& timeline) {
  json["worker_fields"] = {"spans", "busy_ns", "first_begin_ns", "last_end_ns"};
  auto& workers = json["workers"] = nlohmann::ordered_json::array();
  for (const TimelineWorker& worker : timeline.workers) {
    workers.push_back({worker.spans, worker.busy, worker.first_begin, worker.last_end});
  }
  json["span_fields"] = {"begin_ns", "end_ns", "worker", "launch", "block",
                         "count",    "level",  "work",   "parent"};
  auto& spans = json["spans"] = nlohmann::ordered_json::array();
  for (const TimelineSpan& span : timeline.spans) {
    spans.push_back({span.begin, span.end, span.worker, span.launch, span.block, span.count, span.level,
                     name_of(span.work), json_if(span.parent != kNoParent, span.parent)});
  }
}

struct Request {
  std::string workspace = "life";
  SceneOptions scene;
  MandelbrotOptions dwells;  ///< with the typed backend and device of both workspaces
  OptionList of_life;
  OptionList of_mandelbrot;
  std::string spans = "65536";
  std::string out;
  bool json = false;
};

struct Result {
  nlohmann::ordered_json what;  ///< description of the recorded work
  std::string title;
  BackendSelection backend;
  std::string device;
  Timeline timeline;
};

void record_life(const Request& options, const TimelineOptions& timeline_options, Result& result) {
  SceneOptions scene = options.scene;
  scene.backend = options.dwells.backend;
  scene.device = options.dwells.device;
  const Settings settings = scene.settings();
  result.backend = select_backend(settings.backend, settings.device);
  const auto engine = make_fractal_engine(settings.config, result.backend);
  engine->reset(settings.start);
  result.device = device_text(engine->backend_name());
  TimelineOptions of_rule = timeline_options;
  of_rule.rule = settings.rule;
  result.timeline = engine->record_timeline(of_rule);
  const bench::MapCase recorded{settings.config, Workload::kLife, result.backend};
  bench::add_config(result.what, settings.config);
  result.what["rule"] = to_string(settings.rule);
  result.what["seed"] = settings.start.seed;
  result.what["density"] = settings.start.density;
  result.title =
      fmt::format("{}, level {}, {}, tile size {}", settings.config.fractal.name(), settings.config.level,
                  method_text(bench::describe(recorded)), settings.config.tile_size);
}

void record_dwells(const Request& options, const TimelineOptions& timeline_options, Result& result) {
  result.backend = options.dwells.selected_backend();
  const MandelbrotConfig config = options.dwells.config();
  const MandelbrotView view = options.dwells.image();
  const auto engine = make_mandelbrot_engine(result.backend);
  result.device = device_text(engine->backend_name());
  result.timeline = engine->record_timeline(config, view, timeline_options);
  add_mandelbrot_config(result.what, config, view);
  const bool exhaustive = config.method == MandelbrotMethod::kExhaustive;
  result.title = fmt::format("{} x {}, {}{}", view.width, view.height, name_of(config.method),
                             exhaustive ? "" : fmt::format("-{}", name_of(config.scheme)));
}

nlohmann::ordered_json to_json(const Result& result, const Request& options, bool spans) {
  auto json = nlohmann::ordered_json::object();
  json["format"] = "fractal-loom timeline 1";
  json["version"] = LOOM_VERSION;
  json["workspace"] = options.workspace;
  json.update(result.what);
  json["backend"] = name_of(result.backend.device.kind);
  json["backend_reason"] = result.backend.reason;
  json["device"] = result.device;
  add_timeline_summary(json, result.timeline);
  if (spans) add_timeline_spans(json, result.timeline);
  return json;
}

void print_text(const Result& result) {
  TextTable table({"", ""});
  table.add({"recorded", result.title});
  table.add({"backend", fmt::format("{}: {} ({})", name_of(result.backend.device.kind), result.device,
                                    result.backend.reason)});
  // A subdivision launches the same kernel for each of its levels: print its name once.
  std::string before;
  for (const explain::TimelineRow& fact : explain::timeline_rows(result.timeline)) {
    table.add({fact.name == before ? "" : fact.name, fact.text});
    before = fact.name;
  }
  fmt::print("{}", table.text());
}

bool is_drawing(const std::string& file) {
  const std::string extension = lower_extension(file);
  return extension == ".svg" || extension == ".pdf" || extension == ".png";
}

std::string bytes_of(const Result& result, const Request& options) {
  if (!is_drawing(options.out)) return json_text(to_json(result, options, true), -1) + "\n";
  constexpr double kTextSize = 11;  // points
  return plot::draw_diagram(diagram::timeline_diagram(result.timeline, {}), plot::format_of(options.out),
                            kTextSize, "Timeline: " + result.title);
}

int run_timeline(const Request& options) {
  set_passive_omp_wait();
  const bool life = options.workspace == "life";
  if (!life && options.workspace != "mandelbrot") {
    throw InputError("unknown workspace '" + options.workspace + "'; allowed: life, mandelbrot");
  }
  reject_options(life ? options.of_mandelbrot : options.of_life, life ? "mandelbrot" : "life");
  TimelineOptions timeline_options;
  timeline_options.max_spans = read_whole_number("--spans", options.spans, 2, std::uint64_t{1} << 24);
  if (!options.out.empty()) check_can_be_written("--out", options.out);
  Result result;
  life ? record_life(options, timeline_options, result) : record_dwells(options, timeline_options, result);
  FirstError failure;
  if (!options.out.empty()) failure.try_run([&] { write_file(options.out, bytes_of(result, options)); });
  if (options.json) {
    fmt::print("{}\n", json_text(to_json(result, options, false)));
  } else {
    print_text(result);
  }
  failure.rethrow();
  return 0;
}

}  // namespace

Action add_timeline(CLI::App& command) {
  auto options = std::make_shared<Request>();
  command.description(
      "Record which thread block ran when on which multiprocessor, by an instrumented copy of the kernel");
  add_text(command, "--workspace", options->workspace, "NAME",
           "What to record: life (one generation) or mandelbrot (one image)");
  options->of_life = options_added_by(command, [&] {
    add_scene_options(command, options->scene,
                      SceneOptionGroup::kFractal | SceneOptionGroup::kLevel | SceneOptionGroup::kMethod |
                          SceneOptionGroup::kLife);
  });
  options->of_mandelbrot = options_added_by(
      command, [&] { add_mandelbrot_options(command, options->dwells); }, {"--backend", "--device"});
  add_text(command, "--spans", options->spans, "N",
           "Maximum number of spans to keep; of more, the first and the last half");
  add_output_file(command, "--out", options->out,
                  "Write all recorded data as JSON, or a drawing if FILE ends with .svg, .pdf or .png");
  command.add_flag("--json", options->json, "Print one JSON object and nothing else on standard output");
  return [options] { return run_timeline(*options); };
}

}  // namespace loom::app
