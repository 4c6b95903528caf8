#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/results.h"

namespace loom::app::plot {

/// Whether a list of what is wished for has it; an empty one has all.
template <typename Value>
bool passes(const std::vector<Value>& wanted, const Value& value) {
  return wanted.empty() || std::ranges::find(wanted, value) != wanted.end();
}

/// Which entries of the Mandelbrot set a figure is made of; an empty list takes all. Exhaustive has neither
/// scheme nor ideas to choose by.
struct MandelbrotSelection {
  std::vector<MandelbrotMethod> methods = {};
  std::vector<RegionScheme> schemes = {};
  std::vector<MandelbrotIdeas> ideas = {};
  std::vector<std::uint32_t> sizes = {};
  std::vector<std::string> backends = {};
  std::vector<int> devices = {};  ///< numbers of devices
  friend bool operator==(const MandelbrotSelection&, const MandelbrotSelection&) = default;
};

/// What was measured, in the order of the results; methods, schemes and ideas are those of all but
/// exhaustive.
struct MandelbrotSubjects {
  std::vector<MandelbrotMethod> methods;
  std::vector<RegionScheme> schemes;
  std::vector<MandelbrotIdeas> ideas;
  std::vector<std::uint32_t> sizes;
  std::vector<std::string> backends;
  std::vector<int> devices;
};
MandelbrotSubjects mandelbrot_subjects_of(const bench::Results& results);

using MandelbrotEntries = std::vector<const bench::MandelbrotEntry*>;

/// The measured entries of a selection, and beside them every exhaustive one of the same images, which ratios
/// are taken to.
struct SelectedDwells {
  MandelbrotEntries entries;
  MandelbrotEntries exhaustive;
};

/// Throws InputError where nothing is left, or more than one backend, dwell limit or precision.
SelectedDwells select(const bench::Results& results, const MandelbrotSelection& selection);

/// Throws InputError where the entries ran on different numbers of devices.
void check_devices(const MandelbrotEntries& entries);

/// Throws InputError where the entries have more than one of these texts; `remedy` is how to choose.
void check_one(const MandelbrotEntries& entries, std::string_view what, std::string_view remedy,
               std::string (*text_of)(const bench::MandelbrotEntry&));

/// The time of the fastest exhaustive entry for images of n x n pixels; 0 where there is none.
double exhaustive_ms(const MandelbrotEntries& exhaustive, std::uint32_t n);

}  // namespace loom::app::plot
