#include "app/bench/results_csv.h"

#include <fmt/format.h>

namespace loom::app::bench {
namespace {

constexpr std::string_view kHeader =
    "fractal,level,width,height,cells,map,block,halo,arithmetic,intra_block,tiles,workload,reduction,backend,"
    "device,repeat,"
    "median_ms,min_ms,p95_ms,mean_ms,noise,samples,generations_per_sample,limited,blocks_launched,"
    "threads_launched,threads_active,bytes_held,bytes_moved,cells_per_second,bytes_per_second,skipped\r\n";

constexpr std::string_view kMandelbrotHeader =
    "width,height,method,scheme,ideas,g,r,b,dwell_limit,block_shape,precision,backend,device,repeat,"
    "median_ms,min_ms,p95_ms,mean_ms,noise,samples,limited,pixels,computed_pixels,filled_pixels,"
    "work_reduction,split_fraction,bytes_held,levels,level_ms,skipped\r\n";

std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string measured_fields(const Entry& entry) {
  if (!entry.measured) return std::string(14, ',');
  const Measured& measured = *entry.measured;
  const Summary& time = measured.milliseconds;
  const std::string noise = time.noise ? fmt::format("{}", *time.noise) : "";
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", time.median, time.min, time.p95,
                     time.mean, noise, time.samples, measured.generations_per_sample, measured.limited,
                     measured.blocks_launched, measured.threads_launched, measured.threads_active,
                     measured.bytes_held, measured.bytes_moved, cells_per_second(entry),
                     bytes_per_second(entry));
}

std::string mandelbrot_fields(const MandelbrotEntry& entry) {
  if (!entry.measured) return std::string(14, ',');
  const Summary& time = entry.measured->milliseconds;
  const MandelbrotReport& report = entry.measured->report;
  const auto optional = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  std::string level_ms;
  for (const MandelbrotLevel& level : report.levels) {
    if (&level != report.levels.data()) level_ms += ';';
    level_ms += optional(level.milliseconds);
  }
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", time.median, time.min, time.p95,
                     time.mean, optional(time.noise), time.samples, entry.measured->limited, report.pixels,
                     report.computed_pixels(), filled_pixels(report), report.work_reduction(),
                     optional(split_fraction(report)), report.bytes_held, report.levels.size(), level_ms);
}

std::string mandelbrot_text(std::span<const MandelbrotEntry> entries) {
  std::string text(kMandelbrotHeader);
  for (const MandelbrotEntry& entry : entries) {
    const MandelbrotConfig& config = entry.config;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}x{},{},{},{},{},{},{}\r\n", entry.view.width,
                        entry.view.height, name_of(config.method), name_of(config.scheme),
                        field(to_string(config.ideas)), config.g, config.r, config.b, config.dwell_limit,
                        config.block.x, config.block.y, name_of(config.precision), entry.backend,
                        entry.device, entry.repeat, mandelbrot_fields(entry), field(entry.skipped));
  }
  return text;
}

}  // namespace

std::string csv_text(const Results& results) {
  if (results.kind == SweepKind::kMandelbrot) return mandelbrot_text(results.dwells);
  return csv_text(std::span<const Entry>(results.entries));
}

std::string csv_text(std::span<const Entry> entries) {
  std::string text(kHeader);
  for (const Entry& entry : entries) {
    const std::string halo = entry.halo ? (*entry.halo ? "on" : "off") : "";
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", field(entry.fractal),
                        entry.level, entry.width, entry.height, entry.cells, field(entry.map), entry.block,
                        halo, field(entry.arithmetic.value_or("")), field(entry.intra_block), entry.tiles,
                        field(entry.workload), field(entry.reduction.value_or("")), field(entry.backend),
                        entry.device, entry.repeat, measured_fields(entry), field(entry.skipped));
  }
  return text;
}

}  // namespace loom::app::bench
