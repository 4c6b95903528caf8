#include "compute/mandelbrot/mandelbrot_fields.h"

#include <array>

namespace loom {
namespace {

using ConfigRow = FieldOf<MandelbrotConfig>;

bool subdivides(const MandelbrotConfig& config) {
  return config.method != MandelbrotMethod::kExhaustive;
}

constexpr Field<MandelbrotConfig> method_field() {
  Field<MandelbrotConfig> field = ConfigRow::choice<&MandelbrotConfig::method, kMandelbrotMethods>(
      {.key = "method",
       .option = "method",
       .label = "method",
       .purpose = "Method: every pixel, dynamic parallelism, or adaptive serial kernels",
       .undo = "method",
       .in_lesson = true,
       .in_sweep = true});
  field.assign = [](std::string_view text, MandelbrotConfig& config) {
    for (const MandelbrotMethod method : kMandelbrotMethods) {
      if (name_of(method) == text) set_method(config, method);
    }
  };
  return field;
}

constexpr Field<MandelbrotConfig> only_subdivided(Field<MandelbrotConfig> field) {
  field.applies = subdivides;
  field.applies_with = "--method dp or ask";
  return field;
}

/// A field of the subdivision.
constexpr Field<MandelbrotConfig> of_subdivision(Field<MandelbrotConfig> field) {
  field.undo = "subdivision";
  field.in_lesson = field.in_sweep = true;
  return only_subdivided(field);
}

constexpr auto kFormulaNames = [] {
  std::array<Formula, kFormulas.size() + 1> formulas{};
  for (std::size_t i = 0; i < kFormulas.size(); ++i) formulas[i] = kFormulas[i].formula;
  formulas.back() = Formula::kCustom;
  return formulas;
}();

// References to members of the set, for rows.
constexpr auto kFormulaOf = [](auto& config) -> auto& {
  return config.set.formula;
};
constexpr auto kPowerOf = [](auto& config) -> auto& {
  return config.set.power;
};
constexpr auto kJuliaOf = [](auto& config) -> auto& {
  return config.set.julia;
};

constexpr Field<MandelbrotConfig> power_field() {
  Field<MandelbrotConfig> field = ConfigRow::whole<kPowerOf>({.key = "power",
                                                              .option = "power",
                                                              .label = "power",
                                                              .purpose = "d of multibrot, z^d + c",
                                                              .undo = "formula",
                                                              .in_lesson = true,
                                                              .lowest = kMinPower,
                                                              .highest = kMaxPower});
  field.applies = [](const MandelbrotConfig& config) { return config.set.formula == Formula::kMultibrot; };
  field.applies_with = "--formula multibrot";
  field.text = [](const MandelbrotConfig& config) -> std::optional<std::string> {
    if (config.set.formula != Formula::kMultibrot) return std::nullopt;
    return fmt::format("{}", config.set.power);
  };
  return field;
}

constexpr Field<MandelbrotConfig> julia_field() {
  Field<MandelbrotConfig> field =
      ConfigRow::text<kJuliaOf, parse_julia_point,
                      static_cast<std::string (*)(const std::optional<JuliaPoint>&)>(to_string)>(
          {.key = "julia_point",
           .option = "julia",
           .label = "Julia point",
           .purpose = "The Julia set of this point, RE,IM with a distance from 0 of at most 2, instead of "
                      "the set of the parameter plane; or off",
           .undo = "Julia set",
           .in_lesson = true});
  field.text = [](const MandelbrotConfig& config) -> std::optional<std::string> {
    if (!config.set.julia) return std::nullopt;
    return to_string(config.set.julia);
  };
  return field;
}

constexpr auto kCustomOf = [](auto& config) -> auto& {
  return config.set.custom;
};

constexpr std::array kConfigFields = {
    ConfigRow::choice<kFormulaOf, kFormulaNames>({.key = "formula",
                                                  .option = "formula",
                                                  .label = "formula",
                                                  .purpose = "Formula that is iterated",
                                                  .undo = "formula",
                                                  .in_lesson = true}),
    power_field(),
    julia_field(),
    custom_formula_field<MandelbrotConfig, kCustomOf>(),
    method_field(),
    ConfigRow::text<&MandelbrotConfig::optimisations, parse_optimisations,
                    static_cast<std::string (*)(const MandelbrotOptimisations&)>(to_string)>(
        {.key = "ideas",
         .option = "ideas",
         .label = "optimizations",
         .purpose =
             "Optimizations beyond the published form (all, none, or a list of early-stop, periodicity, "
             "narrow, tiles, regroup, queue, join, mirror, interior)",
         .in_scene = false,
         .in_sweep = true,
         .has_auto = true}),
    of_subdivision(ConfigRow::choice<&MandelbrotConfig::scheme, kRegionSchemes>(
        {.key = "scheme",
         .option = "scheme",
         .label = "scheme",
         .purpose = "Thread blocks per region: a single one (SBR) or multiple (MBR)"})),
    of_subdivision(ConfigRow::whole<&MandelbrotConfig::g>({.key = "g",
                                                           .option = "g",
                                                           .label = "g",
                                                           .purpose = "Initial regions per axis",
                                                           .lowest = 1,
                                                           .highest = kMaxDivision})),
    of_subdivision(ConfigRow::whole<&MandelbrotConfig::r>({.key = "r",
                                                           .option = "r",
                                                           .label = "r",
                                                           .purpose = "Subdivision per axis",
                                                           .lowest = 2,
                                                           .highest = kMaxDivision})),
    of_subdivision(ConfigRow::whole<&MandelbrotConfig::b>(
        {.key = "b",
         .option = "b",
         .label = "B",
         .purpose = "B (a region splits while its side / r is greater than B)",
         .lowest = 1,
         .highest = kMaxDivision})),
    ConfigRow::whole<&MandelbrotConfig::dwell_limit>({.key = "dwell_limit",
                                                      .option = "dwell",
                                                      .label = "dwell limit",
                                                      .purpose = "Dwell limit",
                                                      .undo = "dwell limit",
                                                      .in_lesson = true,
                                                      .in_sweep = true,
                                                      .lowest = 1,
                                                      .highest = kMaxDwellLimit}),
    ConfigRow::text<&MandelbrotConfig::block, parse_block_shape,
                    static_cast<std::string (*)(const BlockShape&)>(to_string)>(
        {.key = "block_shape",
         .option = "block-shape",
         .label = "block shape",
         .purpose = "CUDA: threads per thread block, WIDTHxHEIGHT (64x8 by default with dp)",
         .undo = "block shape"}),
    ConfigRow::choice<&MandelbrotConfig::precision, kPrecisions>({.key = "precision",
                                                                  .option = "precision",
                                                                  .label = "precision",
                                                                  .purpose = "Arithmetic of the dwell",
                                                                  .undo = "precision",
                                                                  .in_sweep = true}),
    only_subdivided(ConfigRow::choice<&MandelbrotConfig::fill, kFillRules>(
        {.key = "fill",
         .option = "fill",
         .label = "fill rule",
         .purpose = "Uniform regions that are filled: all, or only those at the dwell limit",
         .undo = "fill rule"})),
};

}  // namespace

std::span<const Field<MandelbrotConfig>> mandelbrot_config_fields() {
  return kConfigFields;
}

CustomFormula read_formula(std::string_view text) {
  return text.empty() ? CustomFormula() : CustomFormula(std::string(text), "the scene");
}

std::span<const Field<MandelbrotConfig>> set_fields() {
  constexpr std::size_t kOfSet = 4;
  return mandelbrot_config_fields().first(kOfSet);
}

}  // namespace loom
