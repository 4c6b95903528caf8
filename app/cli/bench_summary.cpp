#include "app/cli/bench_summary.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "app/cli/text_table.h"

namespace loom::app {
namespace {

using bench::Entry;
using Subject = std::tuple<std::string, int, std::string, std::string>;  ///< what methods are compared on

Subject subject_of(const Entry& entry) {
  std::string workload = entry.workload;
  if (entry.reduction) workload += " by " + *entry.reduction;
  return {entry.fractal, entry.level, workload, entry.backend};
}

std::string method_of(const Entry& entry) {
  std::string text = entry.map;
  if (entry.arithmetic) text += fmt::format(", {}, {}", *entry.arithmetic, entry.intra_block);
  if (entry.halo) text += *entry.halo ? ", halo" : ", no halo";
  return text;
}

bool is_faster(const Entry& entry, const Entry* best) {
  return best == nullptr || entry.measured->milliseconds.median < best->measured->milliseconds.median;
}

}  // namespace

std::string summary_table(const bench::Results& results) {
  std::map<std::pair<Subject, std::string>, const Entry*> best_by_method;
  std::map<Subject, const Entry*> best_box;
  for (const Entry& entry : results.entries) {
    if (!entry.measured) continue;
    const Entry*& best = best_by_method[{subject_of(entry), method_of(entry)}];
    if (is_faster(entry, best)) best = &entry;
    if (entry.map != "bounding-box") continue;
    const Entry*& box = best_box[subject_of(entry)];
    if (is_faster(entry, box)) box = &entry;
  }
  TextTable table({"fractal", "workload", "backend", "method", "level", "block", "ms", "bounding box / this"},
                  4);
  for (const auto& [key, entry] : best_by_method) {
    const auto box = best_box.find(key.first);
    const double ms = entry->measured->milliseconds.median;
    const std::string ratio = box == best_box.end() || ms <= 0
                                  ? ""
                                  : fmt::format("{:.2f}", box->second->measured->milliseconds.median / ms);
    table.add({entry->fractal, std::get<2>(key.first), entry->backend, key.second,
               fmt::format("{}", entry->level), fmt::format("{}", entry->block), fmt::format("{:.4g}", ms),
               ratio});
  }
  return table.empty() ? "" : table.text();
}

}  // namespace loom::app
