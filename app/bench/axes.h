#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/core/field.h"
#include "compute/core/input_text.h"
#include "compute/geometry/nbb_fractal.h"
#include "compute/geometry/solid_fractal.h"
#include "compute/mandelbrot/decimal_view.h"
#include "compute/mandelbrot/volume.h"
#include "compute/map/map_method.h"
#include "compute/workload/workload.h"

namespace loom::app::bench {

/// The kind of a sweep: maps on fractals, or methods of the Mandelbrot set.
enum class SweepKind { kMaps, kMandelbrot };
inline constexpr std::array kSweepKinds = {SweepKind::kMaps, SweepKind::kMandelbrot};
/// "maps", "mandelbrot". The parser throws InputError that lists them.
std::string_view name_of(SweepKind kind);
SweepKind parse_sweep_kind(std::string_view name);

/// Values of settings, as texts that their fields read, by option.
using AxisValues = std::map<std::string, std::vector<std::string>, std::less<>>;

/// The values of a map sweep, axis by axis. Parameters that a map does not have (arithmetic and intra-block
/// mapping of the bounding box, halo of maps other than compact, reduction of other workloads) do not vary
/// for it.
struct MapAxes {
  std::vector<NbbFractal> fractals;
  std::vector<SolidFractal> solids = {};  ///< three-dimensional ones
  std::vector<int> levels;
  std::vector<MapKind> maps;
  /// The other fields of the method by option: texts of values, "auto" for the fastest, "all" for every
  /// value. A missing field means "auto".
  AxisValues method;
  std::optional<std::vector<std::uint32_t>> tile_sizes;  ///< rho_x; none = every size that a level allows
  std::vector<Workload> workloads;
  std::vector<ReductionMethod> reductions = {ReductionMethod::kWarp};  ///< for the workload reduction
  std::vector<BackendSelection> backends;
  std::vector<int> devices = {1};  ///< numbers of devices that share the cells of a configuration
  /// CUDA ordinals in the order in which they are used. Empty if there are none, or if processes share the
  /// cells with one device each.
  std::vector<int> device_list = {};
  bool processes = false;  ///< processes share the cells
};

/// The values of a Mandelbrot sweep. Images are square, cubes of sets in space have n samples on each axis;
/// the block shape is the default of the method. Parameters that a method or backend does not have do not
/// vary for it (scheme, g, r, B and most optimizations of exhaustive; the scheme on the CPU).
struct MandelbrotAxes {
  std::vector<std::uint32_t> sizes;  ///< n
  DecimalView center = {};           ///< centre of every view; its width is not used
  std::vector<std::string> widths;   ///< of the views, decimal
  /// For each of mandelbrot_config_fields() with FieldInfo::in_sweep: its values, "auto" for the fastest on
  /// the backend, "all" for every name.
  AxisValues fields;
  std::vector<BackendSelection> backends;
  /// Sets in space; none: those in the plane. They have double precision and no centre, width or
  /// optimizations.
  std::vector<std::optional<VolumeSet>> spaces = {std::nullopt};
  std::vector<RegionOrder> orders = {RegionOrder::kCanonical};  ///< of offset tables in space
};

/// A sweep of either kind.
struct Axes {
  std::variant<MapAxes, MandelbrotAxes> of;
  int repeats = 1;  ///< number of runs of the whole sweep
  SweepKind kind() const { return static_cast<SweepKind>(of.index()); }
};

/// Context for reading the texts of axes.
struct AxisContext {
  int device = 0;                              ///< CUDA ordinal
  const NbbFractal* custom_fractal = nullptr;  ///< a custom fractal, selected by its name; may be null
  /// CUDA ordinals in the order in which several are used; empty: `device`, then the others.
  std::vector<int> device_list = {};
};

/// How a range of whole numbers continues.
enum class RangeStep { kOne, kDoubling };

/// Every value of a setting.
inline constexpr std::string_view kAllWord = "all";

/// One axis, for everything that treats all axes alike: command-line options, overriding and reading texts,
/// the form in the window, the settings in results. A new axis is a new row in the table of its kind; the
/// fields of a thread map and of a MandelbrotConfig need no row here.
struct AxisField {
  std::string name;          ///< name of the option, without dashes: "intra-block"
  std::string default_text;  ///< default text
  std::string hint;          ///< help text: the allowed values
  std::string example;       ///< a text with several values: "4,8..16"
  /// Reads the text into its axis of `axes`, which must be of this field's kind. Throws InputError.
  std::function<void(std::string_view text, const AxisContext& context, Axes& axes)> read;
  /// Values that a form offers; the text may name others. Among them is kAllWord where what it means depends
  /// on the configuration.
  std::vector<std::string> choices = {};
  std::vector<std::string> all = {};      ///< what kAllWord means; empty where it is no such list
  std::optional<RangeStep> numbers = {};  ///< of whole numbers: how a range of them continues
};
std::span<const AxisField> axis_fields(SweepKind kind);

/// The values that a text names, ranges and kAllWord spelled out; empty if it is not valid.
std::vector<std::string> values_of(const AxisField& field, std::string_view text);
/// The text without a value that it names, or with one that it does not: the shortest that means the same.
/// The last value stays.
std::string toggled(const AxisField& field, std::string_view text, const std::string& value);

/// The text of each axis by field name, in the form that its field reads. A missing text means the default.
using AxisTexts = std::map<std::string, std::string, std::less<>>;

/// The default axes: a text for every field.
AxisTexts default_axes(SweepKind kind);

/// Replaces each text in `lower` by the one in `upper`, if that is not empty.
void override_texts(AxisTexts& lower, const AxisTexts& upper);

/// Axes of a kind without any values.
Axes empty_axes(SweepKind kind);

/// Reads all texts. Throws InputError; a missing text is read as an empty one.
Axes parse_axes(SweepKind kind, const AxisTexts& texts, const AxisContext& context);

// Parsers of axis texts: a comma list ("1,2,4"), for numbers also ranges with both ends ("8..16"), and "all".
// Repeated values count once. All throw InputError: one line with what is allowed.

/// Throws if an axis has no value.
void check_not_empty(bool empty, std::string_view axis);

/// The words of a comma list, in their order, each once. `axis` names the axis in the error for an empty
/// word.
std::vector<std::string> parse_list(std::string_view axis, std::string_view text);

/// Whole numbers from `lowest` to `highest`, ascending. With RangeStep::kDoubling, a range contains the
/// doublings of its start: "2..16" is 2, 4, 8, 16.
std::vector<std::uint64_t> parse_whole_numbers(std::string_view axis, std::string_view text,
                                               std::uint64_t lowest, std::uint64_t highest, RangeStep step);
template <typename Number>
std::vector<Number> parse_numbers(std::string_view axis, std::string_view text, std::uint64_t lowest,
                                  std::uint64_t highest, RangeStep step = RangeStep::kOne) {
  const auto numbers = parse_whole_numbers(axis, text, lowest, highest, step);
  return {numbers.begin(), numbers.end()};
}

/// Values by their names; kAllWord is every value.
template <typename Value, std::size_t kCount>
std::vector<Value> parse_names(std::string_view axis, std::string_view text,
                               const std::array<Value, kCount>& all) {
  if (text == kAllWord) return {all.begin(), all.end()};
  std::vector<Value> values;
  for (const std::string& name : parse_list(axis, text)) values.push_back(parse_choice(axis, name, all));
  return values;
}

/// Levels 0 to 63 (no fractal has a higher one).
std::vector<int> parse_levels(std::string_view text);
/// Tile widths; empty for "all".
std::optional<std::vector<std::uint32_t>> parse_tile_sizes(std::string_view text);
/// n of images of n x n pixels.
std::vector<std::uint32_t> parse_sizes(std::string_view text);
/// The two-dimensional fractals; "all" is all of them. Names of three-dimensional ones are left out.
std::vector<NbbFractal> parse_fractals(std::string_view text);
/// The three-dimensional fractals among the names.
std::vector<SolidFractal> parse_solids(std::string_view text);
/// "none" is the plane.
std::vector<std::optional<VolumeSet>> parse_spaces(std::string_view text);

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
      for (const auto number : parse_whole_numbers(field.option, word, field.lowest, field.highest, step))
        values.push_back(std::to_string(number));
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

}  // namespace loom::app::bench
