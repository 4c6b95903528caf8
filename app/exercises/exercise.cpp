#include "app/exercises/exercise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <limits>

#include "app/files/toml_document.h"
#include "compute/map_code/coverage.h"
#include "compute/map_code/program.h"
#include "compute/geometry/nbb_catalog.h"
#include "exercise_texts.h"

namespace loom::app {
namespace {

constexpr std::uint64_t kMaxBytes = 1 << 20;
constexpr std::size_t kMaxCases = 32;
constexpr std::size_t kMaxHints = 8;
constexpr std::size_t kMaxTitle = 60;
constexpr std::size_t kMaxTask = 4000;
constexpr std::int64_t kMaxLimit = std::int64_t{1} << 40;

class ExerciseReader {
 public:
  explicit ExerciseReader(std::string file) : file_(std::move(file)) {}

  Exercise read(const toml::table& document) const {
    allow(document, {"title", "task", "starter", "solution", "hide_solution", "hints", "require", "case"},
          "an exercise");
    Exercise exercise;
    exercise.title = needed_text(document, "title", kMaxTitle);
    exercise.task = needed_text(document, "task", kMaxTask);
    exercise.starter = needed_text(document, "starter", kMaxMapCode);
    if (document.contains("solution")) exercise.solution = needed_text(document, "solution", kMaxMapCode);
    if (const toml::node* const node = document.get("hide_solution")) {
      if (!node->is_boolean()) fail(*node, "'hide_solution' is not true or false");
      exercise.shows_solution = !*node->value<bool>();
    }
    read_hints(document, exercise);
    if (const toml::node* const node = document.get("require")) {
      if (!node->is_table()) fail(*node, "'require' is not a table");
      read_requirements(*node->as_table(), exercise);
    }
    const toml::array* const cases = document["case"].as_array();
    if (cases == nullptr || cases->empty())
      throw InputError(fmt::format("{}:1: no [[case]] table; allowed: 1 to {}", file_, kMaxCases));
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
  [[noreturn]] void fail(const toml::node& node, const std::string& text) const {
    throw InputError(fmt::format("{}:{}: {}", file_, node.source().begin.line, text));
  }

  void allow(const toml::table& table, std::initializer_list<std::string_view> keys, const char* what) const {
    for (const auto& [key, value] : table) {
      if (std::find(keys.begin(), keys.end(), key.str()) == keys.end())
        fail(value,
             fmt::format("{} has no key '{}'; allowed: {}", what, shown(key.str()), fmt::join(keys, ", ")));
    }
  }

  std::string needed_text(const toml::table& table, std::string_view key, std::size_t most) const {
    const toml::node* const node = table.get(key);
    if (node == nullptr) throw InputError(fmt::format("{}:1: an exercise needs the key '{}'", file_, key));
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

  template <typename Number>
  void read_limit(const toml::table& table, std::string_view key, std::optional<Number>& limit) const {
    const toml::node* const node = table.get(key);
    if (node == nullptr) return;
    const auto value = node->value<std::int64_t>();
    if (!node->is_integer() || *value < 0 || *value > kMaxLimit ||
        static_cast<std::uint64_t>(*value) > std::numeric_limits<Number>::max())
      fail(*node, fmt::format("'{}' is not a whole number from 0 on", key));
    limit = static_cast<Number>(*value);
  }
  void read_limit(const toml::table& table, std::string_view key, double most,
                  std::optional<double>& limit) const {
    const toml::node* const node = table.get(key);
    if (node == nullptr) return;
    const auto value = node->value<double>();
    if (!value || !(*value >= 0 && *value <= most))
      fail(*node, fmt::format("'{}' is not a number from 0 to {}", key, most));
    limit = value;
  }

  void read_requirements(const toml::table& table, Exercise& exercise) const {
    allow(table,
          {"cells", "idle_threads", "empty_blocks", "thread_utilization", "sectors_per_request", "divisions",
           "operators", "efficiency"},
          "'require'");
    ExerciseRequirements& required = exercise.requirements;
    if (const toml::node* const node = table.get("cells")) {
      const auto text = node->value<std::string>();
      if (!text || (*text != "all" && *text != "as-solution"))
        fail(*node, "'cells' is unknown; allowed: \"all\", \"as-solution\"");
      if (*text == "as-solution") required.cells = RequiredCells::kAsSolution;
      if (required.cells == RequiredCells::kAsSolution && exercise.solution.empty())
        fail(*node, "'cells' is \"as-solution\", but there is no 'solution'");
    }
    read_limit(table, "idle_threads", required.max_idle_threads);
    read_limit(table, "empty_blocks", required.max_empty_blocks);
    read_limit(table, "efficiency", 1, required.min_utilization);  // its earlier name
    read_limit(table, "thread_utilization", 1, required.min_utilization);
    read_limit(table, "sectors_per_request", 32, required.max_sectors_per_request);
    read_limit(table, "divisions", required.max_divisions);
    read_limit(table, "operators", required.max_operators);
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
    const toml::node* const hidden = table.get("hidden");
    if (hidden != nullptr && !hidden->is_boolean()) fail(*hidden, "'hidden' is not true or false");
    return {*found, static_cast<int>(*value), hidden != nullptr && *hidden->value<bool>()};
  }

  std::string file_;
};

}  // namespace

Exercise parse_exercise(std::string_view text, const std::string& file) {
  return ExerciseReader(file).read(parse_toml(text, file, "title, task, starter and [[case]] tables"));
}

const std::vector<BundledExercise>& bundled_exercises() {
  static const std::vector<BundledExercise> exercises = {
      {"bounding-box", exercise_texts::bounding_box_toml},
      {"rows", exercise_texts::rows_toml},
      {"lower-half", exercise_texts::lower_half_toml},
      {"lambda-gasket", exercise_texts::lambda_gasket_toml},
      {"lambda", exercise_texts::lambda_toml},
      {"coalesced", exercise_texts::coalesced_toml},
      {"repair", exercise_texts::repair_toml},
  };
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
