#include "app/plot/map_selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "app/plot/mandelbrot_selection.h"
#include "app/plot/series_table.h"
#include "compute/core/error.h"

namespace loom::app::plot {
namespace {

using Entry = bench::MapEntry;

bool is_selected(const Entry& entry, const Selection& selection, bool with_base) {
  // Ratios require the bounding box even if it is not selected.
  const bool is_base = with_base && entry.map() == kBaseMap;
  // The bounding box has no arithmetic, so filters on arithmetic do not apply to it.
  const auto arithmetic = entry.part("arithmetic");
  return passes(selection.fractals, entry.fractal) && (is_base || passes(selection.maps, entry.map())) &&
         (!arithmetic || passes(selection.arithmetics, *arithmetic)) &&
         (!arithmetic || passes(selection.intra_blocks, entry.part("intra_block").value_or(""))) &&
         passes(selection.workloads, entry.workload) && passes(selection.backends, entry.backend) &&
         passes(selection.tile_sizes, entry.tile_size) && passes(selection.levels, entry.level) &&
         passes(selection.devices, entry.devices);
}

/// Throws if the selection names a value that no entry has.
template <typename Value, typename Get>
void check_names(const std::vector<Entry>& entries, const std::vector<Value>& wanted, std::string_view option,
                 Get get) {
  std::set<Value> have;
  for (const Entry& entry : entries) have.insert(get(entry));
  for (const Value& value : wanted) {
    if (!have.contains(value)) {
      throw InputError(
          fmt::format("{} '{}' is not in the results; allowed: {}", option, value, fmt::join(have, ", ")));
    }
  }
}

void check_selection(const std::vector<Entry>& entries, const Selection& selection) {
  check_names(entries, selection.fractals, "--fractal", [](const Entry& e) { return e.fractal; });
  check_names(entries, selection.maps, "--map", [](const Entry& e) { return e.map(); });
  check_names(entries, selection.arithmetics, "--arithmetic",
              [](const Entry& e) { return e.part("arithmetic").value_or("none"); });
  check_names(entries, selection.intra_blocks, "--intra-block",
              [](const Entry& e) { return e.part("intra_block").value_or("none"); });
  check_names(entries, selection.workloads, "--workload", [](const Entry& e) { return e.workload; });
  check_names(entries, selection.backends, "--backend", [](const Entry& e) { return e.backend; });
  check_names(entries, selection.tile_sizes, "--block", [](const Entry& e) { return e.tile_size; });
  check_names(entries, selection.levels, "--level", [](const Entry& e) { return e.level; });
  check_names(entries, selection.devices, "--devices", [](const Entry& e) { return e.devices; });
}

template <typename Get>
void check_single(const std::vector<const Entry*>& entries, std::string_view option, Get get) {
  std::set<std::string> have;
  for (const Entry* entry : entries) have.insert(get(*entry));
  if (have.size() > 1) {
    throw InputError(fmt::format("the results contain more than one {}; allowed: {} with one of {}",
                                 option.substr(2), option, fmt::join(have, ", ")));
  }
}

/// Selects life if no workload is selected: a plot shows one workload, and the sweeps of the papers have
/// three. The caption names it.
void draw_life(std::vector<const Entry*>& entries, const Selection& selection) {
  const auto is_life = [](const Entry* entry) { return entry->workload == "life"; };
  if (selection.workloads.empty() && std::ranges::any_of(entries, is_life)) {
    std::erase_if(entries, std::not_fn(is_life));
  }
}

}  // namespace

std::vector<const Entry*> select(const bench::Results& results, const Selection& selection, bool with_base) {
  std::vector<Entry const*> entries;
  check_selection(results.maps(), selection);
  for (const Entry& entry : results.maps()) {
    if (entry.measured && is_selected(entry, selection, with_base)) entries.push_back(&entry);
  }
  if (entries.empty()) {
    throw InputError(
        fmt::format("the results contain no measured configuration of this selection ({} entries in total); "
                    "allowed: a wider selection",
                    results.maps().size()));
  }
  draw_life(entries, selection);
  check_single(entries, "--fractal", [](const Entry& e) { return e.fractal; });
  check_single(entries, "--workload", [](const Entry& e) { return e.workload; });
  check_single(entries, "--backend", [](const Entry& e) { return e.backend; });
  return entries;
}

void check_devices(const std::vector<const Entry*>& entries) {
  check_single(entries, "--devices", [](const Entry& e) { return fmt::format("{}", e.devices); });
}

}  // namespace loom::app::plot
