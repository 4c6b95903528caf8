#include <fmt/format.h>

#include <concepts>
#include <type_traits>
#include <utility>

#include "app/bench/axes.h"
#include "app/bench/results.h"
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

}  // namespace

std::span<const Column> columns(SweepKind kind) {
  static const std::vector<Column> of_maps = map_columns();
  static const std::vector<Column> of_mandelbrot = mandelbrot_columns();
  return kind == SweepKind::kMaps ? of_maps : of_mandelbrot;
}

}  // namespace loom::app::bench
