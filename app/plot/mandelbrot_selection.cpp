#include "app/plot/mandelbrot_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app::plot {
namespace {

using bench::MandelbrotEntry;

bool is_exhaustive(const MandelbrotEntry& entry) {
  return entry.config.method == MandelbrotMethod::kExhaustive;
}

template <typename Value>
void join(std::vector<Value>& seen, const Value& value) {
  if (std::find(seen.begin(), seen.end(), value) == seen.end()) seen.push_back(value);
}

bool is_selected(const bench::AxisValues& wanted, const MandelbrotConfig& config) {
  const bool exhaustive = config.method == MandelbrotMethod::kExhaustive;
  return std::ranges::all_of(mandelbrot_config_fields(), [&](const auto& field) {
    const auto values = wanted.find(field.option);
    const bool unused = !field.varies(config) || (exhaustive && field.key == "ideas");
    return values == wanted.end() || unused || passes(values->second, field.text(config).value_or(""));
  });
}

}  // namespace

MandelbrotSelection mandelbrot_subjects_of(const bench::Results& results) {
  MandelbrotSelection subjects;
  for (const MandelbrotEntry& entry : results.dwells()) {
    if (!entry.measured) continue;
    join(subjects.sizes, entry.view.width);
    join(subjects.widths, bench::width_text(entry.view));
    join(subjects.backends, entry.backend);
    join(subjects.devices, entry.devices);
    if (is_exhaustive(entry)) continue;
    for (const auto& field : mandelbrot_config_fields()) {
      if (field.in_sweep)
        join(subjects.fields[std::string(field.option)], field.text(entry.config).value_or(""));
    }
  }
  return subjects;
}

SelectedDwells select(const bench::Results& results, const MandelbrotSelection& selection) {
  SelectedDwells selected;
  for (const MandelbrotEntry& entry : results.dwells()) {
    const bool same_image = entry.measured && passes(selection.sizes, entry.view.width) &&
                            passes(selection.widths, bench::width_text(entry.view)) &&
                            passes(selection.backends, entry.backend) &&
                            passes(selection.devices, entry.devices);
    if (!same_image) continue;
    if (is_exhaustive(entry)) selected.exhaustive.push_back(&entry);
    if (is_selected(selection.fields, entry.config)) selected.entries.push_back(&entry);
  }
  if (selected.entries.empty()) {
    throw InputError(
        fmt::format("the results contain no measured configuration of this selection ({} entries in total); "
                    "allowed: a wider selection",
                    results.dwells().size()));
  }
  check_one(selected.entries, "backend", "--backend", [](const MandelbrotEntry& e) { return e.backend; });
  check_one(selected.entries, "dwell limit", "--dwell",
            [](const MandelbrotEntry& e) { return fmt::format("{}", e.config.dwell_limit); });
  return selected;
}

void check_devices(const MandelbrotEntries& entries) {
  check_one(entries, "number of devices", "--devices with one of them",
            [](const MandelbrotEntry& e) { return fmt::format("{}", e.devices); });
}

void check_one_view(const MandelbrotEntries& entries) {
  check_one(entries, "precision", "--precision",
            [](const MandelbrotEntry& e) { return std::string(name_of(e.config.precision)); });
  check_one(entries, "width", "--width", [](const MandelbrotEntry& e) { return bench::width_text(e.view); });
}

void check_one(const MandelbrotEntries& entries, std::string_view what, std::string_view remedy,
               std::string (*text_of)(const MandelbrotEntry&)) {
  std::set<std::string> have;
  for (const MandelbrotEntry* entry : entries) have.insert(text_of(*entry));
  if (have.size() <= 1) return;
  throw InputError(fmt::format("the results contain more than one {} ({}); allowed: {}", what,
                               fmt::join(have, "; "), remedy));
}

double exhaustive_ms(const MandelbrotEntries& exhaustive, const MandelbrotEntry& other) {
  double fastest = 0;
  for (const MandelbrotEntry* entry : exhaustive) {
    const double ms = entry->measured->milliseconds.median;
    const bool is_same = entry->view == other.view && entry->config.precision == other.config.precision;
    if (is_same && (fastest == 0 || ms < fastest)) fastest = ms;
  }
  return fastest;
}

}  // namespace loom::app::plot
