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
    if (panes_[i].spec == specs[i]) continue;
    const bool other_kind = panes_[i].spec.shows != specs[i].shows;
    panes_[i].spec = specs[i];
    if (other_kind) set_kind(panes_[i]);
    panes_[i].backend.reset();
    panes_[i].problem.clear();
    panes_[i].in_sync = false;
    if (panes_[i].pane && panes_[i].pane->async_engine.busy()) panes_[i].pane->async_engine.cancel();
  }
}

void SecondaryPanes::set_kind(SecondaryPane& one) {
  const PaneContent shows = one.spec.shows;
  if (shows != PaneContent::kCells) one.pane.reset();  // waits for running work
  one.tried.reset();
  one.content = make_content_pane(shows);
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

void SecondaryPanes::follow(const AsyncEngine<LifeEngine>& scene, FrameClock& clock) {
  const FractalConfig& now = scene->config();
  for (SecondaryPane& one : panes_) {
    if (one.spec.shows != PaneContent::kCells || (one.pane && one.pane->async_engine.busy())) continue;
    // A changed spec has already cleared in_sync; here only a change of the scene counts.
    if (one.in_sync && one.pane->async_engine->generation() == scene->generation() &&
        one.tried->fractal == now.fractal && one.tried->level == now.level &&
        (one.backend || is_distributed_over(one.pane->async_engine->backend(), scene->backend(),
                                            devices_of(scene->backend()), one.spec.devices))) {
      continue;
    }
    if (!one.problem.empty() && one.tried->fractal == now.fractal && one.tried->level == now.level) continue;
    if (busy()) return;  // the running build reads the scene's engine, which is not thread-safe
    build(one, scene, clock);
  }
}

// The pane's own backend, if it has one, or the scene's, distributed over the pane's number of devices.
BackendSelection SecondaryPanes::backend_of(SecondaryPane& one, const BackendSelection& scene) const {
  if (one.spec.backend && !one.backend)
    one.backend = select_backend(*one.spec.backend, services_.backend.device.ordinal);
  const BackendSelection& first = one.backend ? *one.backend : scene;
  const bool own = one.backend && devices_of(first).empty();
  const std::vector<Device> devices =
      own ? devices_from(first.device, services_.cuda, {}) : devices_of(first);
  if (one.spec.devices > std::max<std::size_t>(1, devices.size())) {
    throw InputError(
        fmt::format("this pane needs {}, but there is one", devices_text(one.spec.devices, first.device)));
  }
  return distribute_over(first, devices, one.spec.devices);
}

void SecondaryPanes::build(SecondaryPane& one, const AsyncEngine<LifeEngine>& scene, FrameClock& clock) {
  const FractalConfig config = config_of(one.spec, scene->config());
  one.tried = config;
  one.in_sync = false;
  one.agreement = {};
  one.census.reset();
  clock.discard_sample();  // includes the build
  one.problem =
      run_job("out of memory for this pane", [&] {
        const BackendSelection backend = backend_of(one, scene->backend());
        if (!one.pane) {
          one.pane = std::make_unique<Pane>(single_cell(config), first_device(backend), RandomStart{},
                                            services_.context);
        }
        check_fits(config, backend);
        one.pane->async_engine.begin(
            {.build = LifeBuild{
                 .config = config, .backend = backend, .cells = scene->cells(), .source = &scene.engine()}});
      }).problem;
  if (one.problem.empty()) take(one, one.pane->finish({}, clock, false), clock);
}

void SecondaryPanes::begin(const LifeFrameRequest& scene, const FractalEngine* after, FrameClock& clock) {
  for (const bool ahead : {true, false}) {
    for (SecondaryPane& one : panes_) {
      if (!one.in_sync || one.pane->async_engine.busy()) continue;
      auto& async_engine = one.pane->async_engine;
      if (async_engine->backend().device.works_ahead != ahead) continue;
      begin(one, scene, after);
      if (ahead) after = async_engine.engine_on_device();
      // Other work is complete: its time belongs to this frame.
      if (!ahead) {
        take(one, one.pane->finish({}, clock, false), clock);
      }
    }
  }
}

void SecondaryPanes::begin(SecondaryPane& one, const LifeFrameRequest& scene, const FractalEngine* after) {
  Pane& pane = *one.pane;
  LifeFrameRequest& request = one.request;
  request.reset();
  if (scene.cells.is_start()) request.cells = scene.cells;  // others are copied
  request.edits = scene.edits;
  request.generations = scene.generations;
  request.work = scene.work;
  request.is_pipelined = scene.is_pipelined;
  request.after = after;
  const bool changes = request.changes();
  if (changes) pane.set_stale();
  if ((pane.stale() || pane.view_changed()) && !pane.has_image()) pane.request_picture(request);
  request.count_cells = scene.count_cells || (!changes && !one.census);
  request.count_threads = !pane.threads && pane.has_picture();
  request.record_devices = pane.needs_device_record();
  if (request.empty()) return;
  if (changes) {
    one.census.reset();
    one.compared = false;
  }
  pane.begin(request);
}

void SecondaryPanes::drop_images() {
  for (SecondaryPane& one : panes_) {
    if (one.pane) one.pane->drop_image();
  }
}

void SecondaryPanes::take(SecondaryPane& one, const LifeFrameOutcome* outcome, FrameClock& clock) {
  if (outcome == nullptr) return;
  const LifeFrameOutcome& done = *outcome;
  Pane& pane = *one.pane;
  const LifeFrameResult& result = done.result;
  if (done.request.build) {
    // A build that was cancelled in favour of other work is repeated.
    const bool build_cancelled = std::exchange(one.build_cancelled, false);
    one.problem = !done.cancelled   ? done.problem
                  : build_cancelled ? "cancelled. Choose another method or level to try again"
                                    : "";
    one.in_sync = result.built;
    if (result.built) pane.engine_changed();
    return;
  }
  if (done.failed()) one.in_sync = false;
  pane.take(done);
  if (result.devices) clock.discard_sample();  // includes the recording
  if (result.census) {
    one.census = result.census;
    one.compared = false;
  }
}

void SecondaryPanes::finish(TaskTimeout timeout, FrameClock& clock) {
  for (SecondaryPane& one : panes_) {
    if (!one.pane) continue;
    take(one, one.pane->finish(timeout, clock, false), clock);
  }
}

void SecondaryPanes::compare(const AsyncEngine<LifeEngine>& scene,
                             const std::optional<CountedCensus>& counted) {
  for (SecondaryPane& one : panes_) {
    if (!one.in_sync || one.pane->async_engine.busy() || scene.busy()) continue;
    if (one.compared || !counted || !one.census || counted->generation != one.census->generation) continue;
    one.compared = true;
    const Census& a = counted->census;
    const Census& b = one.census->census;
    const bool equal = a.hash == b.hash && a.population == b.population;
    const bool both_there = scene->generation() == counted->generation &&
                            one.pane->async_engine->generation() == counted->generation;
    one.agreement = {};
    if (!equal && both_there && scene->cell_count() <= kMaxComparedCells) {
      one.agreement = look_at_each(scene.engine(), one.pane->async_engine.engine());
    }
    one.agreement.known = true;
    one.agreement.equal = equal;
    one.agreement.scene = *counted;
  }
}

void SecondaryPanes::yield_background_work() {
  for (SecondaryPane& one : panes_) {
    if (one.pane && one.pane->async_engine.busy()) one.pane->async_engine.cancel();
  }
}

void SecondaryPanes::cancel() {
  for (SecondaryPane& one : panes_) one.build_cancelled = one.pane && one.pane->async_engine.busy();
  for (const SecondaryPane& one : panes_) {
    if (one.content) one.content->cancel();
  }
  yield_background_work();
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
  if (one.spec.shows == PaneContent::kCells && !one.in_sync) return "The pane is being built";
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
    const FractalConfig& own = one.in_sync ? one.pane->async_engine->config() : config;
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
