#include "app/bench/results_csv.h"

#include <fmt/format.h>

namespace loom::app::bench {
namespace {

constexpr std::string_view kHeader =
    "fractal,level,width,height,cells,map,block,halo,arithmetic,intra_block,tiles,workload,reduction,backend,"
    "device,repeat,"
    "median_ms,min_ms,p95_ms,mean_ms,noise,samples,generations_per_sample,limited,blocks_launched,"
    "threads_launched,threads_active,bytes_held,bytes_moved,cells_per_second,bytes_per_second,skipped\r\n";

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

}  // namespace

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
