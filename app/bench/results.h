#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/cell_config.h"
#include "app/bench/machine.h"
#include "app/bench/sampler.h"
#include "app/bench/sweep.h"
#include "app/files/json_reader.h"
#include "compute/backend/engine_factory.h"
#include "compute/device/energy.h"
#include "compute/engine/progress_monitor.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::app::bench {

/// The shards of a divided sweep that results contain.
struct Shards {
  std::uint32_t of = 1;
  std::vector<std::uint32_t> have = {1};  ///< numbers of shards, ascending, at least one
  std::uint64_t configurations = 1;       ///< number in the whole sweep, at least `of`
  bool whole() const { return have.size() == of; }
  friend bool operator==(const Shards&, const Shards&) = default;
};

using Json = nlohmann::ordered_json;

/// A column of results: a row of the table of its kind of sweep, by which results are read and written as
/// JSON and CSV, filtered and drawn. A new value is a new row.
struct Column {
  std::string name;         ///< in CSV: "median_ms"
  std::string object = {};  ///< the JSON object, or list of objects, that has the member; empty: the entry
  std::string member = {};
  bool is_list = false;      ///< `object` is a list: one value for each of its objects
  bool may_lack = false;     ///< entries without `object` are allowed
  bool is_measured = false;  ///< only entries that were measured have it
  bool is_setting = false;   ///< true and false are "on" and "off" as text
  /// The value of an entry without it; none: each entry must have the member.
  std::optional<Json> missing = {};
  bool always_written = true;  ///< or only where it differs from `missing`
  /// Reads the member. Throws InputError that names it. Null: read as a whole configuration.
  std::function<Json(const JsonReader& json, const char* member)> read = {};
  Json (*of_report)(const MandelbrotReport& report) = nullptr;  ///< its value, where a report has it
};
/// In the order in which JSON has them.
std::span<const Column> columns(SweepKind kind);

/// One configuration in results: its settings, where it was measured, and the measurement or why there is
/// none. A cell is a JSON value; null if the configuration has no such value.
class Row {
 public:
  explicit Row(SweepKind kind) : kind_(kind), cells_(columns(kind).size()) {}

  SweepKind kind() const { return kind_; }
  /// The cell of a column of this kind.
  const Json& operator[](std::string_view column) const { return cells_[place_of(column)]; }
  void set(std::string_view column, Json value) { cells_[place_of(column)] = std::move(value); }
  /// The cells of the columns, in their order.
  std::span<Json> cells() { return cells_; }
  std::span<const Json> cells() const { return cells_; }

  bool measured() const { return !(*this)["median_ms"].is_null(); }
  /// Why it was not measured; empty where it was.
  std::string skipped() const { return text("skipped"); }
  /// A number; 0 if there is none.
  double number(std::string_view column) const;
  std::uint64_t count(std::string_view column) const;
  /// A text, a number, "on" or "off"; empty if there is none.
  std::string text(std::string_view column) const;

  friend bool operator==(const Row&, const Row&) = default;

 private:
  std::size_t place_of(std::string_view column) const;

  SweepKind kind_;
  std::vector<Json> cells_;
};

/// A text, a number, "true" or "false"; empty for null.
std::string value_text(const Json& value);

/// The row of a case, not yet measured.
Row describe(const Case& one);
/// Sets the times of a round: a generation of cells, or an image. `limited`: a limit ended the sampling
/// before the noise was low enough.
void set_times(Row& row, const Summary& milliseconds, bool limited);
/// Sets the energy of a round, or why it is not known.
void set_energy(Row& row, const EnergyUse& energy);
/// Sets the counts and times of an image.
void set_report(Row& row, const MandelbrotReport& report);

/// The JSON object of a row. Reading throws InputError that names the wrong member.
Json to_json(const Row& row);
Row read_row(const JsonReader& json, SweepKind kind);

/// Whether two rows are of one configuration, whatever was measured.
bool same_configuration(const Row& a, const Row& b);
bool is_exhaustive(const Row& row);

/// The method in words: "compact, table, lookup, halo", "ask-sbr".
std::string method_text(const Row& row);
/// "g 32, r 2, B 32".
std::string cut_text(const Row& row);
/// The configuration in words: "sierpinski-gasket level 4, lambda, table, lookup, tile size 16"; "n 1024,
/// ask-sbr, g 32, r 2, B 32, ideas all", and of a decimal view also precision and width.
std::string long_text(const Row& row);
/// The width of a view in the complex plane, decimal.
std::string width_text(const MandelbrotView& view);
std::string width_text(const Row& row);
/// -log10 of a width.
double depth_of(const std::string& width);
/// "Mandelbrot set", "mandelbulb"; "1024 × 1024 pixels", "128 × 128 × 128 samples".
std::string set_text(const Row& row);
std::string size_text(const Row& row);
/// The median time of a round; empty if the configuration was skipped.
std::optional<double> median_ms(const Row& row);

/// "exhaustive", "ask-sbr".
std::string method_text(const MandelbrotConfig& config);
/// Number of pixels written without being computed.
std::uint64_t filled_pixels(const MandelbrotReport& report);
/// Number of computed pixels that were computed before: the next level processes the border of a region that
/// splits. All pixels are the computed ones without these, the filled and the mirrored ones.
std::uint64_t recomputed_pixels(const MandelbrotReport& report);
/// P over images: the fraction of regions that split, among those that could (all levels except the last).
/// Empty if there are none.
std::optional<double> split_fraction(const MandelbrotReport& report);

/// A sweep's results.
struct Results {
  Results() = default;
  explicit Results(SweepKind of) : kind(of) {}

  SweepKind kind = SweepKind::kMaps;
  std::string program;  ///< "fractal-loom 0.1.0"
  std::string commit;
  std::string date;  ///< start of the sweep, ISO 8601 in UTC
  Machine machine;
  Json settings;                      ///< axes and limits
  std::optional<Shards> shards = {};  ///< which shards these are, if the sweep was divided
  std::uint64_t planned = 0;          ///< configurations of the whole sweep, or of those shards
  bool complete = false;              ///< all planned configurations are present
  bool interrupted = false;           ///< the user ended it
  std::vector<Row> rows;              ///< of this kind, in the order of measurement

  friend bool operator==(const Results&, const Results&) = default;
};

}  // namespace loom::app::bench

namespace loom::app {

/// Add the configuration, and the costs (levels as a list), to a JSON object.
void add_mandelbrot_config(nlohmann::ordered_json& json, const MandelbrotConfig& config,
                           const MandelbrotView& view);
void add_mandelbrot_report(nlohmann::ordered_json& json, const MandelbrotReport& report);
/// Adds the energy of a generation as in results, or why it is not known. `cells`: of the fractal.
void add_energy(nlohmann::ordered_json& json, const EnergyUse& energy, std::uint64_t cells);

}  // namespace loom::app

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

/// Reads a results file. Throws InputError that names it and says what is wrong.
Results read_results(const std::filesystem::path& file, const ProgressMonitor* watch = nullptr);

/// Reads several files of one sweep and merges them. Throws as read_results() and merge().
Results read_merged(const std::vector<std::string>& files);

/// The same for several numbers of processes, as merge_over_ranks().
Results read_merged_over_ranks(const std::vector<std::string>& files);

/// Writes growing results to disk. The JSON file (and the CSV file, if there is one) is complete at any time
/// and at most a second old, or older in very long sweeps, so that writing takes less than a twentieth of the
/// time. Does nothing without files.
class ResultsFile {
 public:
  /// Writes the files immediately, so that a wrong path is reported before anything is measured. Throws as
  /// OutputFile does.
  ResultsFile(const Results& results, std::optional<std::filesystem::path> json,
              std::optional<std::filesystem::path> csv);

  /// Call after the results have grown; writes if it is time. Throws as OutputFile does.
  void update(const Results& results);
  /// Writes everything. If one file cannot be written, the other one still is.
  void finish(const Results& results) { write(results); }
  /// Whether the JSON file contains the results last passed.
  bool has_all() const { return has_all_; }

 private:
  void write(const Results& results);

  std::optional<std::filesystem::path> json_;
  std::optional<std::filesystem::path> csv_;
  std::vector<std::string> lines_;  ///< JSON lines of the entries written so far
  bool has_all_ = false;
  std::chrono::steady_clock::time_point next_write_;
};

/// The entries as an RFC 4180 table with a header. A value that an entry does not have is an empty field.
std::string csv_text(const Results& results);

}  // namespace loom::app::bench
