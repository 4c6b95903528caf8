#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/bench/results.h"
#include "app/bench/sampler.h"
#include "app/cli/command.h"
#include "app/cli/mandelbrot_run.h"
#include "app/cli/options/mandelbrot_options.h"
#include "app/cli/options/options.h"
#include "app/cli/options/picture_options.h"
#include "app/document/image/image.h"
#include "app/document/scene/scene.h"
#include "app/files/file_kind.h"
#include "app/files/json_reader.h"
#include "app/files/output_file.h"
#include "app/program/workspace_formats.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "app/workspaces/mandelbrot/document/view_text.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/pixel_samples.h"
#include "app/workspaces/solid/document/solid_state.h"
#include "compute/backend/engine_factory.h"
#include "compute/backend/fastest_plan.h"
#include "compute/check/dwell_checks.h"
#include "compute/core/error.h"
#include "compute/cpu/available_memory.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/divergence.h"
#include "compute/mandelbrot/mandelbrot_fields.h"
#include "compute/mandelbrot/mandelbrot_memory.h"
#include "compute/perturbation/nucleus.h"
#include "render/palette.h"

namespace loom::app {
namespace {

/// The scene that shows this image in the window, where pixels are squares: it shows the whole image.
std::string scene_of(const MandelbrotRun& run, const ShellSettings& shell, MandelbrotSettings look) {
  const MandelbrotView& view = run.view;
  const auto& [re_min, re_max, im_min, im_max] = view.window;
  const Precision typed = look.config.precision;
  look.config = run.config;
  look.config.precision = typed;
  look.dwell_by_depth = false;
  scene::Scene scene{.workspace = std::string(MandelbrotState::kId),
                     .custom_palettes = shell.custom_palettes};
  edit_state<LifeState>(scene);
  edit_state<SolidState>(scene);
  edit_state<MandelbrotState>(scene) = MandelbrotState(
      std::move(look),
      view.decimal ? complex_view(*view.decimal, view.angle)
                   : ComplexView{{(re_min + re_max) / 2, (im_min + im_max) / 2},
                                 std::max(re_max - re_min, (im_max - im_min) * view.width / view.height),
                                 nullptr,
                                 view.angle});
  return scene::bytes_of(scene);
}

/// Throws InputError if a side exceeds 16384.
void check_image_size(const MandelbrotView& view) {
  if (view.width <= kMaxImageSide && view.height <= kMaxImageSide) return;
  throw InputError(fmt::format("--png: {} x {} pixels are not allowed; allowed: sides from 1 to {}",
                               view.width, view.height, kMaxImageSide));
}

/// Host bytes per pixel in addition to its dwell.
std::uint64_t bytes_per_pixel(Colouring colouring, int samples_per_axis) {
  const std::uint64_t smooth = is_continuous(colouring) ? 2 * sizeof(std::uint32_t) : 0;
  return smooth + (samples_per_axis > 1 ? 3 * sizeof(std::uint32_t) : 0);
}

/// The dwells of an engine as the window shows them, with samples_per_axis x samples_per_axis samples per
/// pixel. With several samples, the engine afterwards contains another sample of each pixel.
class PictureRows final : public image::ImageRows {
 public:
  PictureRows(MandelbrotEngine& engine, const render::Palette& palette, const DwellColouring& how,
              int samples_per_axis)
      : engine_(engine),
        is_smooth_(is_continuous(how.colouring)),
        has_mean_(samples_per_axis > 1),
        size_(engine.view().width, engine.view().height),
        row_(engine.view().width) {
    dwell_colours(palette, how, count_dwells_by_scale(engine), colours_);
    const auto held = [&] {
      if (is_smooth_) engine.compute_smooth();
      return is_smooth_ ? engine.smooth_image(MemorySpace::kHost) : engine.image(MemorySpace::kHost);
    };
    if (is_smooth_ && !has_mean_) smooth_ = held();
    if (!has_mean_) return;
    const MandelbrotConfig config = engine.config();
    const MandelbrotView view = engine.view();
    mean_.begin(size_.x, size_.y);
    for (int index = 0; index < samples_per_axis * samples_per_axis; ++index) {
      if (index > 0) engine.compute(config, sample_view(view, samples_per_axis, index));
      mean_.add(held(), colours_.table());
    }
  }
  glm::ivec2 size() const override { return size_; }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor*) override {
    const std::size_t width = row_.size();
    if (!is_smooth_ && !has_mean_) {
      dwells_.resize(width * static_cast<std::size_t>(count));
      engine_.read_dwells(static_cast<std::uint32_t>(first), dwells_);
    }
    rgb.clear();
    for (int y = 0; y < count; ++y) {
      const std::uint32_t* from =
          has_mean_ || is_smooth_ ? nullptr : &dwells_[static_cast<std::size_t>(y) * width];
      if (is_smooth_ && !has_mean_)
        from =
            reinterpret_cast<const std::uint32_t*>(static_cast<const std::byte*>(smooth_.pixels) +
                                                   static_cast<std::size_t>(first + y) * smooth_.row_bytes);
      if (has_mean_) mean_.row(first + y, row_);
      for (std::size_t x = 0; x < width && !has_mean_; ++x)
        row_[x] = dwell_colour(colours_.table(), from[x], is_smooth_);
      for (const glm::u8vec3& colour : row_) rgb.insert(rgb.end(), {colour.r, colour.g, colour.b});
    }
  }

 private:
  MandelbrotEngine& engine_;
  bool is_smooth_;
  bool has_mean_;
  glm::ivec2 size_;
  DwellColours colours_;
  ImageView smooth_;
  PictureMean mean_;
  std::vector<std::uint32_t> dwells_;
  std::vector<glm::u8vec3> row_;
};

struct Options {
  const CLI::App* command = nullptr;
  MandelbrotOptions dwells;
  std::optional<std::string> open;
  std::optional<std::string> palette;
  std::string runs = "1";
  std::string npy;
  std::string png;
  std::string check_samples;
  std::string seed = "1";
  bool find_nucleus = false;
  bool check = false;
  bool hash = false;
  bool automatic = false;
  bool divergence = false;
  bool json = false;
};

/// Maximum number of differences that are examined individually; more are only counted.
constexpr std::size_t kMaxPlaces = 100000;
DivergenceReport measure_divergence(MandelbrotEngine& engine, const MandelbrotConfig& config,
                                    const MandelbrotView& view) {
  // Computed again to list the regions; the report stays that of a run without the list.
  engine.compute(config, view, MandelbrotEngine::Regions::kList);
  std::vector<std::uint32_t> held(view.pixels());
  engine.read_dwells(0, held);
  make_iterations(config, view, held);
  const DwellRows dwells{held, view.width, view.height};
  DivergenceReport warp_divergence{.exact = divergence_is_exact(config), .border = {}, .pixels = {}};
  if (config.method == MandelbrotMethod::kExhaustive) {
    warp_divergence.pixels = ExhaustiveDivergence(dwells, config.block).total();
    return warp_divergence;
  }
  for (const MandelbrotRegion& region : engine.regions()) {
    const RegionDivergence found = region_divergence(dwells, region, config.block);
    warp_divergence.border += found.border;
    warp_divergence.pixels += found.leaf;
  }
  return warp_divergence;
}

/// Checks the memory for image and divergence count, which is needed only after the computation. The engine
/// checks its own memory.
void check_memory(const Options& options, const MandelbrotRun& result, const MandelbrotSettings& look) {
  const bool on_host = result.backend.device.on_host;
  const std::uint64_t image = on_host ? bytes_needed(result.config, result.view, options.divergence) : 0;
  constexpr std::uint64_t kOfDwell = 32;  // histograms of threads, and a colour
  const std::uint64_t beside =
      bytes_per_pixel(look.colouring, samples_in_file(look.samples_per_axis)) * result.view.pixels() +
      kOfDwell * result.config.dwell_limit;
  if (!options.png.empty()) cpu::check_available(image + beside, "--png");
  if (options.divergence) cpu::check_available(image + 6 * result.view.pixels(), "--divergence");
}

/// The input of a run, before any memory is allocated for it.
struct Plan {
  MandelbrotRun result;
  std::vector<Device> devices;  ///< several or named devices; empty: only result.backend
  std::uint64_t runs = 1;
  std::uint64_t samples = 0;
  std::uint64_t seed = 1;
  ShellSettings shell;
  MandelbrotSettings look;
};

/// `ranks`: the processes that compute together, of which the first writes; null: only this one.
Plan prepare(const Options& options, const ProcessGroup* ranks) {
  Plan plan;
  MandelbrotRun& result = plan.result;
  const DeviceSelection chosen = options.dwells.selected_devices(ranks);
  result.backend = chosen.backend;
  result.devices = chosen.numbers();
  if (ranks != nullptr) result.ranks = ranks->count();
  plan.devices = chosen.several;
  result.config = options.dwells.config();
  result.view = options.dwells.image();
  plan.runs = read_whole_number("--runs", options.runs, 1, 100000);
  if (!options.check_samples.empty() && !result.config.set.perturbs()) {
    throw InputError(fmt::format(
        "--check-samples has no exact arithmetic for {}; allowed: --check, or --formula mandelbrot",
        to_string(result.config.set)));
  }
  if (!options.check_samples.empty())
    plan.samples = read_whole_number("--check-samples", options.check_samples, 1, 1'000'000'000);
  plan.seed = read_whole_number("--seed", options.seed, 0, std::numeric_limits<std::int64_t>::max());
  const bool writes = ranks == nullptr || ranks->rank() == 0;
  if (writes && !options.npy.empty()) check_can_be_written("--npy", options.npy);
  if (writes && !options.png.empty()) check_can_be_written("--png", options.png);
  if (!options.png.empty()) check_image_size(result.view);
  plan.look = options.dwells.colours();
  plan.look.config.precision =
      typed_value(options.dwells.fields, "precision") ? result.config.precision : Precision::kAuto;
  choose_palette(plan.shell, plan.look, options.palette);
  if (writes) check_memory(options, result, plan.look);
  check_different_files({{"--npy", options.npy}, {"--png", options.png}});
  require_effect(*options.command,
                 {{"--palette --colouring --cycle --interior --points", !options.png.empty(), "with --png"},
                  {"--seed", !options.check_samples.empty(), "with --check-samples"},
                  {"--method", !options.automatic, "without --automatic"}});
  return plan;
}

std::unique_ptr<MandelbrotEngine> make_engine(const Plan& plan) {
  if (!plan.devices.empty()) return make_mandelbrot_engine(plan.devices);
  return make_mandelbrot_engine(plan.result.backend);
}

MandelbrotRun compute(Plan plan, MandelbrotEngine& engine, const Options& options) {
  MandelbrotRun& result = plan.result;
  result.device = device_text(engine.backend_name());
  if (options.automatic) {
    result.search = find_fastest_plan(engine, result.config, result.view,
                                      {.first = {result.config.g, result.config.r, result.config.b}});
    result.config = with_plan(result.config, result.search->best()->plan);
  }
  std::vector<double> milliseconds;
  for (std::uint64_t run = 0; run < plan.runs; ++run) {
    result.report = engine.compute(result.config, result.view);
    milliseconds.push_back(result.report.milliseconds);
    const auto parts = engine.partition_times();
    result.parts.assign(parts.begin(), parts.end());
  }
  result.times = bench::summarise(milliseconds);
  result.config.precision = engine.config().precision;
  if (plan.samples > 0) result.sampled = check_samples(engine, plan.samples, plan.seed, kPrintedPlaces);
  if (options.check) {
    // Computed again to list the regions; the report stays that of a run without the list.
    engine.compute(result.config, result.view, MandelbrotEngine::Regions::kList);
    result.check.emplace();
    result.check->differences = engine.count_differences(kMaxPlaces);
    result.check->border_misses = count_border_misses(engine, result.check->differences);
  }
  if (options.hash) result.dwells = hash_of_dwells(engine);
  if (options.divergence) result.warp_divergence = measure_divergence(engine, result.config, result.view);
  if (!options.npy.empty()) {
    const auto read = [&](std::uint32_t first_row, std::span<std::uint32_t> rows) {
      engine.read_dwells(first_row, rows);
    };
    const bool written = result.failure.try_run([&] {
      write_npy(options.npy, std::array{result.view.height, result.view.width}, read);
    });
    if (written) result.npy = options.npy;
  }
  if (!options.png.empty()) {
    const render::Palette& palette = palette_or_first(plan.shell.custom_palettes, plan.look.palette);
    const std::string scene = scene_of(result, plan.shell, plan.look);
    const bool written = result.failure.try_run([&] {
      PictureRows rows(engine, palette, plan.look.dwell_colouring(),
                       samples_in_file(plan.look.samples_per_axis));
      image::write_image(options.png, rows, scene);
    });
    if (written) result.png = options.png;
  }
  return std::move(result);
}

/// Returns the exit status.
int compute_and_print(Plan plan, MandelbrotEngine& engine, const Options& options) {
  const MandelbrotRun result = compute(std::move(plan), engine, options);
  options.json ? print_json(result) : print_text(result);
  result.failure.rethrow();
  const bool differs = (result.check && !result.check->ok()) || (result.sampled && !result.sampled->ok());
  return differs ? 1 : 0;
}

/// The first process computes, prints and writes; the others execute its commands and end with its status.
int compute_on_all_ranks(const Options& options, const ProcessGroup& ranks) {
  Plan plan = make_on_all_ranks(ranks, [&] { return prepare(options, &ranks); });
  auto engine = make_mandelbrot_engine(plan.result.backend.device, ranks);
  int status = 0;
  FirstError failure;
  if (ranks.rank() == 0) {
    failure.try_run([&] {
      status = compute_and_print(std::move(plan), *engine, options);
      flush_standard_output();
    });
    engine.reset();
  } else {
    try {
      execute_commands(*engine);
    } catch (const std::exception& error) {  // the first process would wait for this one forever
      abort_all_ranks(ranks, error.what());
    }
  }
  make_on_all_ranks(ranks, [&] {
    failure.rethrow();
    return true;
  });
  ranks.broadcast(std::as_writable_bytes(std::span(&status, 1)));
  return status;
}

/// Types the view and the dwell limit of a position, or of a scene, as far as no option does. Returns a
/// sentence about what is left out. Throws InputError for a file without a position.
std::string open_position(const std::string& file, MandelbrotOptions& options) {
  const FileKind kind = kind_of_file(file);
  const MandelbrotView image = options.image();
  const glm::ivec2 size(image.width, image.height);
  ParsedView position;
  if (kind == FileKind::kPosition) position = read_view_file(file);
  const bool may_show = kind == FileKind::kScene || kind == FileKind::kImage;
  const scene::Scene scene =
      may_show ? scene::read_file(file, workspace_formats(), [](const FractalConfig&) {}) : scene::Scene{};
  if (scene.workspace == MandelbrotState::kId) {
    const MandelbrotState& state = state_of<MandelbrotState>(scene);
    position.set = state.settings.config.set;
    static_cast<ViewRequest&>(position) = state.view.value_or(default_view(size, *position.set));
    if (!state.settings.dwell_by_depth) position.dwell_limit = state.settings.config.dwell_limit;
  } else if (kind != FileKind::kPosition) {
    throw InputError(fmt::format(
        "--open {}: it has no position; allowed: a position (.kfr, .xpf), or a scene or PNG that shows the "
        "Mandelbrot set",
        file));
  }
  const bool has_view = !options.window.empty() || options.center;
  auto& dwell = options.fields["dwell"];
  if (has_view && (dwell || !position.dwell_limit)) {
    throw InputError(fmt::format("--open {} has no effect beside the other options; allowed: without {}",
                                 file,
                                 position.dwell_limit ? "a typed view, or without --dwell"
                                                      : "a typed view (the file has no dwell limit)"));
  }
  if (!has_view) {
    const ViewDigits digits =
        digits_of(decimal_of(position.fitted_to_aspect(static_cast<double>(size.x) / size.y)));
    options.center = fmt::format("{},{}", digits.re, digits.im);
    options.width = digits.width;
    if (!options.angle && position.view.angle != 0) options.angle = fmt::format("{}", position.view.angle);
  }
  if (!dwell && position.dwell_limit) dwell = std::to_string(*position.dwell_limit);
  const auto is_typed = [&](const FieldInfo& field) {
    return typed_value(options.fields, field.option).has_value();
  };
  if (position.set && std::ranges::none_of(set_fields(), is_typed)) {
    const MandelbrotConfig opened{.set = *position.set};
    for (const Field<MandelbrotConfig>& field : set_fields()) {
      if (field.varies(opened)) options.fields[std::string(field.option)] = field.text(opened);
    }
  }
  return position.dropped;
}

/// Returns the exit status: 1 if there is no nucleus in the view.
int print_nucleus(const Options& options) {
  require_only(*options.command, "--find-nucleus", "--open --center --width --size --dwell --backend --json");
  if (parse_backend(options.dwells.backend.value_or("cpu")) == BackendChoice::kCuda)
    throw InputError("--find-nucleus runs on the CPU; allowed: --backend cpu or auto");
  if (!options.dwells.center)
    throw InputError("--find-nucleus needs a view; allowed: with --center and --width");
  const MandelbrotView view = options.dwells.image();
  const std::uint32_t most = options.dwells.config().dwell_limit;
  const auto nucleus =
      find_nucleus(*view.decimal, view.width, view.height, most, cpu::orbit_memory(), ProgressScope());
  if (options.json) {
    auto json = nlohmann::ordered_json::object();
    json["found"] = nucleus.has_value();
    if (nucleus) {
      json["re"] = nucleus->re;
      json["im"] = nucleus->im;
      json["period"] = nucleus->period;
      json["size"] = nucleus->size;
      json["newton_steps"] = nucleus->newton_steps;
    }
    fmt::print("{}\n", json_text(json));
  } else if (nucleus) {
    TextTable table({"", ""});
    table.add({"period", fmt::format("{}", nucleus->period)});
    table.add({"size", nucleus->size});
    table.add({"re", nucleus->re});
    table.add({"im", nucleus->im});
    fmt::print("{}", table.text());
  } else {
    fmt::print("no nucleus with a period up to {} in this view\n", most);
  }
  return nucleus ? 0 : 1;
}

int run(Options options) {
  const ProcessGroup* const ranks = ProcessGroup::join();
  if (ranks == nullptr) set_passive_omp_wait();
  if (options.open) {
    const std::string note = open_position(*options.open, options.dwells);
    if (ranks == nullptr || ranks->rank() == 0) print_note(note);
  }
  if (options.find_nucleus) return print_nucleus(options);
  if (ranks != nullptr) return compute_on_all_ranks(options, *ranks);
  Plan plan = prepare(options, nullptr);
  const auto engine = make_engine(plan);
  return compute_and_print(std::move(plan), *engine, options);
}

}  // namespace

Action add_mandelbrot(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.description("Compute the Mandelbrot set's dwells without a window: exhaustive, DP or ASK");
  add_mandelbrot_options(command, options->dwells);
  add_text(command, "--open", options->open, "FILE",
           "View and dwell limit of a position (.kfr, .xpf), or of a scene (.loom) or PNG that shows the "
           "Mandelbrot set; other options override it");
  add_text(command, "--devices", options->dwells.devices, "N,N,...",
           "Distribute the rows over these CUDA devices: a comma list of numbers, or all; with "
           "--backend cpu, over that number of CPU partitions");
  add_text(command, "--runs", options->runs, "N", "Number of computations; the median time is printed");
  add_output_file(command, "--npy", options->npy, "Write the dwells as a NumPy array (H, W), uint32");
  add_output_file(command, "--png", options->png,
                  "Write an image that carries its position, sides up to 16384");
  add_text(command, "--palette", options->palette, "NAME|FILE",
           "Image: name of a palette (an unknown name prints the list), or a .gpl, .map or .cpt file");
  add_dwell_colour_options(command, options->dwells, "Image: ");
  command.add_flag("--check", options->check,
                   "Compare every pixel with the exhaustive method; exit status 1 if a pixel differs that "
                   "is not a border miss");
  add_text(command, "--check-samples", options->check_samples, "N",
           "Compare this number of random pixels with a plain loop in MPFR numbers; exit status 1 if more "
           "than one in 10000 differs, or, with a float mantissa, more than one in 1000 by more than 1 and "
           "0.1 %");
  add_text(command, "--seed", options->seed, "N", "Seed of the random pixels");
  command.add_flag(
      "--find-nucleus", options->find_nucleus,
      "Find the minibrot of lowest period in the view instead of computing it: its centre, its period, "
      "up to the dwell limit, and an estimate of its size; exit status 1 if there is none");
  command.add_flag("--automatic", options->automatic,
                   "Choose the method (exhaustive or ask), g, r and B by timing several of them first");
  command.add_flag("--divergence", options->divergence,
                   "Compute the warp divergence of a GPU from the dwells");
  command.add_flag("--hash", options->hash,
                   "Print a hash of all dwells and the number of pixels at the limit");
  command.add_flag("--json", options->json, "Print one JSON object and nothing else on standard output");
  options->command = &command;
  return [options] { return run(*options); };
}

}  // namespace loom::app
