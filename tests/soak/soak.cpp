// soak SECONDS SEED [auto|cpu|cuda]: simulates long use of the window in one process, off screen. Each phase
// opens the application, changes settings at random (maps, storages, levels, fractals, workspaces, panes,
// backends, views), then sets a fixed scene, compares its cells with ReferenceLife, and closes the
// application. Each phase prints the memory in use. After a warm-up, memory must not grow by more than 1 MiB.
// Exit status: 0 for success, 1 for wrong cells or growing memory, 3 without OpenGL or the device, or after
// any exception.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "app/shell/allocator.h"
#include "app/shell/application.h"
#include "app/workspaces/life/life_workspace.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/mandelbrot/mandelbrot_workspace.h"
#include "compute/check/reference_life.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kEvents = 30;              ///< per phase
constexpr int kMaxFrames = 4;            ///< maximum number of frames after each event
constexpr std::size_t kWarmUp = 3;       ///< number of warm-up phases
constexpr double kMostGrowth = 1 << 20;  ///< bytes
constexpr double kLong = 60;             ///< seconds; a longer run discards its first half
constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 21;  ///< maximum number of cells of a random level
constexpr std::uint32_t kGenerations = 20;  ///< number of generations of the final scene of each phase

/// Memory that the process uses.
struct Held {
  double device_free = 0;  ///< bytes; 0 without a device
  double heap = 0;         ///< allocated bytes
  double resident = 0;     ///< resident set size in bytes
};

Held held(const BackendSelection& backend) {
  Held now;
  if (backend.device.kind == BackendKind::kCuda) now.device_free = static_cast<double>(bytes_free(backend));
  malloc_trim(0);
  const struct mallinfo2 heap = mallinfo2();
  now.heap = static_cast<double>(heap.uordblks + heap.hblkhd);
  std::ifstream statm("/proc/self/statm");
  double pages = 0;
  statm >> pages >> pages;
  now.resident = pages * static_cast<double>(sysconf(_SC_PAGESIZE));
  return now;
}

/// The most recent events, printed when a phase fails.
class LastEvents {
 public:
  void add(std::string event) {
    if (events_.size() == std::size_t{kEvents}) events_.pop_front();
    events_.push_back(std::move(event));
  }
  void print() const {
    for (const std::string& event : events_) std::printf("  %s\n", event.c_str());
  }

 private:
  std::deque<std::string> events_;
};

std::string words_of(const FractalConfig& config) {
  return fmt::format("{} level {} {} {} tile size {} {} {}{}", config.fractal.name(), config.level,
                     name_of(config.method.map), name_of(config.method.storage), config.tile_size,
                     name_of(config.method.arithmetic), name_of(config.method.intra_block),
                     config.method.halo ? " halo" : "");
}

std::string words_of(const MandelbrotSettings& settings) {
  const MandelbrotConfig& config = settings.config;
  return fmt::format("{} {} g {} r {} b {} dwell {} {} colouring {} overlay {}{}{}{}{}",
                     name_of(config.method), name_of(config.scheme), config.g, config.r, config.b,
                     config.dwell_limit, name_of(config.precision), static_cast<int>(settings.colouring),
                     static_cast<int>(settings.overlay), settings.automatic ? " automatic" : "",
                     settings.julia ? " julia" : "", settings.measure ? " measure" : "",
                     settings.show_timeline ? " timeline" : "");
}

/// The growth in bytes from the first to the second half of the phases. Compares the minimum of each half,
/// because memory may be freed late.
double growth(const std::vector<double>& taken) {
  const auto middle = taken.begin() + static_cast<std::ptrdiff_t>(taken.size() / 2);
  return *std::min_element(middle, taken.end()) - *std::min_element(taken.begin(), middle);
}

class Session {
 public:
  Session(render::GraphicsContext& context, const BackendSelection& backend, std::mt19937_64& random,
          LastEvents& last)
      : backend_(backend), random_(random), last_(last) {
    last_.add("a new program");
    ShellSettings shell;
    shell.backend = choice();
    application_ = std::make_unique<Application>(shell, context, [this](const ShellServices& services) {
      Application::Workspaces workspaces;
      auto life = std::make_unique<LifeWorkspace>(default_life_settings(), services);
      life_ = life.get();
      workspaces.push_back(std::move(life));
      auto mandelbrot = std::make_unique<MandelbrotWorkspace>(MandelbrotSettings{}, std::nullopt, services);
      mandelbrot_ = mandelbrot.get();
      workspaces.push_back(std::move(mandelbrot));
      return workspaces;
    });
  }

  void event() {
    if (one_of(12) == 0) {
      last_.add("the other workspace");
      in_life([](LifeEdit& edit) { edit.shell.settings.workspace ^= 1; });
    } else if (application_->settings().workspace == 0) {
      life_event();
    } else {
      mandelbrot_event();
    }
    for (std::uint64_t i = one_of(kMaxFrames) + 1; i > 0; --i) application_->frame();
  }

  /// Sets the final scene of the phase and returns whether its cells are as expected.
  bool ends_as_it_should(const Census& expected) {
    const auto settle = [this] {
      life_->finish();
      mandelbrot_->finish();
      for (int i = 0; i < 6; ++i) application_->frame();
    };
    in_life([](LifeEdit& edit) { edit.shell.settings.workspace = 0; });
    settle();
    in_life([this](LifeEdit& edit) {
      edit.settings = default_life_settings();
      edit.settings.playing = false;
      edit.shell.settings.backend = choice();
    });
    settle();
    in_life([](LifeEdit& edit) { edit.commands.restart = true; });
    settle();
    in_life([](LifeEdit& edit) { edit.commands.step = kGenerations; });
    settle();
    in_life([](LifeEdit& edit) { edit.commands.count = true; });
    settle();
    const Census census = life_->async_engine().engine().census();
    if (life_->async_engine()->generation() == kGenerations && census.hash == expected.hash &&
        census.population == expected.population) {
      return true;
    }
    std::printf("generation %llu has population %llu, and should have %llu; it says: %s\n",
                static_cast<unsigned long long>(life_->async_engine()->generation()),
                static_cast<unsigned long long>(census.population),
                static_cast<unsigned long long>(expected.population), application_->message().c_str());
    return false;
  }

 private:
  BackendChoice choice() const {
    return backend_.device.kind == BackendKind::kCuda ? BackendChoice::kCuda : BackendChoice::kCpu;
  }
  std::uint64_t one_of(std::uint64_t count) { return random_() % count; }
  template <typename List>
  auto any_of(const List& list) {
    return list[one_of(std::size(list))];
  }
  // A hidden workspace handles requests only when it is shown, so switch to Life first.
  void in_life(std::function<void(LifeEdit&)> change) {
    if (application_->settings().workspace == 1) {
      mandelbrot_->request([](MandelbrotEdit& edit) { edit.shell.settings.workspace = 0; });
      application_->frame();
      application_->frame();
    }
    life_->request(std::move(change));
    application_->frame();
  }

  FractalConfig any_config(FractalConfig config) {
    const auto& fractals = catalog();
    if (one_of(3) == 0) config.fractal = fractals[one_of(fractals.size())];
    int most = 0;
    while (most < config.fractal.max_level() && config.fractal.cells(most + 1) <= kMaxCells) ++most;
    if (one_of(2) == 0) config.level = static_cast<int>(one_of(static_cast<std::uint64_t>(most) + 1));
    config.level = std::min(config.level, most);
    config.method.map = any_of(kMapKinds);
    config.method.arithmetic = any_of(kMapArithmetics);
    config.method.intra_block = any_of(kIntraBlocks);
    config.method.halo = one_of(2) == 0;
    config.method.storage = one_of(3) == 0 ? CellStorage::kBits : CellStorage::kBytes;
    config.tile_size =
        nearest_tile_size(config.fractal, config.level, static_cast<std::uint32_t>(1 + one_of(32)));
    keep_method_valid(config);
    return config;
  }

  void life_event() {
    const std::uint64_t what = one_of(18);
    last_.add(fmt::format("life {}, before: {} panes, {}: {}, backend {}", what,
                          life_->settings().secondary_panes.size() + 1, name_of(life_->settings().workload),
                          words_of(life_->settings().config),
                          static_cast<int>(application_->settings().backend)));
    life_->request([this, what](LifeEdit& edit) {
      LifeSettings& settings = edit.settings;
      LifeCommands& commands = edit.commands;
      switch (what) {
        case 0:
        case 1:
        case 2:
          settings.config = any_config(settings.config);
          break;
        case 3:
          set_panes(settings, any_of(kPanePresets), backend_.device);
          break;
        case 4:
          settings.playing = !settings.playing;
          break;
        case 5:
          settings.generations_per_frame = static_cast<std::uint32_t>(1 + one_of(8));
          break;
        case 6:
          settings.workload = any_of(kWorkloads);
          settings.reduction = any_of(kReductionMethods);
          break;
        case 7:
          settings.colouring = {.by = any_of(explain::kColourings), .level = 1, .workers = {}};
          break;
        case 8:
          commands.step = static_cast<std::uint32_t>(1 + one_of(100));
          break;
        case 9:
          settings.start = {random_(), 0.1 * static_cast<double>(one_of(11))};
          commands.restart = true;
          break;
        case 10:
          for (int i = 0; i < 50; ++i)
            commands.cells.push_back(
                {{static_cast<std::uint64_t>(one_of(512)), static_cast<std::uint64_t>(one_of(512))},
                 one_of(2) == 0});
          break;
        case 11:
          edit.shell.commands.undo = true;
          break;
        case 12:
          edit.shell.commands.redo = true;
          break;
        case 13:
          commands.undo_generation = true;
          break;
        case 14:
          edit.shell.settings.backend = one_of(3) == 0 ? BackendChoice::kCpu : choice();
          break;
        case 15:
          settings.show_thread = !settings.show_thread;
          settings.pinned =
              Coord64{static_cast<std::uint64_t>(one_of(200)), static_cast<std::uint64_t>(one_of(200))};
          break;
        case 16:
          edit.shell.view.zoom = static_cast<int>(one_of(7)) - 3;
          edit.shell.view.pan.x = static_cast<int>(one_of(3)) - 1;
          break;
        default:
          commands.clear = true;
          break;
      }
    });
  }

  void mandelbrot_event() {
    const std::uint64_t what = one_of(13);
    last_.add(fmt::format("mandelbrot {}, before: {}, backend {}", what, words_of(mandelbrot_->settings()),
                          static_cast<int>(application_->settings().backend)));
    mandelbrot_->request([this, what](MandelbrotEdit& edit) {
      MandelbrotSettings& settings = edit.settings;
      switch (what) {
        case 0:
          settings.automatic = false;
          set_method(settings.config, any_of(std::array{MandelbrotMethod::kExhaustive, MandelbrotMethod::kAsk,
                                                        MandelbrotMethod::kDp}));
          break;
        case 1:
          settings.automatic = false;
          settings.config.scheme = one_of(2) == 0 ? RegionScheme::kSbr : RegionScheme::kMbr;
          settings.config.g = 2u << one_of(6);
          settings.config.r = 2u << one_of(2);
          settings.config.b = 4u << one_of(5);
          break;
        case 2:
          settings.config.dwell_limit = static_cast<std::uint32_t>(16 + one_of(600));
          break;
        case 3:
          settings.config.precision = one_of(2) == 0 ? Precision::kFloat : Precision::kDouble;
          break;
        case 4:
          settings.colouring = any_of(kColourings);
          break;
        case 5:
          settings.overlay = any_of(kRegionOverlays);
          break;
        case 6:
          settings.julia = !settings.julia;
          break;
        case 7:
          settings.measure = !settings.measure;
          break;
        case 8:
          settings.show_timeline = !settings.show_timeline;
          edit.commands.record_timeline = true;
          break;
        case 9:
          edit.commands.check = true;
          break;
        case 10:
          edit.shell.view.zoom = static_cast<int>(one_of(7)) - 3;
          edit.shell.view.pan.y = static_cast<int>(one_of(3)) - 1;
          break;
        case 11:
          settings.automatic = one_of(2) == 0;
          break;
        default:
          edit.shell.settings.backend = one_of(3) == 0 ? BackendChoice::kCpu : choice();
          break;
      }
    });
  }

  BackendSelection backend_;
  std::mt19937_64& random_;
  LastEvents& last_;
  LifeWorkspace* life_ = nullptr;
  MandelbrotWorkspace* mandelbrot_ = nullptr;
  std::unique_ptr<Application> application_;
};

Census expected_census() {
  const LifeSettings settings = default_life_settings();
  ReferenceLife reference(settings.config.fractal, settings.config.level);
  reference.reset(settings.start);
  reference.step(kGenerations, settings.rule);
  return reference.census();
}

int soak(double seconds, std::uint64_t seed, BackendChoice choice, LastEvents& last) {
  const BackendSelection backend = select_backend(choice);
  const bool on_device = backend.device.kind == BackendKind::kCuda;
  const auto context = render::make_offscreen({1280, 720}, backend.device.interop_ordinal());
  std::printf("soak seed %llu, %s, %s\n", static_cast<unsigned long long>(seed), on_device ? "cuda" : "cpu",
              context->info().renderer.c_str());
  const Census expected = expected_census();
  std::mt19937_64 random(seed);
  std::vector<double> on_heap;
  std::vector<double> of_device;
  std::uint64_t events = 0;
  double least_free = 0;
  const auto begin = Clock::now();
  for (std::size_t phase = 0;; ++phase) {
    const double at = std::chrono::duration<double>(Clock::now() - begin).count();
    if (at >= seconds && phase > kWarmUp + 2) break;
    bool right = false;
    {
      Session session(*context, backend, random, last);
      for (int i = 0; i < kEvents; ++i, ++events) session.event();
      right = session.ends_as_it_should(expected);
    }
    const Held now = held(backend);
    std::printf(
        "phase %4zu  %7.1f s  events %7llu  heap %9.1f KiB  resident %9.1f KiB  device free %12.1f KiB%s\n",
        phase, std::chrono::duration<double>(Clock::now() - begin).count(),
        static_cast<unsigned long long>(events), now.heap / 1024, now.resident / 1024, now.device_free / 1024,
        right ? "" : "  WRONG CELLS");
    std::fflush(stdout);
    if (!right) {
      last.print();
      return 1;
    }
    // One of these events used more device memory than any before.
    if (phase > kWarmUp && now.device_free < least_free - kMostGrowth) last.print();
    least_free = phase ? std::min(least_free, now.device_free) : now.device_free;
    // Skip the warm-up and, in a long run, the first half: kernels, shaders and lists stay allocated after
    // first use.
    if (phase < kWarmUp || (at < seconds / 2 && seconds >= kLong)) continue;
    on_heap.push_back(now.heap);
    of_device.push_back(-now.device_free);
  }
  const double heap_growth = growth(on_heap);
  const double device_growth = growth(of_device);
  const bool flat = heap_growth <= kMostGrowth && device_growth <= kMostGrowth;
  std::printf(
      "%s: %llu events, %zu phases after warm-up; heap grew by %.1f KiB, the device's memory by %.1f KiB\n",
      flat ? "flat" : "GROWS", static_cast<unsigned long long>(events), on_heap.size(), heap_growth / 1024,
      device_growth / 1024);
  return flat ? 0 : 1;
}

}  // namespace
}  // namespace loom::app

int main(int argc, char** argv) {
  loom::app::tune_allocator();
  if (argc < 3) {
    std::fprintf(stderr, "usage: soak SECONDS SEED [auto|cpu|cuda]\n");
    return 2;
  }
  const std::string choice = argc > 3 ? argv[3] : "auto";
  loom::app::LastEvents last;
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);  // lazily loaded kernels would look like a leak
  try {
    return loom::app::soak(std::strtod(argv[1], nullptr), std::strtoull(argv[2], nullptr, 10),
                           choice == "cpu"    ? loom::BackendChoice::kCpu
                           : choice == "cuda" ? loom::BackendChoice::kCuda
                                              : loom::BackendChoice::kAuto,
                           last);
  } catch (const std::exception& error) {
    std::printf("the last events:\n");
    last.print();
    std::fflush(stdout);
    std::fprintf(stderr, "soak: %s\n", error.what());
    return 3;
  }
}
