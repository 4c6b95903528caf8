#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/bench/axes.h"
#include "compute/core/field.h"
#include "compute/solid/solid_fractal.h"

namespace loom::app::bench {

// Parsers of axis texts: a comma list ("1,2,4"), for numbers also ranges with both ends ("8..16"), and "all".
// Repeated values count once. All throw InputError: one line with what is allowed.

/// Throws if an axis has no value.
void check_not_empty(bool empty, std::string_view axis);

/// The words of a comma list, in their order, each once. `axis` names the axis in the error for an empty
/// word.
std::vector<std::string> parse_list(std::string_view axis, std::string_view text);

/// Whole numbers from `lowest` to `highest`, ascending.
std::vector<std::uint64_t> parse_numbers(std::string_view axis, std::string_view text, std::uint64_t lowest,
                                         std::uint64_t highest);

/// Whole numbers from `lowest` to `highest`, ascending; a range contains the doublings of its start: "2..16"
/// is 2, 4, 8, 16.
std::vector<std::uint32_t> parse_doublings(std::string_view axis, std::string_view text, std::uint64_t lowest,
                                           std::uint64_t highest);

/// Levels 0 to 63 (no fractal has a higher one).
std::vector<int> parse_levels(std::string_view text);
/// Tile widths; empty for "all".
std::optional<std::vector<std::uint32_t>> parse_tile_sizes(std::string_view text);
/// The two-dimensional fractals; "all" is all of them. Names of three-dimensional ones are left out.
std::vector<NbbFractal> parse_fractals(std::string_view text);
/// The three-dimensional fractals among the names.
std::vector<SolidFractal> parse_solids(std::string_view text);
/// Widths of decimal views.
std::vector<std::string> parse_widths(std::string_view text);
std::vector<MapKind> parse_maps(std::string_view text);
std::vector<Workload> parse_workloads(std::string_view text);
std::vector<ReductionMethod> parse_reductions(std::string_view text);

/// How a range of whole numbers continues.
enum class RangeStep { kOne, kDoubling };

/// Every value of a setting.
inline constexpr std::string_view kAllWord = "all";

/// The numbers of a field, as texts.
std::vector<std::string> parse_numbers(const FieldInfo& field, std::string_view text, RangeStep step);

/// Values of a setting, each as a text that the field reads, or kAutoWord if the field accepts it; kAllWord
/// alone is every name, and every number that a configuration allows. Lists within a value are joined by "+".
template <typename Settings>
std::vector<std::string> parse_values(const Field<Settings>& field, std::string_view text,
                                      RangeStep step = RangeStep::kOne) {
  const bool is_number = field.form == FieldForm::kWhole;
  const bool has_all = is_number ? step == RangeStep::kOne : field.form != FieldForm::kText;
  if (has_all && text == kAllWord) return {std::string(kAllWord)};
  std::vector<std::string> values;
  Settings settings{};
  for (std::string word : parse_list(field.option, text)) {
    if (field.has_auto && word == kAutoWord) {
      values.push_back(word);
      continue;
    }
    if (is_number) {
      const auto numbers = parse_numbers(field, word, step);
      values.insert(values.end(), numbers.begin(), numbers.end());
      continue;
    }
    std::ranges::replace(word, '+', ',');
    try {
      field.read(word, settings);
    } catch (const InputError& error) {
      if (!has_all) throw;
      throw InputError(fmt::format("{}, {}", error.what(), kAllWord));
    }
    values.push_back(field.form == FieldForm::kText ? field.text(settings).value_or(word) : word);
  }
  if (is_number && step == RangeStep::kDoubling) {
    std::ranges::sort(values, {}, [](const std::string& one) { return std::pair(one.size(), one); });
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }
  return values;
}

/// "auto", "cuda", "cpu"; "all" is every backend that works on this machine. Throws MachineError for "cuda"
/// without a device.
std::vector<BackendSelection> parse_backends(std::string_view text, int device);
/// Numbers of devices that share cells; "all" is each number from 1 to `listed`. Throws if no backend has
/// that many devices; MachineError if a backend was selected automatically and there is no CUDA device.
std::vector<int> parse_device_counts(std::string_view text, const std::vector<BackendSelection>& backends,
                                     std::size_t listed);
/// The ordinals of the CUDA devices: `first` if it exists, then the others.
std::vector<int> devices_from(int first);

}  // namespace loom::app::bench
