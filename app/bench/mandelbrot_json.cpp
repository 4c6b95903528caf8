#include "app/bench/mandelbrot_json.h"

#include <fmt/format.h>

#include <memory>

#include "app/settings/field_json.h"
#include "app/settings/json_members.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom {

using app::JsonMember;
using app::JsonMemberOf;

std::span<const JsonMember<ComplexWindow>> json_members(const ComplexWindow*) {
  using Row = JsonMemberOf<ComplexWindow>;
  static constexpr JsonMember<ComplexWindow> kMembers[] = {
      Row::real<&ComplexWindow::re_min>("re_min"),
      Row::real<&ComplexWindow::re_max>("re_max"),
      Row::real<&ComplexWindow::im_min>("im_min"),
      Row::real<&ComplexWindow::im_max>("im_max"),
  };
  return kMembers;
}

/// The centre alone.
std::span<const JsonMember<DecimalView>> json_members(const DecimalView*) {
  using Row = JsonMemberOf<DecimalView>;
  static constexpr JsonMember<DecimalView> kMembers[] = {
      Row::value<&DecimalView::re>("re"),
      Row::value<&DecimalView::im>("im"),
  };
  return kMembers;
}

std::span<const JsonMember<PerturbationStats>> json_members(const PerturbationStats*) {
  using Row = JsonMemberOf<PerturbationStats>;
  static constexpr JsonMember<PerturbationStats> kMembers[] = {
      Row::value<&PerturbationStats::orbit_milliseconds>("orbit_ms"),
      Row::value<&PerturbationStats::table_milliseconds>("table_ms"),
      Row::value<&PerturbationStats::orbit_reused>("reused"),
      Row::value<&PerturbationStats::orbit_length>("length"),
      Row::value<&PerturbationStats::period>("period"),
      Row::value<&PerturbationStats::steps>("steps"),
      Row::value<&PerturbationStats::bits>("bits"),
      Row::value<&PerturbationStats::digits>("digits"),
      Row::value<&PerturbationStats::bytes>("bytes"),
  };
  return kMembers;
}

std::span<const JsonMember<MandelbrotLevel>> json_members(const MandelbrotLevel*) {
  using Row = JsonMemberOf<MandelbrotLevel>;
  static constexpr JsonMember<MandelbrotLevel> kMembers[] = {
      Row::value<&MandelbrotLevel::width>("width"),
      Row::value<&MandelbrotLevel::height>("height"),
      Row::value<&MandelbrotLevel::regions>("regions"),
      Row::value<&MandelbrotLevel::filled>("filled"),
      Row::value<&MandelbrotLevel::leaves>("leaves"),
      Row::value<&MandelbrotLevel::splits>("splits"),
      Row::derived<&MandelbrotLevel::split_fraction>("split_fraction"),
      Row::value<&MandelbrotLevel::children>("children"),
      Row::value<&MandelbrotLevel::border_pixels>("border_pixels"),
      Row::value<&MandelbrotLevel::leaf_pixels>("leaf_pixels"),
      Row::value<&MandelbrotLevel::filled_pixels>("filled_pixels"),
      Row::value<&MandelbrotLevel::milliseconds>("ms"),
  };
  return kMembers;
}

namespace {

nlohmann::ordered_json levels_json(const MandelbrotReport& report) {
  auto json = nlohmann::ordered_json::array();
  for (const MandelbrotLevel& level : report.levels) json.push_back(app::json_of(level));
  return json;
}

void read_levels(const app::JsonReader& json, const char* key, MandelbrotReport& report) {
  const auto& levels = json.array(key);
  if (levels.size() > kMaxSubdivisionLevels)
    throw InputError(fmt::format("levels are {}; allowed: up to {}", levels.size(), kMaxSubdivisionLevels));
  for (std::size_t i = 0; i < levels.size(); ++i) {
    MandelbrotLevel level;
    app::read_members(app::JsonReader(levels[i], fmt::format("levels[{}]", i)), level);
    report.levels.push_back(level);
  }
}

}  // namespace

std::span<const JsonMember<MandelbrotReport>> json_members(const MandelbrotReport*) {
  using Row = JsonMemberOf<MandelbrotReport>;
  static constexpr JsonMember<MandelbrotReport> kMembers[] = {
      Row::value<&MandelbrotReport::pixels>("pixels"),
      Row::value<&MandelbrotReport::mirrored_pixels>("mirrored_pixels"),
      Row::value<&MandelbrotReport::axis_pixels>("axis_pixels"),
      Row::derived<&MandelbrotReport::computed_pixels>("computed_pixels"),
      Row::derived<&MandelbrotReport::work_reduction>("work_reduction"),
      Row::value<&MandelbrotReport::launches>("launches", app::Presence::kAddedLater),
      Row::value<&MandelbrotReport::allocated_bytes>("bytes"),
      Row::value<&MandelbrotReport::perturbation>("reference", app::Presence::kUnlessDefault),
      {"levels", levels_json, read_levels},
  };
  return kMembers;
}

std::span<const JsonMember<MandelbrotView>> json_members(const MandelbrotView*) {
  using Row = JsonMemberOf<MandelbrotView>;
  static constexpr JsonMember<MandelbrotView> kMembers[] = {
      Row::value<&MandelbrotView::width>("width"),
      Row::value<&MandelbrotView::height>("height"),
      Row::value<&MandelbrotView::window>("window"),
  };
  return kMembers;
}

}  // namespace loom

namespace loom::app {

void add_mandelbrot_config(nlohmann::ordered_json& json, const MandelbrotConfig& config,
                           const MandelbrotView& view) {
  add_fields(json, mandelbrot_config_fields(), config);
  add_members(json, view);
  if (!view.decimal) return;
  json["center"] = json_of(*view.decimal);
  json["view_width"] = view.decimal->width;
}

void read_mandelbrot_config(const JsonReader& json, MandelbrotConfig& config, MandelbrotView& view) {
  read_fields(json, mandelbrot_config_fields(), config);
  validate(config);
  read_members(json, view);
  if (!json.has("center")) return;
  DecimalView decimal{.width = json.text("view_width")};
  read_value(json, "center", decimal);
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
