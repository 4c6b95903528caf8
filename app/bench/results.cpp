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

/// Reads a text, true or false, a whole number, a number of 0 or more, or, for std::optional, null.
template <typename Value>
Json read_as(const JsonReader& json, const char* member) {
  if constexpr (requires { typename Value::value_type; } && !std::same_as<Value, std::string>) {
    return json.is_null(member) ? Json() : read_as<typename Value::value_type>(json, member);
  } else if constexpr (std::same_as<Value, std::string>) {
    return json.text(member);
  } else if constexpr (std::same_as<Value, bool>) {
    return json.yes_no(member);
  } else if constexpr (std::integral<Value>) {
    return json.whole<Value>(member);
  } else {
    return json.number(member);
  }
}

template <auto kMember, typename Owner>
using ValueOf = std::remove_cvref_t<std::invoke_result_t<decltype(kMember), const Owner&>>;

template <typename Value>
Json json_of(const Value& value) {
  return value;
}
template <typename Value>
Json json_of(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

/// Builds the columns of a kind of sweep. A column is given as NAME, NAME=MEMBER or NAME=OBJECT.MEMBER, of an
/// object that entries may lack NAME=OBJECT?.MEMBER, of a list NAME=OBJECT[].MEMBER.
class Table {
 public:
  std::vector<Column> columns;
  bool is_measured = false;  ///< of the columns that are added

  Column& add(std::string place) {
    Column& column = columns.emplace_back();
    const std::size_t equals = place.find('=');
    column.name = place.substr(0, equals);
    column.member = equals == std::string::npos ? place : place.substr(equals + 1);
    if (const std::size_t dot = column.member.find('.'); dot != std::string::npos) {
      column.object = column.member.substr(0, dot);
      column.member.erase(0, dot + 1);
      column.may_lack = column.object.ends_with('?');
      column.is_list = column.object.ends_with("[]");
      column.object.resize(column.object.size() - (column.may_lack ? 1 : column.is_list ? 2 : 0));
    }
    column.is_measured = is_measured;
    return column;
  }
  template <typename Value>
  Column& add(std::string place) {
    Column& column = add(std::move(place));
    column.read = read_as<Value>;
    return column;
  }
  /// Not written where it is `missing`.
  template <typename Value>
  void add_unless(Json missing, std::string place) {
    Column& column = add<Value>(std::move(place));
    column.missing = std::move(missing);
    column.always_written = false;
  }
  Column& add_setting(const FieldInfo& field) {
    Column& column = add(std::string(field.key));
    column.is_setting = true;
    return column;
  }

  template <auto kMember>
  Column& add_report(std::string place) {
    Column& column = add<ValueOf<kMember, MandelbrotReport>>(std::move(place));
    column.of_report = [](const MandelbrotReport& report) { return json_of(std::invoke(kMember, report)); };
    return column;
  }
  template <auto kMember>
  void add_level(const std::string& name, const std::string& member) {
    add<ValueOf<kMember, MandelbrotLevel>>(name + "=levels[]." + member).of_report =
        [](const MandelbrotReport& report) {
          Json list = Json::array();
          for (const MandelbrotLevel& level : report.levels)
            list.push_back(json_of(std::invoke(kMember, level)));
          return list;
        };
  }
  template <auto kMember>
  Column& add_reference(const std::string& name, const std::string& member) {
    Column& column = add<ValueOf<kMember, PerturbationStats>>(name + "=reference?." + member);
    column.of_report = [](const MandelbrotReport& report) {
      return report.perturbation ? json_of(std::invoke(kMember, *report.perturbation)) : Json();
    };
    return column;
  }

  void add_origin() {
    add<std::string>("backend");
    add<int>("device");
    add<int>("repeat");
    add_unless<int>(1, "devices");
    add_unless<std::uint32_t>(nullptr, "shard");
    add_unless<std::string>(nullptr, "skipped");
    is_measured = true;
  }
  void add_times(const std::string& object) {
    for (const char* statistic : {"median", "min", "p95", "mean"}) {
      add(fmt::format("{1}_ms={0}.{1}", object, statistic)).read =
          [](const JsonReader& json, const char* member) -> Json { return json.milliseconds(member); };
    }
    add<std::optional<double>>(fmt::format("noise={}.noise", object));
    add<std::size_t>(fmt::format("samples={}.samples", object));
  }
  /// Joules are per generation or image.
  void add_energy() {
    add<std::optional<std::string>>("energy_sensor=energy?.sensor").missing = nullptr;
    add<std::optional<std::string>>("energy_problem=energy?.problem").missing = nullptr;
    for (const char* value : {"joules", "joules_min", "joules_max", "seconds", "watts", "idle_watts",
                              "idle_share", "cells_per_joule"}) {
      add<double>(
          fmt::format("{0}{1}=energy?.{1}", value == std::string_view("seconds") ? "energy_" : "", value))
          .missing = nullptr;
    }
  }
};

/// A setting of a map, which another version of the program may have written: any name is accepted.
std::function<Json(const JsonReader&, const char*)> read_method(const MethodField& field) {
  return [&field](const JsonReader& json, const char* member) -> Json {
    const bool is_later = field.key == "counting" && !json.has(member);  // older files lack it
    if (is_later || (field.key != "map" && json.is_null(member))) return nullptr;
    return json_value(field, field_text(json, member));
  };
}

std::vector<Column> map_columns() {
  Table table;
  table.add<std::string>("fractal");
  table.add("level").read = [](const JsonReader& json, const char* member) -> Json {
    return json.level(member);
  };
  for (const MethodField& field : method_fields()) {
    table.add_setting(field).read = read_method(field);
    if (field.key == "map") table.add<std::uint32_t>("block");
  }
  table.add<std::uint64_t>("width");
  table.add<std::uint64_t>("height");
  table.add_unless<std::uint64_t>(1, "depth");
  table.add<std::uint64_t>("cells");
  table.add<std::string>("workload");
  table.add<std::optional<std::string>>("reduction");
  table.add_origin();
  table.add_times("step_ms");
  table.add<std::uint32_t>("generations_per_sample");
  table.add<bool>("limited");
  for (const char* count :
       {"tiles_launched", "threads_launched", "threads_active", "bytes_held", "bytes_moved"})
    table.add<std::uint64_t>(count);
  table.add<double>("cells_per_second");
  table.add<double>("bytes_per_second");
  table.add_energy();
  return std::move(table.columns);
}

std::vector<Column> mandelbrot_columns() {
  Table table;
  for (const auto& field : mandelbrot_config_fields()) table.add_setting(field);
  for (const char* place :
       {"width", "height", "re_min=window.re_min", "re_max=window.re_max", "im_min=window.im_min",
        "im_max=window.im_max", "center_re=center?.re", "center_im=center?.im", "view_width"})
    table.add(place);
  for (const char* place : {"space", "order"}) table.add(place);
  for (std::size_t i = table.columns.size() - 3; i < table.columns.size(); ++i) {
    table.columns[i].missing = nullptr;
    table.columns[i].always_written = false;
  }
  table.add_origin();
  table.add_times("image_ms");
  table.add<bool>("limited");
  table.add_report<filled_pixels>("filled_pixels");
  table.add_report<static_cast<std::optional<double> (*)(const MandelbrotReport&)>(split_fraction)>(
      "split_fraction");
  table.add_report<&MandelbrotReport::pixels>("pixels");
  table.add_report<&MandelbrotReport::mirrored_pixels>("mirrored_pixels");
  table.add_report<&MandelbrotReport::axis_pixels>("axis_pixels");
  table.add_report<&MandelbrotReport::computed_pixels>("computed_pixels");
  table.add_report<recomputed_pixels>("recomputed_pixels").missing = nullptr;
  table.add_report<&MandelbrotReport::work_reduction>("work_reduction");
  table.add_report<&MandelbrotReport::launches>("launches").missing = 0u;
  table.add_report<&MandelbrotReport::allocated_bytes>("bytes_held=bytes");
  table.add_reference<&PerturbationStats::orbit_milliseconds>("reference_orbit_ms", "orbit_ms");
  table.add_reference<&PerturbationStats::table_milliseconds>("reference_table_ms", "table_ms");
  table.add_reference<&PerturbationStats::orbit_reused>("reference_reused", "reused");
  table.add_reference<&PerturbationStats::orbit_length>("reference_length", "length");
  table.add_reference<&PerturbationStats::period>("reference_period", "period");
  table.add_reference<&PerturbationStats::steps>("reference_steps", "steps");
  table.add_reference<&PerturbationStats::bits>("reference_bits", "bits");
  table.add_reference<&PerturbationStats::digits>("reference_digits", "digits");
  table.add_reference<&PerturbationStats::bytes>("reference_bytes", "bytes");
  table.add_reference<&PerturbationStats::uncertain>("reference_uncertain", "uncertain").missing = 0u;
  table.add_reference<&PerturbationStats::undecided>("reference_undecided", "undecided").missing = 0u;
  table.add_reference<&PerturbationStats::exact_milliseconds>("reference_exact_ms", "exact_ms").missing = 0.0;
  table.add_level<&MandelbrotLevel::width>("level_width", "width");
  table.add_level<&MandelbrotLevel::height>("level_height", "height");
  table.add_level<&MandelbrotLevel::regions>("level_regions", "regions");
  table.add_level<&MandelbrotLevel::filled>("level_filled", "filled");
  table.add_level<&MandelbrotLevel::leaves>("level_leaves", "leaves");
  table.add_level<&MandelbrotLevel::splits>("level_splits", "splits");
  table.add_level<&MandelbrotLevel::split_fraction>("level_split_fraction", "split_fraction");
  table.add_level<&MandelbrotLevel::children>("level_children", "children");
  table.add_level<&MandelbrotLevel::border_pixels>("level_border_pixels", "border_pixels");
  table.add_level<&MandelbrotLevel::leaf_pixels>("level_leaf_pixels", "leaf_pixels");
  table.add_level<&MandelbrotLevel::filled_pixels>("level_filled_pixels", "filled_pixels");
  table.add_level<&MandelbrotLevel::milliseconds>("level_ms", "ms");
  table.add_energy();
  return std::move(table.columns);
}

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

std::span<const Column> columns(SweepKind kind) {
  static const std::vector<Column> of_maps = map_columns();
  static const std::vector<Column> of_mandelbrot = mandelbrot_columns();
  return kind == SweepKind::kMaps ? of_maps : of_mandelbrot;
}

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
  row.set("noise", json_of(milliseconds.noise));
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
