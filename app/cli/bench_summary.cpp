#include "app/cli/bench_summary.h"

#include <fmt/format.h>

#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "app/cli/text_table.h"

namespace loom::app {
namespace {

using Entry = bench::MapEntry;
/// What compared methods have in common: fractal, level, workload, backend, devices.
using Subject = std::tuple<std::string, int, std::string, std::string, int>;

Subject subject_of(const Entry& entry) {
  std::string workload = entry.workload;
  if (entry.reduction) workload += " by " + *entry.reduction;
  return {entry.fractal, entry.level, workload, entry.backend, entry.devices};
}

bool is_faster(const Entry& entry, const Entry* best) {
  return best == nullptr || entry.measured->milliseconds.median < best->measured->milliseconds.median;
}

constexpr std::ptrdiff_t kDevicesColumn = 4;

using Key = std::pair<Subject, std::string>;  ///< subject and method

template <typename Map>
const Entry* find(const Map& entries, const typename Map::key_type& key) {
  const auto found = entries.find(key);
  return found == entries.end() ? nullptr : found->second;
}

/// The entry of the same method on one device, if `key` has several; otherwise null.
const Entry* on_one_device(const std::map<Key, const Entry*>& entries, Key key) {
  int& devices = std::get<4>(key.first);
  return std::exchange(devices, 1) > 1 ? find(entries, key) : nullptr;
}

/// The best g, r and B of each method and set of optimisations.
std::string mandelbrot_table(const std::vector<bench::MandelbrotEntry>& entries, bool has_ratios) {
  using Image = std::tuple<std::string, std::uint32_t, double, Precision, std::uint32_t>;
  const auto image_of = [](const bench::MandelbrotEntry& entry) {
    return Image{entry.backend, entry.config.dwell_limit, bench::depth_of(entry.view), entry.config.precision,
                 entry.view.width};
  };
  const auto keep_faster = [](const bench::MandelbrotEntry*& best, const bench::MandelbrotEntry& entry) {
    if (best == nullptr || *median_ms(entry) < *median_ms(*best)) best = &entry;
  };
  std::map<std::tuple<Image, std::string, std::string>, const bench::MandelbrotEntry*> best_by_method;
  std::map<Image, const bench::MandelbrotEntry*> best_exhaustive;
  for (const bench::MandelbrotEntry& entry : entries) {
    if (!entry.measured) continue;
    keep_faster(best_by_method[{image_of(entry), bench::method_text(entry.config),
                                to_string(entry.config.optimisations)}],
                entry);
    if (entry.config.method == MandelbrotMethod::kExhaustive) {
      keep_faster(best_exhaustive[image_of(entry)], entry);
    }
  }
  TextTable table({"backend", "method", "ideas", "precision", "width", "n", "g", "r", "B", "ms",
                   "exhaustive / this", "work reduction", "P"},
                  4);
  for (const auto& [key, entry] : best_by_method) {
    const MandelbrotConfig& config = entry->config;
    const bool has_cut = config.method != MandelbrotMethod::kExhaustive;
    const auto cut = [&](std::uint32_t value) {
      return has_cut ? fmt::format("{}", value) : std::string("-");
    };
    const auto exhaustive = best_exhaustive.find(std::get<Image>(key));
    const double ms = *median_ms(*entry);
    const std::string ratio = !has_ratios || exhaustive == best_exhaustive.end() || ms <= 0
                                  ? ""
                                  : fmt::format("{:.2f}", *median_ms(*exhaustive->second) / ms);
    const auto p = bench::split_fraction(entry->measured->report);
    table.add({entry->backend, std::get<1>(key), std::get<2>(key), std::string(name_of(config.precision)),
               bench::width_text(entry->view), fmt::format("{}", entry->view.width), cut(config.g),
               cut(config.r), cut(config.b), fmt::format("{:.4g}", ms), ratio,
               fmt::format("{:.2f}", entry->measured->report.work_reduction()),
               p ? fmt::format("{:.3f}", *p) : std::string("-")});
  }
  return table.empty() ? "" : table.text();
}

}  // namespace

std::string summary_table(const bench::Results& results) {
  // The baseline of a ratio may be in another shard.
  const bool has_ratios = !results.shards || results.shards->whole();
  if (results.kind() == bench::SweepKind::kMandelbrot) return mandelbrot_table(results.dwells(), has_ratios);
  std::map<Key, const Entry*> best_by_method;
  std::map<Subject, const Entry*> best_box;
  bool has_devices = false;
  for (const Entry& entry : results.maps()) {
    if (!entry.measured) continue;
    has_devices = has_devices || entry.devices > 1;
    const Entry*& best = best_by_method[{subject_of(entry), bench::method_text(entry)}];
    if (is_faster(entry, best)) best = &entry;
    if (entry.map() != "bounding-box") continue;
    const Entry*& box = best_box[subject_of(entry)];
    if (is_faster(entry, box)) box = &entry;
  }
  const char* const compared = has_devices ? "one device / this" : "bounding box / this";
  std::vector<std::string> heads = {"fractal", "workload", "backend", "method",
                                    "level",   "block",    "ms",      compared};
  if (has_devices) heads.insert(heads.begin() + kDevicesColumn, "devices");
  TextTable table(heads, 4);
  for (const auto& [key, entry] : best_by_method) {
    const double ms = entry->measured->milliseconds.median;
    const Entry* const other = has_devices ? on_one_device(best_by_method, key) : find(best_box, key.first);
    const std::string ratio = !has_ratios || other == nullptr || ms <= 0
                                  ? ""
                                  : fmt::format("{:.2f}", other->measured->milliseconds.median / ms);
    std::vector<std::string> row = {entry->fractal,
                                    std::get<2>(key.first),
                                    entry->backend,
                                    key.second,
                                    fmt::format("{}", entry->level),
                                    fmt::format("{}", entry->tile_size),
                                    fmt::format("{:.4g}", ms),
                                    ratio};
    if (has_devices) row.insert(row.begin() + kDevicesColumn, fmt::format("{}", entry->devices));
    table.add(row);
  }
  return table.empty() ? "" : table.text();
}

}  // namespace loom::app
