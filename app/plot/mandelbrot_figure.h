#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/axes.h"
#include "app/bench/results.h"
#include "app/plot/figure.h"

namespace loom::app::plot {

/// Whether a list of selected values contains a value; an empty list contains all.
template <typename Value>
bool passes(const std::vector<Value>& wanted, const Value& value) {
  return wanted.empty() || std::ranges::find(wanted, value) != wanted.end();
}

/// Values of a Mandelbrot plot, for a filter or as those that results contain. An empty list of a filter
/// selects all.
struct MandelbrotSelection {
  /// Of the configuration, by option. Settings that the exhaustive method does not use, and its
  /// optimizations, do not filter it.
  bench::AxisValues fields = {};
  std::vector<std::uint32_t> sizes = {};
  std::vector<std::string> widths = {};  ///< of the views, as in the results
  std::vector<std::string> backends = {};
  std::vector<int> devices = {};  ///< numbers of devices
  friend bool operator==(const MandelbrotSelection&, const MandelbrotSelection&) = default;
};

/// The measured values in the order of the results; those of the configuration without exhaustive.
MandelbrotSelection mandelbrot_subjects_of(const bench::Results& results);

using MandelbrotEntries = std::vector<const bench::MandelbrotEntry*>;

/// The measured entries of a selection, and all exhaustive entries of the same images as reference.
struct SelectedDwells {
  MandelbrotEntries entries;
  MandelbrotEntries exhaustive;
};

/// Throws InputError if the selection is empty, or has more than one backend or dwell limit.
SelectedDwells select(const bench::Results& results, const MandelbrotSelection& selection);

/// Throws InputError if the entries ran on different numbers of devices.
void check_devices(const MandelbrotEntries& entries);
/// Throws InputError if the entries have more than one precision or width.
void check_one_view(const MandelbrotEntries& entries);

/// Throws InputError if the entries have more than one of these texts; `remedy` says how to select one.
void check_one(const MandelbrotEntries& entries, std::string_view what, std::string_view remedy,
               std::string (*text_of)(const bench::MandelbrotEntry&));

/// The time of the fastest exhaustive entry with the view and precision of an entry; 0 if there is none.
double exhaustive_ms(const MandelbrotEntries& exhaustive, const bench::MandelbrotEntry& other);

/// A plot of time, memory or speedup over the fastest exhaustive form of the same image, against log2 n, or
/// against the depth if the selection has several widths. A line is a method, scheme, precision if there are
/// several (colour) and set of optimizations (dash), and g, r, B if there are several. Throws InputError if
/// the selection is empty, has several backends, too many lines, an n that is not a power of two, or both
/// several n and several widths, and for the kind utilization.
Figure make_figure(const bench::Results& results, Quantity kind, const MandelbrotSelection& selection);

}  // namespace loom::app::plot
