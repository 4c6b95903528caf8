#include "compute/mandelbrot/volume.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/bench/sampler.h"
#include "app/cli/command.h"
#include "app/cli/options/mandelbrot_options.h"
#include "app/cli/options/options.h"
#include "app/cli/options/picture_options.h"
#include "app/files/json_reader.h"
#include "app/files/output_file.h"
#include "app/palette/custom_palettes.h"
#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "render/palette.h"
#include "render/png.h"

namespace loom::app {
namespace {

struct VolumeOptions {
  const CLI::App* command = nullptr;
  TypedFields fields;
  std::optional<std::string> formula_file;
  std::string method = "ask";
  std::string backend = "auto";
  std::optional<std::string> device;
  std::string runs = "1";
  std::string npy;
  std::string png;
  std::string picture = "1280x720";
  std::optional<std::string> palette;
  std::vector<std::string> turn;
  bool check = false;
  bool json = false;
};

/// The camera, turned from where it begins.
struct Look {
  glm::ivec2 picture{1280, 720};
  VolumeSettings volume = {};
  SolidCamera camera = default_volume_camera();
  ShellSettings shell = {};
  MandelbrotSettings palette = {};
};

struct VolumeRun {
  VolumeConfig config = {};
  BackendSelection backend = {};
  MandelbrotReport report = {};
  bench::Summary times = {};
  std::uint64_t table_bytes = 0;
  std::uint64_t sum = 0;
  std::uint64_t at_limit = 0;
  std::optional<VolumeDifferences> differences = {};
  std::string device = {};
  std::string npy = {};
  std::string png = {};
  FirstError failure = {};
};

VolumeSettings read_volume_settings(const VolumeOptions& options, bool on_host) {
  VolumeSettings settings{.config = {}};
  VolumeConfig& config = settings.config;
  config.method = parse_choice("method", options.method, kMandelbrotMethods);
  if (options.formula_file) {
    config.set = VolumeSet::kCustom;
    config.custom = formula_in_file(*options.formula_file);
    check_in_space(config.custom);
  }
  read_fields(options.fields, volume_fields(), settings);
  require_effect(*options.command,
                 {{"--formula-file", config.set == VolumeSet::kCustom, "with --set custom or without --set"},
                  {"--scheme", !on_host, "with --method ask on a CUDA device"},
                  {"--check", config.method != MandelbrotMethod::kExhaustive, "with --method dp or ask"},
                  {"--misses", options.check, "with --png and --check"},
                  {"--picture --surface --colour-by --cut-axis --cut --boxes --misses --palette --turn",
                   !options.png.empty(), "with --png"}});
  validate(config);
  if (const auto& surface = typed_value(options.fields, "surface");
      surface && settings.surface > config.dwell_limit)
    throw bad_value("--surface", *surface, fmt::format("a whole number from 1 to {}", config.dwell_limit));
  settings.surface = std::min(settings.surface, config.dwell_limit);
  return settings;
}

Look read_look(const VolumeOptions& options, const VolumeSettings& volume) {
  Look look{.volume = volume};
  look.picture = read_sides("--picture", options.picture, kMaxImageSide, allowed_sides(kMaxImageSide));
  choose_palette(look.shell, look.palette, options.palette);
  if (!options.turn.empty()) {
    constexpr double kMostTurn = 3600;
    const std::array<Bounds, 2> bounds = {{{-kMostTurn, kMostTurn}, {-90, 90}}};
    const auto turn =
        read_numbers("--turn", options.turn, bounds,
                     "ABOUT,ABOVE in degrees: about the vertical axis, and above it from -90 to 90");
    const auto radians = [](double degrees) { return static_cast<float>(degrees * std::numbers::pi / 180); };
    look.camera.orientation = glm::angleAxis(radians(turn[0]), glm::vec3(0, 1, 0)) *
                              glm::angleAxis(radians(-turn[1]), glm::vec3(1, 0, 0));
  }
  return look;
}

void write_picture(const std::string& file, VolumeEngine& engine, const Look& look) {
  const render::Palette& palette = palette_or_first(look.shell.custom_palettes, look.palette.palette);
  VolumeRows rows(engine, look.volume, look.picture, palette);
  rows.look_from(look.camera);
  OutputFile out(file);
  render::PngWriter png(look.picture, [&](std::string_view bytes) { out.write(bytes); });
  constexpr int kRows = 64;
  std::vector<std::uint8_t> rgb;
  for (int row = 0; row < look.picture.y; row += kRows) {
    rows.rows(row, std::min(kRows, look.picture.y - row), rgb, nullptr);
    png.rows(rgb);
  }
  png.finish();
  out.commit();
}

nlohmann::ordered_json to_json(const MandelbrotLevel& level) {
  return {{"side", level.width},
          {"regions", level.regions},
          {"filled", level.filled},
          {"leaves", level.leaves},
          {"splits", level.splits},
          {"p", level.split_fraction()},
          {"face_samples", level.border_pixels},
          {"leaf_samples", level.leaf_pixels},
          {"filled_samples", level.filled_pixels},
          {"ms", json_or_null(level.milliseconds)}};
}

void print_json(const VolumeRun& run) {
  const VolumeConfig& config = run.config;
  auto json = nlohmann::ordered_json::object();
  json["set"] = name_of(config.set);
  json["power"] = json_if(config.set == VolumeSet::kMandelbulb, config.power);
  json["c"] = json_if(config.set == VolumeSet::kQuaternionJulia, config.c);
  json["box"] = {config.box.low[0],  config.box.high[0], config.box.low[1],
                 config.box.high[1], config.box.low[2],  config.box.high[2]};
  json["size"] = config.size;
  json["dwell"] = config.dwell_limit;
  json["method"] = name_of(config.method);
  const bool splits = config.method != MandelbrotMethod::kExhaustive;
  json["g"] = json_if(splits, config.g);
  json["r"] = json_if(splits, config.r);
  json["b"] = json_if(splits, config.b);
  const bool has_table = config.method == MandelbrotMethod::kAsk;
  json["order"] = json_if(has_table, name_of(config.order));
  json["scheme"] = json_if(has_table && !run.backend.device.on_host, name_of(config.scheme));
  json["backend"] = name_of(run.backend.device.kind);
  json["device"] = run.device;
  json["runs"] = run.times.samples;
  json["ms"] = {{"median", run.times.median}, {"p95", run.times.p95}, {"min", run.times.min}};
  json["samples"] = run.report.pixels;
  json["computed_samples"] = run.report.computed_pixels();
  json["work_reduction"] = run.report.work_reduction();
  json["launches"] = run.report.launches;
  json["bytes"] = run.report.allocated_bytes;
  json["table_bytes"] = json_if(has_table, run.table_bytes);
  json["levels"] = nlohmann::ordered_json::array();
  for (const MandelbrotLevel& level : run.report.levels) json["levels"].push_back(to_json(level));
  json["sum"] = run.sum;
  json["at_limit"] = run.at_limit;
  if (run.differences) {
    const std::uint64_t different = run.differences->filled + run.differences->others;
    json["check"] = {{"ok", run.differences->others == 0},
                     {"different", different},
                     {"filled_wrongly", run.differences->filled},
                     {"fraction", static_cast<double>(different) / static_cast<double>(run.report.pixels)}};
  }
  if (!run.npy.empty()) json["npy"] = run.npy;
  if (!run.png.empty()) json["png"] = run.png;
  fmt::print("{}\n", json_text(json));
}

void print_text(const VolumeRun& run) {
  const VolumeConfig& config = run.config;
  TextTable table({"", ""});
  const auto add = [&](const char* name, const std::string& value) { table.add({name, value}); };
  std::string set(name_of(config.set));
  if (config.set == VolumeSet::kMandelbulb) set += fmt::format(", power {}", config.power);
  if (config.set == VolumeSet::kQuaternionJulia) set += fmt::format(", c {}", fmt::join(config.c, ", "));
  add("set", set);
  add("samples", fmt::format("{0} x {0} x {0}, limit {1}", config.size, config.dwell_limit));
  std::string method(name_of(config.method));
  if (config.method != MandelbrotMethod::kExhaustive)
    method += fmt::format(", g {}, r {}, B {}", config.g, config.r, config.b);
  if (config.method == MandelbrotMethod::kAsk) method += fmt::format(", order {}", name_of(config.order));
  if (config.method == MandelbrotMethod::kAsk && !run.backend.device.on_host)
    method += fmt::format(", {}", name_of(config.scheme));
  add("method", method);
  add("device", run.device);
  add("time", run.times.samples == 1
                  ? fmt::format("{:.3f} ms", run.times.median)
                  : fmt::format("{:.3f} ms (median of {})", run.times.median, run.times.samples));
  add("computed", fmt::format("{} samples, {:.2f} times less work", run.report.computed_pixels(),
                              run.report.work_reduction()));
  if (config.method == MandelbrotMethod::kAsk) add("offset table", fmt::format("{} bytes", run.table_bytes));
  add("dwells", fmt::format("sum {}, {} at the limit", run.sum, run.at_limit));
  if (run.differences) {
    add("check", fmt::format("{} of {} samples differ from exhaustive, {} of them not in filled regions",
                             run.differences->filled + run.differences->others, run.report.pixels,
                             run.differences->others));
  }
  if (!run.npy.empty()) add("array", run.npy);
  if (!run.png.empty()) add("picture", run.png);
  fmt::print("{}", table.text());
  if (run.report.levels.empty()) return;
  TextTable levels({"level", "side", "regions", "filled", "leaves", "split", "P", "face samples",
                    "leaf samples", "filled samples", "ms"},
                   2);
  for (std::size_t i = 0; i < run.report.levels.size(); ++i) {
    const MandelbrotLevel& level = run.report.levels[i];
    levels.add({fmt::format("{}", i), fmt::format("{}", level.width), fmt::format("{}", level.regions),
                fmt::format("{}", level.filled), fmt::format("{}", level.leaves),
                fmt::format("{}", level.splits), fmt::format("{:.3f}", level.split_fraction()),
                fmt::format("{}", level.border_pixels), fmt::format("{}", level.leaf_pixels),
                fmt::format("{}", level.filled_pixels),
                level.milliseconds ? fmt::format("{:.3f}", *level.milliseconds) : "-"});
  }
  fmt::print("{}", levels.text());
}

int run(const VolumeOptions& options) {
  set_passive_omp_wait();
  const BackendChoice choice = parse_backend(options.backend);
  VolumeRun run{.backend = select_backend(choice, read_device(options.device, choice))};
  const VolumeSettings settings = read_volume_settings(options, run.backend.device.on_host);
  run.config = settings.config;
  const Look look = read_look(options, settings);
  const auto runs = read_whole_number("--runs", options.runs, 1, 100000);
  if (!options.npy.empty()) check_can_be_written("--npy", options.npy);
  if (!options.png.empty()) check_can_be_written("--png", options.png);
  check_different_files({{"--npy", options.npy}, {"--png", options.png}});
  const std::unique_ptr<VolumeEngine> made = make_volume_engine(run.backend);
  VolumeEngine& engine = *made;
  run.device = device_text(engine.backend_name());
  std::vector<double> milliseconds;
  for (std::uint64_t i = 0; i < runs; ++i) {
    run.report = engine.compute(run.config);
    milliseconds.push_back(run.report.milliseconds);
  }
  run.times = bench::summarise(milliseconds);
  run.table_bytes = engine.table_bytes();
  for (const VolumeSample sample : engine.samples()) {
    run.sum += dwell_of(sample);
    run.at_limit += dwell_of(sample) == run.config.dwell_limit ? 1 : 0;
  }
  if (options.check) run.differences = engine.count_differences();
  const std::uint32_t n = run.config.size;
  const bool has_npy = !options.npy.empty() && run.failure.try_run([&] {
    write_npy(options.npy, std::array{n, n, n}, [&](std::uint32_t first_row, std::span<std::uint32_t> rows) {
      const auto samples = engine.samples().subspan(std::size_t{first_row} * n, rows.size());
      std::ranges::transform(samples, rows.begin(), dwell_of);
    });
  });
  if (has_npy) run.npy = options.npy;
  if (!options.png.empty() && run.failure.try_run([&] { write_picture(options.png, engine, look); }))
    run.png = options.png;
  options.json ? print_json(run) : print_text(run);
  run.failure.rethrow();
  return run.differences && run.differences->others > 0 ? 1 : 0;
}

}  // namespace

Action add_volume(CLI::App& command) {
  auto options = std::make_shared<VolumeOptions>();
  command.description(
      "Compute the dwells of a set in space, a Mandelbulb, a quaternion Julia set or that of a formula: "
      "exhaustive, DP or ASK");
  options->command = &command;
  const auto add = [&](const char* name, auto& value, const char* type, const char* help) {
    add_text(command, name, value, type, help);
  };
  const auto add_list = [&](const char* name, std::vector<std::string>& words, const char* type,
                            const char* help) {
    command.add_option(name, words, help)->type_name(type)->delimiter(',');
  };
  add_field_options(command, volume_fields(), options->fields, "", VolumeSettings{.config = {}});
  add("--formula-file", options->formula_file, "FILE",
      "Iterate the formula in this file: Vector next(Vector v, Vector c) {...}");
  add("--method", options->method, "METHOD",
      "exhaustive, dp (kernels launch kernels; on the CPU a task for each region) or ask (a launch for each "
      "level)");
  add("--backend", options->backend, "BACKEND", "Where to compute: auto, cuda or cpu");
  add("--device", options->device, "N", "Number of the CUDA device");
  add("--runs", options->runs, "N", "Number of computations; the median time is printed");
  command.add_flag(
      "--check", options->check,
      "Compare every sample with the exhaustive method, and count those that regions filled wrongly; exit "
      "status 1 if any other differs");
  add_output_file(command, "--npy", options->npy,
                  "Write the dwells as a NumPy array (N, N, N), uint32, indices z, y, x");
  add_output_file(command, "--png", options->png, "Write an image of a surface of one dwell");
  add("--picture", options->picture, "WIDTHxHEIGHT", "Image: its size in pixels");
  add("--palette", options->palette, "NAME|FILE", "Image: a palette, as in mandelbrot");
  add_list(
      "--turn", options->turn, "ABOUT,ABOVE",
      "Image: the camera's angles in degrees, about the vertical axis (z of the set) and above the horizon");
  command.add_flag("--json", options->json, "Print one JSON object and nothing else on standard output");
  return [options] { return run(*options); };
}

}  // namespace loom::app
