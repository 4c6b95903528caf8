#include "app/bench/mandelbrot_json.h"

#include <fmt/format.h>

#include <array>
#include <memory>

#include "app/bench/mandelbrot_results.h"
#include "app/settings/field_json.h"
#include "app/settings/json_members.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app {

template <>
constexpr std::array kJsonMembers<ComplexWindow> = {
    json_number<&ComplexWindow::re_min, &JsonReader::real>("re_min"),
    json_number<&ComplexWindow::re_max, &JsonReader::real>("re_max"),
    json_number<&ComplexWindow::im_min, &JsonReader::real>("im_min"),
    json_number<&ComplexWindow::im_max, &JsonReader::real>("im_max"),
};

template <>
constexpr std::array kJsonMembers<PerturbationStats> = {
    json_row<&PerturbationStats::orbit_milliseconds>("orbit_ms"),
    json_row<&PerturbationStats::table_milliseconds>("table_ms"),
    json_row<&PerturbationStats::orbit_reused>("reused"),
    json_row<&PerturbationStats::orbit_length>("length"),
    json_row<&PerturbationStats::period>("period"),
    json_row<&PerturbationStats::steps>("steps"),
    json_row<&PerturbationStats::bits>("bits"),
    json_row<&PerturbationStats::digits>("digits"),
    json_row<&PerturbationStats::bytes>("bytes"),
    json_row<&PerturbationStats::uncertain>("uncertain", Presence::kAddedLater),
    json_row<&PerturbationStats::undecided>("undecided", Presence::kAddedLater),
    json_row<&PerturbationStats::exact_milliseconds>("exact_ms", Presence::kAddedLater),
};

template <>
constexpr std::array kJsonMembers<MandelbrotLevel> = {
    json_row<&MandelbrotLevel::width>("width"),
    json_row<&MandelbrotLevel::height>("height"),
    json_row<&MandelbrotLevel::regions>("regions"),
    json_row<&MandelbrotLevel::filled>("filled"),
    json_row<&MandelbrotLevel::leaves>("leaves"),
    json_row<&MandelbrotLevel::splits>("splits"),
    json_derived<&MandelbrotLevel::split_fraction>("split_fraction"),
    json_row<&MandelbrotLevel::children>("children"),
    json_row<&MandelbrotLevel::border_pixels>("border_pixels"),
    json_row<&MandelbrotLevel::leaf_pixels>("leaf_pixels"),
    json_row<&MandelbrotLevel::filled_pixels>("filled_pixels"),
    json_row<&MandelbrotLevel::milliseconds>("ms"),
};

namespace {

nlohmann::ordered_json levels_json(const MandelbrotReport& report) {
  auto json = nlohmann::ordered_json::array();
  for (const MandelbrotLevel& level : report.levels) json.push_back(json_of(level));
  return json;
}

void read_levels(const JsonReader& json, const char* key, MandelbrotReport& report) {
  const auto& levels = json.array(key);
  if (levels.size() > kMaxSubdivisionLevels)
    throw InputError(fmt::format("levels are {}; allowed: up to {}", levels.size(), kMaxSubdivisionLevels));
  for (std::size_t i = 0; i < levels.size(); ++i) {
    MandelbrotLevel level;
    read_members(JsonReader(levels[i], fmt::format("levels[{}]", i)), level);
    report.levels.push_back(level);
  }
}

}  // namespace

template <>
constexpr std::array kJsonMembers<MandelbrotReport> = {
    json_row<&MandelbrotReport::pixels>("pixels"),
    json_row<&MandelbrotReport::mirrored_pixels>("mirrored_pixels"),
    json_row<&MandelbrotReport::axis_pixels>("axis_pixels"),
    json_derived<&MandelbrotReport::computed_pixels>("computed_pixels"),
    json_derived<bench::recomputed_pixels, MandelbrotReport>("recomputed_pixels"),
    json_derived<&MandelbrotReport::work_reduction>("work_reduction"),
    json_row<&MandelbrotReport::launches>("launches", Presence::kAddedLater),
    json_row<&MandelbrotReport::allocated_bytes>("bytes"),
    json_row<&MandelbrotReport::perturbation>("reference", Presence::kUnlessDefault),
    JsonMember<MandelbrotReport>{"levels", levels_json, read_levels},
};

template <>
constexpr std::array kJsonMembers<MandelbrotView> = {
    json_row<&MandelbrotView::width>("width"),
    json_row<&MandelbrotView::height>("height"),
    json_row<&MandelbrotView::window>("window"),
};

void add_mandelbrot_config(nlohmann::ordered_json& json, const MandelbrotConfig& config,
                           const MandelbrotView& view) {
  add_fields(json, mandelbrot_config_fields(), config);
  add_members(json, view);
  if (!view.decimal) return;
  const ViewDigits digits = digits_of(*view.decimal);
  json["center"] = {{"re", digits.re}, {"im", digits.im}};
  json["view_width"] = digits.width;
}

void read_mandelbrot_config(const JsonReader& json, MandelbrotConfig& config, MandelbrotView& view) {
  read_fields(json, mandelbrot_config_fields(), config);
  validate(config);
  read_members(json, view);
  if (!json.has("center")) return;
  const JsonReader center = json.object("center");
  DecimalView decimal{center.text("re"), center.text("im"), json.text("view_width")};
  validate(decimal);
  view.decimal = std::make_shared<const DecimalView>(std::move(decimal));
}

void add_mandelbrot_report(nlohmann::ordered_json& json, const MandelbrotReport& report) {
  add_members(json, report);
}

void read_mandelbrot_report(const JsonReader& json, MandelbrotReport& report) {
  read_members(json, report);
}

}  // namespace loom::app
