#include "app/export/export_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/export/source_trim.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/solid/solid_config.h"
#include "compute/workload/larger_life.h"
#include "compute/workload/rule_text.h"
#include "export_sources.h"
#include "export_texts.h"

namespace loom::app::exporting {
namespace {

/// The sources in which a program for a number of dimensions finds its definitions, in an order in which each
/// follows those that it includes: functions of two and three dimensions have the same names.
std::vector<std::string> paths_for(int dimensions, bool larger) {
  std::vector<std::string> paths;
  for (const SourceFile& file : embedded::kSources) {
    const auto has = [&](std::string_view part) { return file.path.find(part) != std::string_view::npos; };
    if (has("larger_life") && !larger) continue;
    if (dimensions == 2 && has("solid")) continue;
    const bool of_both = has("/core/") || has("/export/") || has("solid") || has("storage.h") ||
                         has("map_method.h") || has("game_of_life") || has("random_start");
    if (dimensions == 2 || of_both) paths.emplace_back(file.path);
  }
  return paths;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// The sources as C++17 that needs no library: what of C++20 and {fmt} occurs in them.
const std::vector<SourceFile>& sources() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> all;
    for (const SourceFile& file : embedded::kSources) {
      std::string text(file.text);
      replace_all(text, "fmt::format(", "message_of(");
      replace_all(text, "fmt::join(", "joined(");
      if (file.path.ends_with("nbb_catalog.h")) {
        replace_all(text, "auto kCatalogShapes = std::to_array<CatalogShape>({",
                    "CatalogShape kCatalogShapes[] = {");
        replace_all(text, "\n});", "\n};");
      }
      // A requires-expression.
      replace_all(text, R"(template <typename Arithmetic>
constexpr bool has_turns() {
  if constexpr (requires { Arithmetic::kTurned; }) {
    return Arithmetic::kTurned;
  } else {
    return false;
  }
})",
                  R"(template <typename Arithmetic, typename = void>
inline constexpr bool kHasTurns = false;
template <typename Arithmetic>
inline constexpr bool kHasTurns<Arithmetic, std::enable_if_t<Arithmetic::kTurned>> = true;)");
      replace_all(text, "has_turns<Arithmetic>()", "kHasTurns<Arithmetic>");
      all.push_back(std::move(text));
    }
    return all;
  }();
  static const std::vector<SourceFile> files = [] {
    std::vector<SourceFile> all;
    for (std::size_t i = 0; i < texts.size(); ++i) all.push_back({embedded::kSources[i].path, texts[i]});
    return all;
  }();
  return files;
}

/// The license as a comment.
std::string license_comment() {
  std::string text = "// ";
  for (const char c : embedded::LICENSE) text += c == '\n' ? "\n// " : std::string(1, c);
  while (text.back() == ' ' || text.back() == '/' || text.back() == '\n') text.pop_back();
  replace_all(text, "// \n", "//\n");
  return text;
}

/// The headers of the standard library that files include.
void add_includes(const TrimmedFile& file, std::set<std::string>& includes) {
  for (const std::string& include : file.includes)
    if (include.front() == '<' && include.find("fmt") == std::string::npos && include != "<span>")
      includes.insert(include);
}

std::string include_lines(const std::set<std::string>& includes) {
  if (includes.empty()) return "// Includes nothing.";
  return fmt::format("#include {}", fmt::join(includes, "\n#include "));
}

/// A text as a constant of C++.
std::string literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '?') result += '\\';
    result += c == '@' ? "\\100" : std::string(1, c);  // @ marks values of the template
  }
  return result + '"';
}

/// A text as a part of a comment, which does not continue on the next line.
std::string comment_text(std::string text) {
  std::replace(text.begin(), text.end(), '\\', '/');
  std::replace(text.begin(), text.end(), '@', ' ');
  return text;
}

/// Fills a template in: %if NAME, %else and %end are lines of their own, @NAME@ is a value.
std::string filled(std::string_view form, const std::set<std::string>& flags,
                   const std::map<std::string, std::string>& values) {
  std::string result;
  std::vector<bool> shown{true};
  while (!form.empty()) {
    const std::size_t end = std::min(form.find('\n') + 1, form.size());
    std::string line(form.substr(0, end));
    form.remove_prefix(end);
    if (line.starts_with("%if ")) {
      shown.push_back(shown.back() && flags.contains(line.substr(4, line.size() - 5)));
    } else if (line == "%else\n") {
      shown.back() = !shown.back() && shown[shown.size() - 2];
    } else if (line == "%end\n") {
      shown.pop_back();
    } else if (shown.back()) {
      for (const auto& [name, value] : values) replace_all(line, "@" + name + "@", value);
      result += line;
    }
  }
  return result;
}

template <typename Point>
std::string points_text(const std::vector<Point>& points) {
  std::vector<std::string> texts;
  for (const Point& at : points) {
    if constexpr (std::is_same_v<Point, Coord3>) {
      texts.push_back(fmt::format("{{{}, {}, {}}}", at.x, at.y, at.z));
    } else {
      texts.push_back(fmt::format("{{{}, {}}}", at.x, at.y));
    }
  }
  return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

std::string_view enumerator_of(Symmetry symmetry) {
  static constexpr std::string_view kNames[] = {"kIdentity", "kTranspose", "kMirrorX",   "kRotate90",
                                                "kMirrorY",  "kRotate270", "kRotate180", "kAntitranspose"};
  return kNames[static_cast<std::size_t>(symmetry)];
}

std::string fractal_text(const NbbFractal& fractal) {
  std::string text = fmt::format(
      "/// The generators, from the coarsest level down: scales and offsets of the replicas.\nNbbFractal "
      "make_fractal() {{\n  return NbbFractal({}, std::vector<Generator>{{",
      literal(fractal.name()));
  for (const Generator& generator : fractal.generators()) {
    std::vector<std::string> symmetries;
    for (const Symmetry one : generator.orientations)
      symmetries.push_back(fmt::format("Symmetry::{}", enumerator_of(one)));
    text += fmt::format("\n      {{{}, {}, {}, {{{}}}, {{}}}},", generator.s_x, generator.s_y,
                        points_text(generator.offsets), fmt::join(symmetries, ", "));
  }
  text.pop_back();
  return text + fmt::format("}}, {});\n}}", fractal.repeats());
}

std::string fractal_text(const SolidFractal& fractal) {
  const Coord3 scale = fractal.shape().scale;
  return fmt::format(
      "/// The generator: scales and offsets of the replicas.\nSolidFractal make_fractal() {{\n  return "
      "SolidFractal({}, Coord3{{{}, {}, {}}}, {});\n}}",
      literal(fractal.name()), scale.x, scale.y, scale.z, points_text(fractal.offsets()));
}

template <int kDimensions>
std::string rule_literal(const LifeRuleOf<kDimensions>& rule) {
  std::string larger = "{}";
  if (rule.is_larger()) {
    static constexpr std::string_view kShapes[] = {"kBox", "kDiamond", "kCircle"};
    larger = fmt::format("{{{}, Neighbourhood::{}, {}, {{{}, {}}}, {{{}, {}}}}}", rule.larger.radius,
                         kShapes[static_cast<std::size_t>(rule.larger.shape)], rule.larger.middle,
                         rule.larger.birth.first, rule.larger.birth.last, rule.larger.survival.first,
                         rule.larger.survival.last);
  }
  return fmt::format("{}{{{:#x}, {:#x}, {}, {}}}", kDimensions == 2 ? "LifeRule" : "SolidRule", rule.birth,
                     rule.survival, rule.states, larger);
}

std::string_view enumerator_of(MapKind map) {
  return map == MapKind::kBoundingBox ? "kBoundingBox" : map == MapKind::kLambda ? "kLambda" : "kCompact";
}
std::string_view threads_type(IntraBlock intra_block) {
  return intra_block == IntraBlock::kSubBox     ? "SubBoxThreads"
         : intra_block == IntraBlock::kUnrolled ? "UnrolledThreads"
                                                : "LookupThreads";
}

/// The command that computes the same.
template <int kDimensions>
std::string command_of(const ProgramSpec<kDimensions>& spec) {
  const FractalConfigOf<kDimensions>& config = spec.config;
  const auto* const built_in = [&] {
    if constexpr (kDimensions == 3) {
      return find_solid(config.fractal.name());
    } else {
      const auto& all = built_in_fractals();
      const auto found = std::find_if(
          all.begin(), all.end(), [&](const NbbFractal& one) { return one.name() == config.fractal.name(); });
      return found == all.end() ? nullptr : &*found;
    }
  }();
  const bool has_name = built_in != nullptr && built_in->has_same_cells(config.fractal);
  return fmt::format(
      "fractal-loom life {} --level {} --block {} {}{} --rule {} --seed {} --density {} --steps {}",
      has_name ? "--fractal " + config.fractal.name() : "--fractal-file FILE", config.level, config.tile_size,
      to_string(config.method),
      config.method.map == MapKind::kCompact && !config.method.halo ? " --halo off" : "",
      to_string(spec.work.rule), spec.start.seed, spec.start.density, spec.generations);
}

/// The parts of a program's text that depend on the choice.
struct Parts {
  std::set<std::string> flags = {};
  std::map<std::string, std::string> values = {};
  Selection selection = {};
};

/// The width of the neighbourhood on each side of a cell.
template <int kDimensions>
int radius_of(const LifeRuleOf<kDimensions>& rule) {
  return rule.is_larger() ? rule.larger.radius : 1;
}

std::array<std::uint32_t, 3> tile_of(const FractalConfig& config) {
  const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  return {tiled.rho_x, tiled.rho_y, 1};
}
std::array<std::uint32_t, 3> tile_of(const SolidConfig& config) {
  const Coord3 rho = make_tiled_fractal(config.fractal, config.level, config.tile_size).rho;
  return {rho.x, rho.y, rho.z};
}

/// The storage of what a program stages: bytes, or words for what count_directly() counts.
template <int kDimensions>
std::uint64_t staged_bytes(const ProgramSpec<kDimensions>& spec) {
  const auto tile = tile_of(spec.config);
  const std::uint64_t around = 2 * static_cast<std::uint64_t>(radius_of(spec.work.rule));
  const std::uint64_t points =
      (tile[0] + around) * (tile[1] + around) * (kDimensions == 3 ? tile[2] + around : 1);
  return points * (spec.work.rule.is_larger() ? 2 : 1);
}

void add_map(const ProgramSpec<2>& spec, Parts& parts) {
  const FractalConfig& config = spec.config;
  const MapMethod& method = config.method;
  const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  const bool is_box = method.map == MapKind::kBoundingBox;
  const bool by_table = method.arithmetic == MapArithmetic::kTable && !is_box;
  const bool turned = tiled.is_turned() && !is_box;
  const bool narrow = tiled.fits_32_bits();
  std::string arithmetic = turned               ? "TurnedArithmetic<Int>"
                           : by_table           ? "TableArithmetic<Int>"
                           : tiled.is_uniform() ? "LoopArithmetic<Int>"
                                                : "LoopArithmetic<Int, true>";
  auto& values = parts.values;
  values["int"] = narrow ? "std::uint32_t" : "std::uint64_t";
  values["storage_type"] =
      method.map == MapKind::kCompact ? "TiledCompactStorage<Int>" : "ExpandedStorage<Int>";
  values["symmetry"] = turned ? "memory.symmetry" : "Symmetry::kIdentity";
  values["device_mixed"] =
      config.fractal.kind() == LevelKind::kMixed ? "readable(mixed_levels<Int>(tiled))" : "nullptr";
  values["storage"] = "Storage";
  values["storage_value"] = "storage";
  if (is_box) {
    values["map_type"] = tiled.is_uniform() ? "BoundingBoxMap<Int>" : "BoundingBoxMap<Int, false>";
    values["make_map"] = "(tiled)";
  } else {
    const std::string_view threads = threads_type(method.intra_block);
    values["map_type"] = fmt::format("LambdaMap<Int, {}, {}>", arithmetic, threads);
    const std::string tables = by_table ? ", readable(entries)" : turned ? ", nullptr" : "";
    values["make_map"] =
        fmt::format("(tiled, {}(tiled{}), {}(tiled{}))", arithmetic, tables, threads,
                    method.intra_block == IntraBlock::kLookup ? ", readable(tile_cells)" : "");
    values["build"] = arithmetic + "::build(tiled)";
    values["tile_cells"] = "tile_cell_table(tiled)";
  }
  auto& flags = parts.flags;
  if (turned) flags.insert("turned");
  if (narrow) flags.insert("narrow");
  if (!tiled.is_uniform()) flags.insert("levels");
  const bool compact = method.map == MapKind::kCompact;
  const bool larger = spec.work.rule.is_larger();
  if (compact && !larger) flags.insert("plane_compact");
  if (larger) flags.insert("large");
  if (larger && compact) flags.insert("large_compact");
  if (larger || (compact && method.halo)) flags.insert("staged");
  if (!larger) flags.insert(!compact ? "list_expanded" : method.halo ? "list_staged" : "list_across");
  if (is_box && !larger) flags.insert("each_thread");
  switch (config.fractal.kind()) {
    case LevelKind::kUniform:
      parts.selection.aliases = {{"lambda_map", "uniform_lambda_map"},
                                 {"nu_map", "uniform_nu_map"},
                                 {"is_member", "uniform_is_member"}};
      break;
    case LevelKind::kMixed:
      parts.selection.aliases = {
          {"lambda_map", "mixed_lambda_map"}, {"nu_map", "mixed_nu_map"}, {"is_member", "level_is_member"}};
      break;
    case LevelKind::kTurned:
      parts.selection.aliases = {
          {"lambda_map", "level_lambda_map"}, {"nu_map", "turned_nu_map"}, {"is_member", "level_is_member"}};
      break;
  }
  parts.selection.paths = paths_for(2, larger);
  // Overloads of a name that is needed, for rules that the program does not have.
  parts.selection.without = {"LOOM_HOST_DEVICE constexpr std::uint32_t next_state(const TwoStateRuleOf<3>&",
                             "LOOM_HOST_DEVICE std::uint32_t next_state(const SolidRule&",
                             "using SolidRule =", "template <typename Rule>\nstruct LifeRuleTable",
                             "template <typename Rule>\nLOOM_HOST_DEVICE std::uint32_t listed("};
}

void add_map(const ProgramSpec<3>& spec, Parts& parts) {
  const MapMethod& method = spec.config.method;
  const bool is_box = method.map == MapKind::kBoundingBox;
  const bool by_table = method.arithmetic == MapArithmetic::kTable && !is_box;
  const bool lookup = method.intra_block == IntraBlock::kLookup && !is_box;
  auto& values = parts.values;
  values["storage"] = "Map";
  values["storage_value"] = "map";
  static constexpr std::string_view kIntraBlock[] = {"kSubBox", "kUnrolled", "kLookup"};
  values["make_map"] = fmt::format(
      " =\n      make_solid_map(MapMethod{{MapKind::{}, MapArithmetic::{}, IntraBlock::{}}}, tiled, {}, {})",
      enumerator_of(method.map), by_table ? "kTable" : "kLoop",
      kIntraBlock[static_cast<std::size_t>(is_box ? IntraBlock::kSubBox : method.intra_block)],
      by_table ? "readable(entries)" : "nullptr", lookup ? "readable(tile_cells)" : "nullptr");
  values["build"] = "SolidTableArithmetic::build(tiled)";
  values["tile_cells"] = "SolidTables(tiled).tile_cells";
  if (method.map == MapKind::kCompact) parts.flags.insert("solid_compact");
  const bool is_staged = !is_box && method.halo;
  if (is_staged) parts.flags.insert("staged");
  parts.flags.insert(is_staged || method.map == MapKind::kCompact ? "solid_reads" : "expanded_reads");
  values["staged_parameter"] = is_staged ? "const Staged staged, " : "";
  values["staged_argument"] = is_staged ? "staged, " : "";
  parts.selection.paths = paths_for(3, false);
  parts.selection.without = {"inline std::uint32_t threads_per_tile(",
                             "SolidFractal()",
                             "inline SolidFractal::SolidFractal()",
                             "LOOM_HOST_DEVICE std::uint8_t next_state(TwoStateRule",
                             "LOOM_HOST_DEVICE std::uint8_t next_state(LifeRule",
                             "using LifeRule =",
                             "using TwoStateRule ="};
}

}  // namespace

template <int kDimensions>
ProgramSpec<kDimensions> program_of(const FractalConfigOf<kDimensions>& config,
                                    const WorkOf<kDimensions>& work, const CellSourceOf<kDimensions>& cells,
                                    std::uint64_t more) {
  if (!cells.is_plain() || (cells.times() > 0 && cells.work() != work))
    throw InputError(
        "a program begins with a random start and has one rule; allowed: cells that were not edited, or read "
        "from a file, and whose rule did not change");
  return {config, work, cells.start(), cells.generation() + more};
}

template <int kDimensions>
std::string program_problem(const ProgramSpec<kDimensions>& spec) {
  const MapMethod& method = spec.config.method;
  if (spec.work.workload != Workload::kLife)
    return fmt::format("the workload {} has no program text; allowed: life", name_of(spec.work.workload));
  if (method.storage != CellStorage::kBytes)
    return fmt::format("the storage {} has no program text; allowed: bytes", name_of(method.storage));
  const bool has_arithmetic = method.map != MapKind::kBoundingBox;
  if (has_arithmetic && method.arithmetic != MapArithmetic::kLoop &&
      method.arithmetic != MapArithmetic::kTable)
    return fmt::format(
        "the arithmetic {} has no program text, because it needs the threads of a warp together; allowed: "
        "loop, table",
        name_of(method.arithmetic));
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;
  if (const std::uint64_t bytes = bytes_needed(spec.config); bytes > kMostBytes)
    return fmt::format("level {} needs {} for cells; allowed: 0 to {}, which need at most {}",
                       spec.config.level, describe_bytes(bytes), largest_level(spec.config, kMostBytes),
                       describe_bytes(kMostBytes));
  if (method.tiles > 1)
    return fmt::format("{} tiles per thread block have no program text; allowed: --tiles 1 or auto",
                       method.tiles);
  if (method.counting != Counting::kAuto && method.counting != Counting::kDirect &&
      spec.work.rule.is_larger())
    return fmt::format("counting neighbours by {} has no program text; allowed: --counting direct or auto",
                       name_of(method.counting));
  constexpr std::uint64_t kSharedBytes = 40 * 1024;
  if (const std::uint64_t bytes = staged_bytes(spec); spec.work.rule.is_larger() && bytes > kSharedBytes)
    return fmt::format(
        "a tile and its neighbours need {}; allowed: a smaller --block, up to {} of shared memory",
        describe_bytes(bytes), describe_bytes(kSharedBytes));
  return {};
}

template <int kDimensions>
std::string program_text(const ProgramSpec<kDimensions>& spec, Language language) {
  if (const std::string problem = program_problem(spec); !problem.empty()) throw InputError(problem);
  const MapMethod& method = spec.config.method;
  const LifeRuleOf<kDimensions>& rule = spec.work.rule;
  const bool is_box = method.map == MapKind::kBoundingBox;
  Parts parts;
  auto& flags = parts.flags;
  auto& values = parts.values;
  add_map(spec, parts);
  flags.insert(kDimensions == 2 ? "plane" : "solid");
  if (language == Language::kCuda) flags.insert("cuda");
  if (flags.contains("levels") && language == Language::kCuda) flags.insert("cuda_levels");
  if (method.map == MapKind::kCompact) flags.insert("compact");
  if (!is_box && method.arithmetic == MapArithmetic::kTable) flags.insert("table");
  if (!is_box && method.intra_block == IntraBlock::kLookup) flags.insert("lookup");
  const auto tile = tile_of(spec.config);
  const std::string map = is_box
                              ? "the bounding box"
                              : fmt::format("{}, arithmetic {}, intra-block mapping {}", name_of(method.map),
                                            name_of(method.arithmetic), name_of(method.intra_block));
  const std::string name = comment_text(spec.config.fractal.name());
  values["title"] = fmt::format("Life on {}, level {}: thread map {}.", name, spec.config.level, map);
  values["map"] = fmt::format("life on {}, one tile per thread block", name);
  values["command"] = comment_text(command_of(spec));
  values["license"] = license_comment();
  values["level"] = std::to_string(spec.config.level);
  values["tile_width"] = std::to_string(tile[0]);
  values["tile_height"] = std::to_string(tile[1]);
  values["tile_depth"] = std::to_string(tile[2]);
  values["radius"] = std::to_string(radius_of(rule));
  values["seed"] = fmt::format("{}u", spec.start.seed);
  values["density"] = fmt::format("{}", spec.start.density);
  values["generations"] = std::to_string(spec.generations);
  values["fractal"] = fractal_text(spec.config.fractal);
  values["rule"] = to_string(rule);
  values["life_rule"] = kDimensions == 2 ? "LifeRule" : "SolidRule";
  values["make_rule"] = rule_literal(rule);
  values["rule_type"] = rule.is_larger()   ? "LargeRule"
                        : rule.states > 2  ? values["life_rule"]
                        : kDimensions == 2 ? "TwoStateRule"
                                           : "TwoStateRuleOf<3>";
  values["box_type"] = rule.is_larger() ? "std::uint16_t" : "std::uint8_t";
  values["device"] = language == Language::kCuda ? "__device__ " : "";

  const std::string main = filled(embedded::life_in, flags, values);
  parts.selection.notes = embedded::equations_in;
  parts.selection.uses = main.substr(main.find("@definitions@"));
  std::set<std::string> includes{"<cstdint>",   "<cstdio>",  "<cstdlib>",
                                 "<exception>", "<utility>", "<vector>"};
  if (language == Language::kCpp) includes.insert("<chrono>");
  std::string definitions;
  for (const TrimmedFile& file : trim(sources(), parts.selection)) {
    if (file.text.empty()) continue;
    add_includes(file, includes);
    definitions += "\n" + file.text;
  }
  std::string text = main;
  replace_all(text, "@includes@", include_lines(includes));
  replace_all(text, "@definitions@",
              fmt::format("namespace fractal_maps {{\n{}\n}}  // namespace fractal_maps", definitions));
  return text;
}

template ProgramSpec<2> program_of(const FractalConfig&, const Work&, const CellSourceOf<2>&, std::uint64_t);
template ProgramSpec<3> program_of(const SolidConfig&, const SolidWork&, const CellSourceOf<3>&,
                                   std::uint64_t);
template std::string program_problem(const ProgramSpec<2>& spec);
template std::string program_problem(const ProgramSpec<3>& spec);
template std::string program_text(const ProgramSpec<2>& spec, Language language);
template std::string program_text(const ProgramSpec<3>& spec, Language language);

std::vector<std::pair<std::filesystem::path, std::string>> library_files() {
  Selection all;
  for (const SourceFile& file : embedded::kSources) {
    if (file.path.find("life") == std::string_view::npos) all.paths.emplace_back(file.path);
  }
  all.uses = embedded::library_in;
  all.notes = embedded::equations_in;
  all.without = {"inline std::uint32_t threads_per_tile("};
  const std::vector<TrimmedFile> files = trim(sources(), all);
  const auto name_of = [](const std::string& path) {
    return std::filesystem::path(path).stem().string() + ".h";
  };
  std::map<std::string, std::string> texts;
  std::map<std::string, std::set<std::string>> includes;
  std::vector<std::string> order;
  for (const TrimmedFile& file : files) {
    const std::string name = name_of(file.path);
    if (file.text.empty()) continue;
    if (!texts.contains(name)) order.push_back(name);
    texts[name] += "\n" + file.text;
    add_includes(file, includes[name]);
    if (file.text.find("message_of(") != std::string::npos && name != "message.h")
      includes[name].insert("\"fractal_maps/message.h\"");
    for (const std::string& include : file.includes) {
      const std::string other = name_of(include.substr(1, include.size() - 2));
      const bool is_kept = std::any_of(files.begin(), files.end(), [&](const TrimmedFile& one) {
        return !one.text.empty() && "\"" + one.path + "\"" == include;
      });
      if (is_kept && other != name) includes[name].insert(fmt::format("\"fractal_maps/{}\"", other));
    }
  }
  std::vector<std::pair<std::filesystem::path, std::string>> result;
  std::string umbrella = license_comment() + "\n\n// " +
                         "All of the library. How to use it: docs/how-to/use-a-map-in-your-code.md of "
                         "Fractal Loom.\n\n#pragma once\n\n";
  for (const std::string& name : order) {
    result.emplace_back(
        "fractal_maps/" + name,
        fmt::format(
            "{}\n\n#pragma once\n\n{}\n\nnamespace fractal_maps {{\n{}\n}}  // namespace fractal_maps\n",
            license_comment(), include_lines(includes[name]), texts[name]));
    umbrella += fmt::format("#include \"fractal_maps/{}\"\n", name);
  }
  result.emplace_back("fractal_maps/fractal_maps.h", umbrella);
  return result;
}

}  // namespace loom::app::exporting
