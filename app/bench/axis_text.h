#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/axes.h"
#include "compute/map/method_fields.h"

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
std::optional<std::vector<std::uint32_t>> parse_blocks(std::string_view text);
std::vector<NbbFractal> parse_fractals(std::string_view text);
std::vector<MapKind> parse_maps(std::string_view text);
/// Values of a field of the method, each as a text that the field reads, "auto" or (alone) "all".
std::vector<std::string> parse_method_values(const MethodField& field, std::string_view text);
std::vector<Workload> parse_workloads(std::string_view text);
std::vector<ReductionMethod> parse_reductions(std::string_view text);
std::vector<MandelbrotMethod> parse_mandelbrot_methods(std::string_view text);
std::vector<RegionScheme> parse_region_schemes(std::string_view text);
std::vector<Precision> parse_precisions(std::string_view text);
/// Sets of optimizations: "none", "all" (every one), or names joined by "+".
std::vector<MandelbrotOptimisations> parse_idea_sets(std::string_view text);
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
