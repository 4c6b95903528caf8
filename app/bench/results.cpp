#include "app/bench/results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>

#include "app/bench/axes.h"
#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/core/integer_math.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app::bench {
namespace {

/// Adds a cell to the JSON object of an entry.
void put(Json& json, const Column& column, const Json& cell) {
  if (!column.always_written && cell == *column.missing) return;
  if (column.object.empty()) {
    json[column.member] = cell;
    return;
  }
  if (column.may_lack && cell.is_null()) return;
  Json& object = json.emplace(column.object, column.is_list ? Json::array() : Json::object()).first.value();
  if (!column.is_list) {
    object[column.member] = cell;
    return;
  }
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (i == object.size()) object.push_back(Json::object());
    object[i][column.member] = cell[i];
  }
}

Json read_member(const JsonReader& json, const Column& column) {
  const char* const member = column.member.c_str();
  return column.missing && !json.has(member) ? *column.missing : column.read(json, member);
}

Json read_cell(const JsonReader& json, const Column& column) {
  const char* const object = column.object.c_str();
  if (column.object.empty()) return read_member(json, column);
  if (!column.is_list)
    return column.may_lack && !json.has(object) ? Json() : read_member(json.object(object), column);
  const Json& list = json.array(object);
  if (list.size() > kMaxSubdivisionLevels)
    throw InputError(
        fmt::format("{} are {}; allowed: up to {}", column.object, list.size(), kMaxSubdivisionLevels));
  Json cell = Json::array();
  for (std::size_t i = 0; i < list.size(); ++i)
    cell.push_back(read_member(JsonReader(list[i], fmt::format("{}[{}]", column.object, i)), column));
  return cell;
}

/// A row with the settings in the JSON object of an entry that this program wrote.
Row row_of_settings(const Json& json, SweepKind kind) {
  Row row(kind);
  const auto all = columns(kind);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Json* object = &json;
    if (!all[i].object.empty()) object = json.contains(all[i].object) ? &json[all[i].object] : nullptr;
    const bool has = object != nullptr && object->contains(all[i].member);
    if (has || all[i].missing) row.cells()[i] = has ? (*object)[all[i].member] : *all[i].missing;
    if (all[i].name == "backend") break;
  }
  row.set("devices", 1);
  return row;
}

Json settings_of(const MandelbrotCase& one) {
  auto json = Json::object();
  add_mandelbrot_config(json, one.config, one.view);
  if (!one.volume) return json;
  for (const char* of_plane : {"formula", "ideas", "block_shape", "fill"}) json[of_plane] = nullptr;
  for (auto& side : json["window"]) side = nullptr;
  json["space"] = name_of(one.volume->set);
  if (one.volume->method == MandelbrotMethod::kAsk) json["order"] = name_of(one.volume->order);
  return json;
}

template <typename Config>
Json settings_of(const CellCase<Config>& one) {
  auto json = Json::object();
  add_config(json, one.config);
  const auto [width, height, depth] = size_of(one.config);
  json["width"] = width;
  json["height"] = height;
  json["depth"] = depth;
  json["cells"] = one.config.fractal.cells(one.config.level);
  json["workload"] = name_of(one.workload);
  if (one.workload == Workload::kReduction) json["reduction"] = name_of(one.reduction);
  return json;
}

/// Throws InputError for a configuration or view that is not valid.
Row read_mandelbrot_settings(const JsonReader& json) {
  MandelbrotCase read;
  read_fields(json, mandelbrot_config_fields(), read.config);
  validate(read.config);
  MandelbrotView& view = read.view;
  view.width = json.whole<std::uint32_t>("width");
  view.height = json.whole<std::uint32_t>("height");
  if (json.has("space")) {
    const auto order = json.has("order") ? parse_region_order(json.text("order")) : RegionOrder::kCanonical;
    read.volume = volume_of(read.config, parse_volume_set(json.text("space")), view.width, order);
    validate(*read.volume);
    return row_of_settings(settings_of(read), SweepKind::kMandelbrot);
  }
  const JsonReader window = json.object("window");
  view.window = {window.real("re_min"), window.real("re_max"), window.real("im_min"), window.real("im_max")};
  if (json.has("center")) {
    const JsonReader center = json.object("center");
    DecimalView decimal{center.text("re"), center.text("im"), json.text("view_width")};
    validate(decimal);
    view.decimal = std::make_shared<const DecimalView>(std::move(decimal));
  }
  // A skipped configuration may have a view that its precision cannot show.
  if (!view.decimal || !json.has("skipped")) validate(view, read.config.precision);
  return row_of_settings(settings_of(read), SweepKind::kMandelbrot);
}

}  // namespace

std::string_view name_of(SweepKind kind) {
  return kind == SweepKind::kMaps ? "maps" : "mandelbrot";
}

SweepKind parse_sweep_kind(std::string_view name) {
  return parse_choice("sweep", name, kSweepKinds);
}

std::size_t Row::place_of(std::string_view column) const {
  const auto all = columns(kind_);
  const auto found = std::ranges::find(all, column, &Column::name);
  if (found == all.end()) throw std::logic_error(fmt::format("results have no column {}", column));
  return static_cast<std::size_t>(found - all.begin());
}

std::string value_text(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.dump();
}

double Row::number(std::string_view column) const {
  const Json& cell = (*this)[column];
  return cell.is_number() ? cell.get<double>() : 0;
}

std::uint64_t Row::count(std::string_view column) const {
  const Json& cell = (*this)[column];
  return cell.is_number() ? cell.get<std::uint64_t>() : 0;
}

std::string Row::text(std::string_view column) const {
  const std::size_t place = place_of(column);
  const Json& cell = cells_[place];
  if (cell.is_boolean() && columns(kind_)[place].is_setting) return cell.get<bool>() ? "on" : "off";
  return value_text(cell);
}

Row describe(const Case& one) {
  return std::visit(
      [](const auto& of_kind) {
        constexpr bool kDwells = std::is_same_v<std::decay_t<decltype(of_kind)>, MandelbrotCase>;
        Row row = row_of_settings(settings_of(of_kind), kDwells ? SweepKind::kMandelbrot : SweepKind::kMaps);
        row.set("backend", name_of(of_kind.backend.device.kind));
        row.set("device", of_kind.backend.device.ordinal);
        row.set("repeat", of_kind.repeat);
        if (of_kind.shard != 0) row.set("shard", of_kind.shard);
        if constexpr (!kDwells) row.set("devices", of_kind.devices);
        return row;
      },
      one);
}

void set_times(Row& row, const Summary& milliseconds, bool limited) {
  row.set("median_ms", milliseconds.median);
  row.set("min_ms", milliseconds.min);
  row.set("p95_ms", milliseconds.p95);
  row.set("mean_ms", milliseconds.mean);
  row.set("noise", milliseconds.noise ? Json(*milliseconds.noise) : Json());
  row.set("samples", milliseconds.samples);
  row.set("limited", limited);
}

namespace {

/// The values of the object "energy".
Json energy_json(const EnergyUse& energy, std::uint64_t cells) {
  Json json = {{"sensor", energy.sensor.empty() ? Json() : Json(energy.sensor)}};
  if (!energy.problem.empty()) {
    json["problem"] = energy.problem;
    return json;
  }
  json["joules"] = energy.joules;
  json["joules_min"] = energy.least;
  json["joules_max"] = energy.most;
  json["seconds"] = energy.seconds;
  json["watts"] = energy.watts;
  if (energy.idle_watts > 0) {
    json["idle_watts"] = energy.idle_watts;
    json["idle_share"] = energy.idle_share();
  }
  if (cells > 0) json["cells_per_joule"] = static_cast<double>(cells) / energy.joules;
  return json;
}

}  // namespace

void set_energy(Row& row, const EnergyUse& energy) {
  const std::uint64_t cells = row.kind() == SweepKind::kMaps ? row.count("cells") : 0;
  const Json json = energy_json(energy, cells);
  const auto all = columns(row.kind());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].object == "energy" && json.contains(all[i].member)) row.cells()[i] = json[all[i].member];
  }
}

void set_report(Row& row, const MandelbrotReport& report) {
  const auto all = columns(SweepKind::kMandelbrot);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].of_report != nullptr) row.cells()[i] = all[i].of_report(report);
  }
}

Json to_json(const Row& row) {
  auto json = Json::object();
  const auto all = columns(row.kind());
  const bool measured = row.measured();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (measured || !all[i].is_measured) put(json, all[i], row.cells()[i]);
  }
  return json;
}

Row read_row(const JsonReader& json, SweepKind kind) {
  Row row = kind == SweepKind::kMandelbrot ? read_mandelbrot_settings(json) : Row(kind);
  const bool measured = !json.has("skipped");
  const auto all = columns(kind);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].read && (measured || !all[i].is_measured)) row.cells()[i] = read_cell(json, all[i]);
  }
  if (row.number("devices") < 1) throw InputError("devices is 0; allowed: 1 and more");
  // Older files lack it.
  if (measured && kind == SweepKind::kMandelbrot && row["recomputed_pixels"].is_null()) {
    row.set("recomputed_pixels", row.count("computed_pixels") + row.count("filled_pixels") +
                                     row.count("mirrored_pixels") - row.count("pixels"));
  }
  return row;
}

bool same_configuration(const Row& a, const Row& b) {
  const auto all = columns(a.kind());
  if (a.kind() != b.kind()) return false;
  for (std::size_t i = 0; i < all.size() && !all[i].is_measured; ++i) {
    if (all[i].name != "skipped" && a.cells()[i] != b.cells()[i]) return false;
  }
  return true;
}

bool is_exhaustive(const Row& row) {
  return row.kind() == SweepKind::kMandelbrot && row["method"] == name_of(MandelbrotMethod::kExhaustive);
}

std::string method_text(const Row& row) {
  if (row.kind() == SweepKind::kMandelbrot)
    return is_exhaustive(row) ? row.text("method")
                              : fmt::format("{}-{}", row.text("method"), row.text("scheme"));
  std::string text = row.text("map");
  const std::string arithmetic = row.text("arithmetic");
  if (!arithmetic.empty()) text += ", " + arithmetic + ", " + row.text("intra_block");
  const std::string halo = row.text("halo");
  if (!halo.empty()) text += halo == "on" ? ", halo" : ", no halo";
  const std::string counting = row.text("counting");
  if (!counting.empty()) text += ", " + counting;
  return text;
}

std::string cut_text(const Row& row) {
  return fmt::format("g {}, r {}, B {}", row.text("g"), row.text("r"), row.text("b"));
}

std::string long_text(const Row& row) {
  if (row.kind() == SweepKind::kMaps) {
    const std::uint64_t devices = row.count("devices");
    return fmt::format("{} level {}, {}, tile size {}{}", row.text("fractal"), row.text("level"),
                       method_text(row), row.text("block"),
                       devices > 1 ? fmt::format(", {} devices", devices) : "");
  }
  if (!row["space"].is_null()) {
    std::string text = fmt::format("{}, n {}, {}", row.text("space"), row.text("width"), method_text(row));
    if (!is_exhaustive(row)) text += ", " + cut_text(row);
    return row["order"].is_null() ? text : fmt::format("{}, order {}", text, row.text("order"));
  }
  std::string text = fmt::format("n {}, {}, {}, ideas {}", row.text("width"), method_text(row), cut_text(row),
                                 row.text("ideas"));
  if (!row["view_width"].is_null())
    text += fmt::format(", {}, width {}", row.text("precision"), width_text(row));
  return text;
}

std::string set_text(const Row& row) {
  return row["space"].is_null() ? "Mandelbrot set" : row.text("space");
}

std::string size_text(const Row& row) {
  return row["space"].is_null() ? fmt::format("{0} × {0} pixels", row.text("width"))
                                : fmt::format("{0} × {0} × {0} samples", row.text("width"));
}

std::string width_text(const MandelbrotView& view) {
  if (view.decimal) return view.decimal->width.text();
  return fmt::format("{}", view.window.re_max - view.window.re_min);
}

std::string width_text(const Row& row) {
  const std::string width = row.text("view_width");
  return width.empty() ? fmt::format("{}", row.number("re_max") - row.number("re_min")) : width;
}

double depth_of(const std::string& width) {
  const FloatExp<double> rounded = Decimal(width).rounded();
  return -(rounded.exponent + std::log2(rounded.mantissa)) * std::log10(2.0);
}

std::optional<double> median_ms(const Row& row) {
  return row.measured() ? std::optional(row.number("median_ms")) : std::nullopt;
}

std::string method_text(const MandelbrotConfig& config) {
  if (config.method == MandelbrotMethod::kExhaustive) return std::string(name_of(config.method));
  return fmt::format("{}-{}", name_of(config.method), name_of(config.scheme));
}

std::uint64_t filled_pixels(const MandelbrotReport& report) {
  std::uint64_t sum = 0;
  for (const MandelbrotLevel& level : report.levels) sum += level.filled_pixels;
  return sum;
}

std::uint64_t recomputed_pixels(const MandelbrotReport& report) {
  return report.computed_pixels() + filled_pixels(report) + report.mirrored_pixels - report.pixels;
}

std::optional<double> split_fraction(const MandelbrotReport& report) {
  std::uint64_t regions = 0;
  std::uint64_t splits = 0;
  for (std::size_t i = 0; i + 1 < report.levels.size(); ++i) {
    regions += report.levels[i].regions;
    splits += report.levels[i].splits;
  }
  if (regions == 0) return std::nullopt;
  return static_cast<double>(splits) / static_cast<double>(regions);
}

}  // namespace loom::app::bench

namespace loom::app {

void add_mandelbrot_config(nlohmann::ordered_json& json, const MandelbrotConfig& config,
                           const MandelbrotView& view) {
  const auto& [re_min, re_max, im_min, im_max] = view.window;
  add_fields(json, mandelbrot_config_fields(), config);
  json["width"] = view.width;
  json["height"] = view.height;
  json["window"] = {{"re_min", re_min}, {"re_max", re_max}, {"im_min", im_min}, {"im_max", im_max}};
  if (view.angle != 0) json["angle"] = view.angle;
  if (!view.decimal) return;
  const ViewDigits digits = digits_of(*view.decimal);
  json["center"] = {{"re", digits.re}, {"im", digits.im}};
  json["view_width"] = digits.width;
}

void add_mandelbrot_report(nlohmann::ordered_json& json, const MandelbrotReport& report) {
  const auto all = bench::columns(bench::SweepKind::kMandelbrot);
  for (auto column = std::ranges::find(all, "pixels", &bench::Column::name); column != all.end(); ++column) {
    if (column->of_report != nullptr) bench::put(json, *column, column->of_report(report));
  }
}

void add_energy(nlohmann::ordered_json& json, const EnergyUse& energy, std::uint64_t cells) {
  json["energy"] = bench::energy_json(energy, cells);
}

}  // namespace loom::app
