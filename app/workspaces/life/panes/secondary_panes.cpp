#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/explain/memory.h"
#include "app/files/output_file.h"
#include "app/text/format.h"
#include "app/widgets/inputs.h"
#include "app/workspaces/life/panes/panes.h"
#include "app/workspaces/life/picture/life_picture.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/backend/emulation.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/device/device.h"
#include "compute/geometry/canonical_order.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom::app {
namespace {

/// Null for cells.
std::unique_ptr<ContentPane> make_content_pane(PaneContent shows) {
  auto pane = make_thread_pane(shows);
  return pane != nullptr ? std::move(pane) : make_timing_pane(shows);
}

/// Larger fields are not compared cell by cell within a frame.
constexpr std::uint64_t kMaxComparedCells = 1 << 20;

PaneAgreement look_at_each(const FractalEngine& scene, const FractalEngine& other) {
  const auto cells = static_cast<std::size_t>(scene.cell_count());
  std::vector<std::uint8_t> of_scene(cells);
  std::vector<std::uint8_t> of_other(cells);
  scene.read_cells(0, of_scene);
  other.read_cells(0, of_other);
  PaneAgreement found;
  found.count = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    if (of_scene[i] == of_other[i]) continue;
    if ((*found.count)++ == 0) {
      const FractalConfig& config = scene.config();
      found.first =
          CanonicalOrder<std::uint64_t>(make_tiled_fractal(config.fractal, config.level, 1)).cell(i);
    }
  }
  return found;
}

}  // namespace

Text words_of(const FractalConfig& config, const Device& device, std::size_t devices) {
  const auto add_devices = [&](Text& words) {
    if (devices > 1) words.add(", {} {}", devices, device.simulated_devices > 0 ? "devices" : "GPUs");
  };
  if (!explain::has_tiles(config)) {
    Text words = format_text("{}, bits", label_of(config.method.map));
    add_devices(words);
    return words;
  }
  Text words = format_text("{}, ρ {}", label_of(config.method.map), config.tile_size);
  if (config.method.map != MapKind::kBoundingBox) {
    words.add(", {}", name_of(config.method.arithmetic));
    if (is_arithmetic_emulated(device, config.method.map, config.method.arithmetic)) {
      words.append(" emulated");
    }
  }
  add_devices(words);
  return words;
}

void SecondaryPanes::request(const std::vector<PaneSpec>& specs) {
  // The destructor of a removed pane waits for its running work.
  panes_.resize(std::min(specs.size(), kMaxPanes - 1));
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    SecondaryPane& one = panes_[i];
    if (one.spec == specs[i]) continue;
    const bool other_kind = one.spec.shows != specs[i].shows;
    one.spec = specs[i];
    one.config.reset();
    one.problem.clear();
    if (one.pane) one.pane->yield();
    if (!other_kind) continue;
    if (one.spec.shows != PaneContent::kCells) one.pane.reset();  // waits for running work
    one.content = make_content_pane(one.spec.shows);
  }
}

void SecondaryPanes::place(const std::vector<PaneArea>& areas, float scale) {
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    const Area& area = areas[i + 1].picture;
    if (panes_[i].pane) panes_[i].pane->place(area, scale);
    // A pane without cells has no score.
    const Area whole{area.corner, area.size + glm::vec2{0, areas[i + 1].score.size.y}};
    if (panes_[i].content) panes_[i].content->place(whole, scale);
  }
}

void SecondaryPanes::show_contents(const PaneSubject& subject, PaneResponse& response) {
  const bool has_tiles = explain::has_tiles(subject.method.config);
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    const SecondaryPane& one = panes_[i];
    if (!one.content) continue;
    const Text id = format_text("##{} {}", name_of(one.spec.shows), i);
    if (has_tiles || !one.content->needs_tiles(subject)) {
      one.content->show(id.c_str(), subject, response);
      continue;
    }
    begin_pane_window(id.c_str(), one.content->area());
    note(explain::kByteStorageOnly);
    ImGui::End();
  }
}

void SecondaryPanes::take_timeline(const RecordedMethod& method, const LifeFrameResult& result) {
  for (SecondaryPane& one : panes_) {
    if (one.content) one.content->take_timeline(method, result);
  }
}

std::shared_ptr<const explain::ThreadBlockWorkers> SecondaryPanes::workers(const RecordedMethod& now) const {
  for (const SecondaryPane& one : panes_) {
    auto recorded = one.content ? one.content->workers(now) : nullptr;
    if (recorded) return recorded;
  }
  return nullptr;
}

// The shell's list of devices if it applies to the backend, otherwise an empty list.
const std::vector<Device>& SecondaryPanes::devices_of(const BackendSelection& first) const {
  return services_.backend.device == first.device ? services_.devices : no_devices_;
}

bool SecondaryPanes::is_selected_for(const SecondaryPane& one, const LifeEngine& scene) const {
  if (!one.config || !is_same_field(*one.config, scene.config())) return false;
  return !one.problem.empty() || one.spec.backend ||
         is_distributed_over(one.backend, scene.backend(), devices_of(scene.backend()), one.spec.devices);
}

void SecondaryPanes::select(SecondaryPane& one, const LifeEngine& scene) const {
  one.config = config_of(one.spec, scene.config());
  one.problem = run_job("out of memory for this pane", [&] {
                  one.backend = backend_of(one.spec, scene.backend());
                  if (!one.pane) {
                    one.pane = std::make_unique<Pane>(single_cell(*one.config), first_device(one.backend),
                                                      RandomStart{}, services_.context);
                  }
                  check_fits(*one.config, one.backend);
                }).problem;
}

void SecondaryPanes::follow(const AsyncEngine<LifeEngine>& scene, FrameClock& clock) {
  for (SecondaryPane& one : panes_) {
    if (one.spec.shows != PaneContent::kCells || (one.pane && one.pane->async_engine.busy())) continue;
    if (!is_selected_for(one, *scene)) select(one, *scene);
    if (!one.problem.empty() || one.has(scene->cells())) continue;
    if (busy()) return;  // the running build reads the scene's engine, which is not thread-safe
    one.agreement = {};
    clock.discard_sample();  // includes the build
    one.pane->begin({.build = LifeBuild{*one.config, one.backend, &scene.engine()}, .cells = scene->cells()});
    finish(one, {}, clock);
  }
}

// The pane's own backend, if it has one, or the scene's, distributed over the pane's number of devices.
BackendSelection SecondaryPanes::backend_of(const PaneSpec& spec, const BackendSelection& scene) const {
  const BackendSelection first =
      spec.backend ? select_backend(*spec.backend, services_.backend.device.ordinal) : scene;
  const bool own = spec.backend && devices_of(first).empty();
  const std::vector<Device> devices =
      own ? devices_from(first.device, services_.cuda, {}) : devices_of(first);
  if (spec.devices > std::max<std::size_t>(1, devices.size())) {
    throw InputError(
        fmt::format("this pane needs {}, but there is one", devices_text(spec.devices, first.device)));
  }
  return distribute_over(first, devices, spec.devices);
}

void SecondaryPanes::begin(const LifeFrameRequest& scene, const CellSource& before,
                           const FractalEngine* after, FrameClock& clock) {
  for (const bool ahead : {true, false}) {
    for (SecondaryPane& one : panes_) {
      if (!one.has(before) || one.pane->async_engine.busy()) continue;
      auto& async_engine = one.pane->async_engine;
      if (async_engine->backend().device.works_ahead != ahead) continue;
      begin(one, scene, before, after);
      if (ahead) after = async_engine.engine_on_device();
      if (!ahead) finish(one, {}, clock);  // other work is complete: its time belongs to this frame
    }
  }
}

void SecondaryPanes::begin(SecondaryPane& one, const LifeFrameRequest& scene, const CellSource& before,
                           const FractalEngine* after) {
  // Cells that take generations are copied afterwards.
  if (scene.cells.is_known() && !scene.cells.is_start() && !before.patch_to(scene.cells)) return;
  Pane& pane = *one.pane;
  request_.reset();
  request_.same_cells = before;
  request_.cells = scene.cells;
  request_.edits = scene.edits;
  request_.generations = scene.generations;
  request_.work = scene.work;
  request_.is_pipelined = scene.is_pipelined;
  request_.after = after;
  pane.complete(request_);
  const auto& counted = pane.census.counted();
  const bool is_counted = counted && counted->generation == pane.async_engine->generation();
  request_.count_cells = scene.count_cells || (!request_.changes() && !is_counted);
  pane.begin(request_);
}

void SecondaryPanes::finish(SecondaryPane& one, TaskTimeout timeout, FrameClock& clock) {
  if (one.pane && one.pane->finish(timeout, clock, false) != nullptr && one.config)
    one.problem = one.pane->problem_of(*one.config, one.backend);
}

void SecondaryPanes::finish(TaskTimeout timeout, FrameClock& clock) {
  for (SecondaryPane& one : panes_) finish(one, timeout, clock);
}

void SecondaryPanes::compare(const Pane& scene) {
  const auto& counted = scene.census.counted();
  if (!counted || scene.async_engine.busy()) return;
  for (SecondaryPane& one : panes_) {
    if (!one.runs() || one.pane->async_engine.busy()) continue;
    const Pane& pane = *one.pane;
    if (!pane.census.counted() || pane.census.counted()->generation != counted->generation) continue;
    const Census& a = counted->census;
    const Census& b = pane.census.counted()->census;
    const bool equal = a.hash == b.hash && a.population == b.population;
    PaneAgreement& known = one.agreement;
    if (known.known && known.equal == equal && known.scene.generation == counted->generation &&
        known.scene.census.hash == a.hash)
      continue;
    const bool both_there = scene.async_engine->generation() == counted->generation &&
                            pane.async_engine->generation() == counted->generation;
    known = {};
    if (!equal && both_there && scene.async_engine->cell_count() <= kMaxComparedCells)
      known = look_at_each(scene.async_engine.engine(), pane.async_engine.engine());
    known.known = true;
    known.equal = equal;
    known.scene = *counted;
  }
}

void SecondaryPanes::cancel() {
  for (const SecondaryPane& one : panes_) {
    if (one.content) one.content->cancel();
    if (one.pane) one.pane->cancel();
  }
}

Progress SecondaryPanes::progress() const {
  for (const SecondaryPane& one : panes_) {
    if (one.pane && one.pane->async_engine.busy()) return one.pane->async_engine.progress();
    if (one.content && !one.content->progress().what.empty()) return one.content->progress();
  }
  return {};
}

namespace {

using plot::PaneFigure;

/// Takes a few milliseconds.
constexpr std::uint64_t kMaxCopiedCells = 1 << 23;

std::optional<PaneFigure> figure_of(PaneContent shows) {
  constexpr auto kNone = std::optional<PaneFigure>();
  return value_for<PaneContent::kMapMetrics>(
      {std::optional(PaneFigure::kCells), std::optional(PaneFigure::kThreads),
       std::optional(PaneFigure::kMemory), std::optional(PaneFigure::kSteps), kNone,
       std::optional(PaneFigure::kTimeline), std::optional(PaneFigure::kMemoryAccess), kNone, kNone},
      shows);
}

/// "threads-sierpinski-gasket-9-lambda-16".
std::string file_name(PaneFigure figure, const FractalConfig& config) {
  return plain_file_name(fmt::format("{}-{}-{}-{}-{}", name_of(figure), config.fractal.name(), config.level,
                                     name_of(config.method.map), config.tile_size));
}

std::string disabled_reason(const SecondaryPanes::SecondaryPane& one) {
  if (one.spec.shows == PaneContent::kMapMetrics || one.spec.shows == PaneContent::kRace)
    return one.content->figure_problem();
  if (!figure_of(one.spec.shows)) return "Animations cannot be exported. Export the cells or the threads";
  if (!one.problem.empty()) return one.problem;
  if (one.spec.shows == PaneContent::kCells && !one.runs()) return "The pane is being built";
  return one.content ? one.content->figure_problem() : std::string();
}

void add_states(FigureJob& job, const FractalEngine& engine) {
  if (job.colouring.by != explain::ColourBy::kState) return;
  if (engine.cell_count() > kMaxCopiedCells) {
    throw InputError(
        fmt::format("{} cells are too many to draw by state; allowed: at most {}, or another colouring",
                    format_count(engine.cell_count()), format_count(kMaxCopiedCells)));
  }
  job.alive.emplace(static_cast<std::size_t>(engine.cell_count()));
  engine.read_cells(0, *job.alive);
}

void add_thread(FigureJob& job, const ThreadExplanation& explanation) {
  const bool of_this = explanation.thread() && explanation.space()->config() == job.config;
  if (of_this) job.thread = explanation.thread()->place.ref;
}

}  // namespace

std::vector<FigureSource> figure_sources(const FigureScene& scene) {
  const FractalConfig& config = scene.scene.async_engine->config();
  std::vector<FigureSource> sources;
  sources.push_back({"active pane: cells", PaneFigure::kCells, file_name(PaneFigure::kCells, config), {}});
  std::size_t number = 2;
  for (const SecondaryPanes::SecondaryPane& one : scene.secondary_panes.all()) {
    const PaneFigure figure = figure_of(one.spec.shows).value_or(PaneFigure::kCells);
    const FractalConfig& own = one.runs() ? one.pane->async_engine->config() : config;
    sources.push_back({fmt::format("pane {}: {}", number++, name_of(one.spec.shows)), figure,
                       file_name(figure, own), disabled_reason(one)});
  }
  return sources;
}

FigureJob figure_job(const FigureScene& scene, std::size_t source) {
  const FractalConfig& config = scene.scene.async_engine->config();
  FigureJob job{.what = PaneFigure::kCells,
                .config = config,
                .colouring = scene.colouring,
                .neighbour = scene.neighbour};
  const auto of_cells = [&](const Pane& pane, const ThreadExplanation& explanation) {
    job.config = pane.async_engine->config();
    const TiledFractal& tiled = pane.space.tiled();
    job.part = visible_part(pane.camera, tiled.width, tiled.height);
    const bool of_another = job.colouring.by == explain::ColourBy::kWorker && job.config != config;
    if (of_another) job.colouring.by = explain::ColourBy::kState;  // as in the pane
    add_states(job, pane.async_engine.engine());
    add_thread(job, explanation);
  };
  if (source == 0 || source > scene.secondary_panes.all().size()) {
    of_cells(scene.scene, scene.explanation);
    return job;
  }
  const SecondaryPanes::SecondaryPane& one = scene.secondary_panes.all()[source - 1];
  if (const std::string problem = disabled_reason(one); !problem.empty()) throw InputError(problem);
  job.what = *figure_of(one.spec.shows);
  if (one.pane) {
    of_cells(*one.pane, one.explanation);
    return job;
  }
  if (one.content && one.content->add_to_figure(job)) add_states(job, scene.scene.async_engine.engine());
  add_thread(job, scene.explanation);
  return job;
}

}  // namespace loom::app
