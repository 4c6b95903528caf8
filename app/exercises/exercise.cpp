#include "app/exercises/exercise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "app/files/toml_document.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/map_code/program.h"
#include "exercise_texts.h"

namespace loom::app {
namespace {

constexpr std::uint64_t kMaxBytes = 1 << 20;
constexpr std::size_t kMaxCases = 32;
constexpr std::size_t kMaxHints = 8;
constexpr std::size_t kMaxTitle = 60;
constexpr std::size_t kMaxTask = 4000;
constexpr double kMaxLimit = 1e12;

class ExerciseReader : TomlReader {
 public:
  explicit ExerciseReader(std::string file) : TomlReader(std::move(file)) {}

  Exercise read(const toml::table& document) const {
    allow(document, {"title", "task", "starter", "solution", "hide_solution", "hints", "require", "case"},
          "an exercise");
    Exercise exercise;
    exercise.title = needed_text(document, "title", kMaxTitle);
    exercise.task = needed_text(document, "task", kMaxTask);
    exercise.starter = needed_text(document, "starter", kMaxMapCode);
    if (document.contains("solution")) exercise.solution = needed_text(document, "solution", kMaxMapCode);
    exercise.shows_solution = !flag(document, "hide_solution", !exercise.shows_solution);
    read_hints(document, exercise);
    if (const toml::node* const node = document.get("require")) {
      if (!node->is_table()) fail(*node, "'require' is not a table");
      read_requirements(*node->as_table(), exercise);
    }
    const toml::array* const cases = document["case"].as_array();
    if (cases == nullptr || cases->empty())
      fail(1, fmt::format("no [[case]] table; allowed: 1 to {}", kMaxCases));
    for (const toml::node& node : *cases) {
      if (!node.is_table()) fail(node, "the case is not a table; allowed: [[case]] tables");
      if (exercise.cases.size() == kMaxCases)
        fail(node, fmt::format("too many cases; allowed: 1 to {}", kMaxCases));
      exercise.cases.push_back(read_case(*node.as_table()));
    }
    if (exercise.cases.front().hidden)
      fail(cases->front(), "the first case is shown to students and cannot be hidden");
    return exercise;
  }

 private:
  std::string needed_text(const toml::table& table, std::string_view key, std::size_t most) const {
    const toml::node* const node = table.get(key);
    if (node == nullptr) fail(1, fmt::format("an exercise needs the key '{}'", key));
    return text_of(*node, key, most);
  }

  std::string text_of(const toml::node& node, std::string_view key, std::size_t most) const {
    const auto text = node.value<std::string>();
    if (!text || text->empty() || text->size() > most)
      fail(node, fmt::format("'{}' is not a text of 1 to {} bytes", key, most));
    return *text;
  }

  void read_hints(const toml::table& document, Exercise& exercise) const {
    const toml::node* const node = document.get("hints");
    if (node == nullptr) return;
    if (!node->is_array() || node->as_array()->size() > kMaxHints)
      fail(*node, fmt::format("'hints' is not a list of up to {} texts", kMaxHints));
    for (const toml::node& hint : *node->as_array())
      exercise.hints.push_back(text_of(hint, "hints", kMaxTask));
  }

  void read_requirements(const toml::table& table, Exercise& exercise) const {
    std::vector<std::string_view> keys = {"cells"};
    for (const LimitKey& key : limit_keys()) keys.push_back(key.name);
    allow(table, keys, "'require'");
    ExerciseRequirements& required = exercise.requirements;
    if (const toml::node* const node = table.get("cells")) {
      const auto text = node->value<std::string>();
      if (!text || (*text != "all" && *text != "as-solution"))
        fail(*node, "'cells' is unknown; allowed: \"all\", \"as-solution\"");
      if (*text == "as-solution") required.cells = RequiredCells::kAsSolution;
      if (required.cells == RequiredCells::kAsSolution && exercise.solution.empty())
        fail(*node, "'cells' is \"as-solution\", but there is no 'solution'");
    }
    for (const LimitKey& key : limit_keys()) {
      const toml::node* const node = table.get(key.name);
      if (node == nullptr) continue;
      const auto value = node->value<double>();
      const bool is_number = key.is_whole ? node->is_integer() : node->is_number();
      if (!is_number || !(*value >= 0 && *value <= key.highest))
        fail(*node, fmt::format("'{}' is not a {} from 0 to {}", key.name,
                                key.is_whole ? "whole number" : "number", key.highest));
      required.limits[static_cast<std::size_t>(key.kind)] = value;
    }
  }

  ExerciseCase read_case(const toml::table& table) const {
    allow(table, {"fractal", "level", "hidden"}, "a case");
    const toml::node* const fractal = table.get("fractal");
    const toml::node* const level = table.get("level");
    if (fractal == nullptr || level == nullptr) fail(table, "a case needs the keys 'fractal' and 'level'");
    const std::string name = text_of(*fractal, "fractal", kMaxTitle);
    const NbbFractal* found = nullptr;
    for (const NbbFractal& one : catalog()) {
      if (one.name() == name) found = &one;
    }
    if (found == nullptr) {
      std::vector<std::string> names;
      for (const NbbFractal& one : catalog()) names.push_back(one.name());
      fail(*fractal, fmt::format("unknown fractal '{}'; allowed: {}", shown(name), fmt::join(names, ", ")));
    }
    int highest = 0;
    while (highest < found->max_level() &&
           found->width(highest + 1) <= kMaxMapPoints / found->height(highest + 1))
      ++highest;
    const auto value = level->value<std::int64_t>();
    if (!level->is_integer() || *value < 0 || *value > highest)
      fail(*level, fmt::format("'level' is not a level of {}; allowed: 0 to {}", name, highest));
    return {*found, static_cast<int>(*value), flag(table, "hidden", false)};
  }
};

}  // namespace

Exercise parse_exercise(std::string_view text, const std::string& file) {
  return ExerciseReader(file).read(parse_toml(text, file, "title, task, starter and [[case]] tables"));
}

std::span<const LimitKey> limit_keys() {
  using enum LimitKind;
  static constexpr std::array<LimitKey, kLimitKinds> kKeys = {{
      {kIdleThreads, "idle_threads", kMaxLimit, true, false},
      {kEmptyBlocks, "empty_blocks", kMaxLimit, true, false},
      {kUtilization, "thread_utilization", 1, false, true},
      {kIdleLanes, "idle_lanes", 1, false, false},
      {kSectorsPerRequest, "sectors_per_request", 32, false, false},
      {kOperators, "operators", kMaxLimit, true, false},
      {kInstructions, "instructions", kMaxLimit, false, false},
      {kDivisions, "divisions", kMaxLimit, false, false},
      {kDivergentBranches, "divergent_branches", kMaxLimit, false, false},
  }};
  return kKeys;
}

std::string limits_text(const ExerciseRequirements& requirements) {
  std::string text;
  for (const LimitKey& key : limit_keys()) {
    const std::optional<double>& limit = requirements.limits[static_cast<std::size_t>(key.kind)];
    if (!limit) continue;
    std::string name(key.name);
    std::ranges::replace(name, '_', ' ');
    text += fmt::format("{}{} at {} ", text.empty() ? "" : ", ", name, key.is_least ? "least" : "most");
    // In per cent, as the counts beside the pictures.
    text += key.highest == 1 ? fmt::format("{:g} %", 100 * *limit) : fmt::format("{}", *limit);
  }
  return text;
}

const std::vector<BundledExercise>& bundled_exercises() {
  static const std::vector<BundledExercise> exercises = [] {
    using namespace exercise_texts;
    std::vector<BundledExercise> path = {
        {"bounding-box", bounding_box_toml, {}},
        {"rows", rows_toml, {}},
        {"lower-half", lower_half_toml, {}},
        {"border", border_toml, {}},
        {"repair", repair_toml, {}},
        {"fold", fold_toml, {}},
        {"cantor", cantor_toml, {}},
        {"lambda-gasket", lambda_gasket_toml, {}},
        {"lambda", lambda_toml, {}},
        {"full-warps", full_warps_toml, {}},
        {"two-axes", two_axes_toml, {}},
        {"high-levels", high_levels_toml, {}},
        {"tiles", tiles_toml, {}},
        {"mixed-radix", mixed_radix_toml, {}},
        {"two-tiles", two_tiles_toml, {}},
        {"neighbours", neighbours_toml, {}},
        {"nu", nu_toml, {}},
        {"halo", halo_toml, {}},
        {"no-divergence", no_divergence_toml, {}},
        {"same-branch", same_branch_toml, {}},
        {"shifts", shifts_toml, {}},
        {"table", table_toml, {}},
        {"fewer-instructions", fewer_instructions_toml, {}},
        {"coalesced", coalesced_toml, {}},
        {"coalesced-tiles", coalesced_tiles_toml, {}},
    };
    for (BundledExercise& one : path) one.title = parse_exercise(one.text, std::string(one.name)).title;
    return path;
  }();
  return exercises;
}

Exercise find_exercise(const std::string& name_or_file) {
  std::vector<std::string_view> names;
  for (const BundledExercise& bundled : bundled_exercises()) {
    names.push_back(bundled.name);
    if (bundled.name != name_or_file) continue;
    Exercise exercise = parse_exercise(bundled.text, fmt::format("{}.toml", name_or_file));
    exercise.name = name_or_file;
    return exercise;
  }
  std::error_code ignored;
  if (!std::filesystem::exists(name_or_file, ignored))
    throw InputError(fmt::format("no exercise and no file '{}'; allowed: {}, or a file", shown(name_or_file),
                                 fmt::join(names, ", ")));
  return parse_exercise(read_input(name_or_file, kMaxBytes, "an exercise in TOML"), name_or_file);
}

}  // namespace loom::app
