#include "app/workspaces/life/scene/life_fields.h"

#include <array>
#include <limits>

#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

using LifeRow = FieldOf<LifeSettings>;

// Members of members.
constexpr auto kLevelOf = [](auto& settings) -> auto& {
  return settings.config.level;
};
constexpr auto kTileSizeOf = [](auto& settings) -> auto& {
  return settings.config.tile_size;
};
constexpr auto kMethodOf = [](auto& settings) -> auto& {
  return settings.config.method;
};
constexpr auto kColourByOf = [](auto& settings) -> auto& {
  return settings.colouring.by;
};
constexpr auto kColourLevelOf = [](auto& settings) -> auto& {
  return settings.colouring.level;
};

constexpr int kHighestLevel = 63;  // k is at least 2, and k^r must fit in 64 bits

constexpr Field<LifeSettings> fractal_field() {
  constexpr auto kFractalOf = [](auto& settings) -> auto& {
    return settings.config.fractal;
  };
  Field<LifeSettings> field =
      LifeRow::other<kFractalOf>({.label = "fractal", .undo = "fractal", .in_lesson = true});
  field.copy = [](const LifeSettings& from, LifeSettings& to) {
    to.config.fractal = from.config.fractal;
    to.from_file = from.from_file;
  };
  return field;
}

constexpr Field<LifeSettings> panes_field() {
  Field<LifeSettings> field =
      LifeRow::other<&LifeSettings::secondary_panes>({.label = "panes", .undo = "panes", .in_lesson = true});
  field.copy = [](const LifeSettings& from, LifeSettings& to) {
    to.secondary_panes = from.secondary_panes;
    to.compared = from.compared;
  };
  return field;
}

constexpr Field<LifeSettings> devices_field() {
  Field<LifeSettings> field =
      LifeRow::other<&LifeSettings::devices>({.label = "devices", .undo = "devices", .in_lesson = true});
  // A new method may not allow several devices, which then change with it.
  field.equal = [](const LifeSettings& a, const LifeSettings& b) {
    return a.devices == b.devices || a.config.method != b.config.method;
  };
  return field;
}

constexpr FieldInfo kWorkloadInfo{.key = "workload",
                                  .option = "workload",
                                  .label = "workload",
                                  .purpose = "What every thread does with its cell",
                                  .undo = "workload",
                                  .in_lesson = true};
constexpr FieldInfo kReductionInfo{.key = "reduction",
                                   .option = "reduction",
                                   .label = "reduction",
                                   .purpose = "How a reduction sums",
                                   .undo = "workload"};
constexpr FieldInfo kRuleInfo{.key = "rule",
                              .option = "rule",
                              .label = "rule",
                              .purpose = "Rule of life: B3/S23, b3s23, 23/3 or a name such as Conway",
                              .undo = "rule",
                              .in_lesson = true};
constexpr FieldInfo kSeedInfo{.key = "seed",
                              .option = "seed",
                              .label = "seed",
                              .purpose = "Seed of the random start",
                              .undo = "random start",
                              .highest = std::numeric_limits<std::uint64_t>::max()};
constexpr FieldInfo kDensityInfo{.key = "density",
                                 .option = "density",
                                 .label = "density",
                                 .purpose = "Fraction of cells alive at the start",
                                 .undo = "random start",
                                 .highest = 1};

constexpr Field<LifeSettings> reduction_field() {
  Field<LifeSettings> field = LifeRow::choice<&LifeSettings::reduction, kReductionMethods>(kReductionInfo);
  field.applies = [](const LifeSettings& settings) { return settings.workload == Workload::kReduction; };
  field.applies_with = "--workload reduction";
  return field;
}

constexpr auto kRuleText = static_cast<std::string (*)(LifeRule)>(to_string);

constexpr Field<LifeSettings> rule_field() {
  Field<LifeSettings> field = LifeRow::text<&LifeSettings::rule, parse_rule, kRuleText>(kRuleInfo);
  field.applies = [](const LifeSettings& settings) { return settings.workload == Workload::kLife; };
  field.applies_with = "--workload life";
  return field;
}

constexpr std::array kLifeFields = {
    fractal_field(),
    LifeRow::whole<kLevelOf>({.key = "level",
                              .option = "level",
                              .label = "level",
                              .undo = "level",
                              .in_lesson = true,
                              .highest = kHighestLevel}),
    LifeRow::whole<kTileSizeOf>({.key = "block",
                                 .option = "block",
                                 .label = "tile size",
                                 .undo = "tile size",
                                 .in_lesson = true,
                                 .lowest = 1,
                                 .highest = 1024}),
    LifeRow::other<kMethodOf>({.undo = "thread map"}), devices_field(), panes_field(),
    LifeRow::choice<&LifeSettings::workload, kWorkloads>(kWorkloadInfo), reduction_field(), rule_field(),
    LifeRow::whole < [](auto& settings) -> auto& {return settings.start.seed;
}  // namespace
> (kSeedInfo), LifeRow::real < [](auto& settings) -> auto& {
  return settings.start.density;
}
> (kDensityInfo),
    LifeRow::whole<&LifeSettings::generations_per_frame>(
        {.key = "generations_per_frame", .undo = "speed", .lowest = 1, .highest = kMaxGenerationsPerFrame}),
    LifeRow::whole<&LifeSettings::ms_per_generation>({.key = "ms_per_generation",
                                                      .undo = "speed",
                                                      .highest = kMaxMsPerGeneration}),
    LifeRow::on_off<&LifeSettings::playing>({.key = "playing"}),
    LifeRow::on_off<&LifeSettings::cell_grid>({.key = "cell_grid", .undo = "grids"}),
    LifeRow::on_off<&LifeSettings::tile_grid>({.key = "block_grid", .undo = "grids"}),
    LifeRow::on_off<&LifeSettings::square_points>({.key = "square_points", .undo = "square points"}),
    LifeRow::on_off<&LifeSettings::show_ages>({.key = "show_ages", .undo = "ages and trails"}),
    LifeRow::other<&LifeSettings::show_code>({.undo = "custom map"}),
    LifeRow::on_off<&LifeSettings::edit_cells>({.key = "edit_cells", .undo = "edit mode"}),
    LifeRow::on_off<&LifeSettings::show_thread>({.key = "show_thread", .undo = "thread panel"}),
    LifeRow::whole<&LifeSettings::neighbour>({.key = "neighbour", .undo = "thread panel", .highest = 7}),
    LifeRow::choice<kColourByOf, explain::kColourings>({.key = "colour_by",
                                                        .label = "colouring",
                                                        .undo = "colours"}),
    LifeRow::whole<kColourLevelOf>(
        {.key = "colour_level", .undo = "colours", .lowest = 1, .highest = kHighestLevel}),
};  // namespace loom::app

constexpr std::array kWorkFields = {
    FieldOf<Work>::choice<&Work::workload, kWorkloads>(kWorkloadInfo),
    FieldOf<Work>::choice<&Work::reduction, kReductionMethods>(kReductionInfo),
    FieldOf<Work>::text<&Work::rule, parse_rule, kRuleText>(kRuleInfo),
};

constexpr std::array kStartFields = {
    FieldOf<RandomStart>::whole<&RandomStart::seed>(kSeedInfo),
    FieldOf<RandomStart>::real<&RandomStart::density>(kDensityInfo),
};

}  // namespace

std::span<const Field<LifeSettings>> life_fields() {
  return kLifeFields;
}

std::span<const Field<Work>> work_fields() {
  return kWorkFields;
}

std::span<const Field<RandomStart>> start_fields() {
  return kStartFields;
}

}  // namespace loom::app
