#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/results.h"
#include "app/files/json_reader.h"
#include "compute/engine/progress_monitor.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::app::bench {

/// The format member of a results file; the number is the version.
inline constexpr std::string_view kResultsFormat = "fractal-loom bench 1";

// A million entries take seconds. All functions with `watch` throw OperationCancelled if it is cancelled.

/// The entries from number `first` on, each a JSON object on one line.
std::vector<std::string> entry_lines(const Results& results, std::size_t first = 0,
                                     const ProgressMonitor* watch = nullptr);

/// A complete document from results without entries and the lines of the entries, so that a growing document
/// is not serialised again each time.
std::string document_text(const Results& results, const std::vector<std::string>& entry_lines);
std::string document_text(const Results& results, const ProgressMonitor* watch = nullptr);

/// Reads a document. Throws InputError that names `name` and the fault: invalid JSON, not a results file,
/// another version, or a missing or wrong value.
Results parse_results(std::string_view text, std::string_view name, const ProgressMonitor* watch = nullptr);

/// One entry as a JSON object.
nlohmann::ordered_json entry_json(const MapEntry& entry);
nlohmann::ordered_json entry_json(const MandelbrotEntry& entry);

/// Read an entry. Throw InputError that names the wrong member.
void read_entry(const JsonReader& json, MapEntry& entry);
void read_entry(const JsonReader& json, MandelbrotEntry& entry);

}  // namespace loom::app::bench

namespace loom::app {

/// Add the configuration, and the costs (levels as a list), to a JSON object.
void add_mandelbrot_config(nlohmann::ordered_json& json, const MandelbrotConfig& config,
                           const MandelbrotView& view);
void add_mandelbrot_report(nlohmann::ordered_json& json, const MandelbrotReport& report);

/// Read what was added. Throw InputError that names the wrong member; whether the precision can show the view
/// is not tested.
void read_mandelbrot_config(const JsonReader& json, MandelbrotConfig& config, MandelbrotView& view);
void read_mandelbrot_report(const JsonReader& json, MandelbrotReport& report);

}  // namespace loom::app
