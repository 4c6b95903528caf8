#include <fmt/format.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/omp_wait_policy.h"
#include "app/cli/text_table.h"
#include "app/lessons/bundled.h"
#include "app/program/lesson_check.h"
#include "app/program/report_fields.h"
#include "app/text/json_text.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

struct LessonOptions {
  std::vector<std::string> lessons;
  bool check = false;
  bool list = false;
  bool print = false;
  bool fields = false;
  bool controls = false;
  bool json = false;
};

std::string_view name_of(ReportField::Kind kind) {
  static constexpr std::array<std::string_view, 3> kNames = {"number", "true or false", "text"};
  return kNames[static_cast<std::size_t>(kind)];
}

void print_list(bool as_json) {
  TextTable table({"name", "title", "steps"});
  auto json = nlohmann::ordered_json::array();
  for (const lessons::BundledLesson& one : lessons::bundled_lessons()) {
    const lessons::Lesson lesson = load_lesson(std::string(one.name));
    table.add({lesson.name, lesson.title, std::to_string(lesson.steps.size())});
    json.push_back({{"name", lesson.name},
                    {"title", lesson.title},
                    {"summary", lesson.summary},
                    {"steps", lesson.steps.size()}});
  }
  as_json ? fmt::print("{}\n", json_text(nlohmann::ordered_json{{"lessons", json}}))
          : fmt::print("{}", table.text());
}

void print_fields(bool as_json) {
  TextTable table({"field", "kind", "meaning"});
  auto json = nlohmann::ordered_json::array();
  for (const ReportField& field : report_fields()) {
    table.add({field.name, std::string(name_of(field.kind)), field.meaning});
    json.push_back({{"name", field.name}, {"kind", name_of(field.kind)}, {"meaning", field.meaning}});
  }
  as_json ? fmt::print("{}\n", json_text(nlohmann::ordered_json{{"fields", json}}))
          : fmt::print("{}", table.text());
}

void print_controls(bool as_json) {
  auto json = nlohmann::ordered_json::array();
  for (const Control control : kControls) json.push_back(app::name_of(control));
  if (as_json) {
    fmt::print("{}\n", json_text(nlohmann::ordered_json{{"controls", json}}));
  } else {
    for (const Control control : kControls) fmt::print("{}\n", app::name_of(control));
  }
}

void print_texts(const std::vector<std::string>& names, bool as_json) {
  auto json = nlohmann::ordered_json::array();
  for (const std::string& name : names) {
    load_lesson(name);  // throws for unknown names
    for (const lessons::BundledLesson& one : lessons::bundled_lessons()) {
      if (one.name != name) continue;
      json.push_back({{"name", one.name}, {"text", one.text}});
      if (!as_json) fmt::print("{}", one.text);
    }
  }
  if (as_json) fmt::print("{}\n", json_text(nlohmann::ordered_json{{"lessons", json}}));
}

std::vector<std::string> bundled_names() {
  std::vector<std::string> names;
  for (const lessons::BundledLesson& one : lessons::bundled_lessons()) names.emplace_back(one.name);
  return names;
}

int check(const LessonOptions& options) {
  set_passive_omp_wait();
  auto json = nlohmann::ordered_json::array();
  for (const std::string& name : options.lessons.empty() ? bundled_names() : options.lessons) {
    const lessons::Lesson lesson = load_lesson(name);
    const std::vector<LessonStepResult> steps = check_lesson(lesson);
    auto answers = nlohmann::ordered_json::array();
    if (!options.json) fmt::print("{}: {}, {} steps\n", name, lesson.title, steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      answers.push_back({{"title", steps[i].title}, {"answer", nullptr}});
      if (steps[i].answer.empty()) continue;
      answers.back()["answer"] = steps[i].answer;
      if (!options.json) fmt::print("  {}. {}\n", i + 1, steps[i].answer);
    }
    json.push_back({{"name", name}, {"title", lesson.title}, {"steps", answers}});
  }
  if (options.json) fmt::print("{}\n", json_text(nlohmann::ordered_json{{"lessons", json}}));
  return 0;
}

int lesson(const LessonOptions& options) {
  const int asked = options.check + options.list + options.print + options.fields + options.controls;
  if (asked != 1)
    throw InputError(
        "lesson: only one of these options; allowed: --list, --check, --print, --fields, --controls");
  if (options.list) print_list(options.json);
  if (options.fields) print_fields(options.json);
  if (options.controls) print_controls(options.json);
  if (options.print) print_texts(options.lessons, options.json);
  return options.check ? check(options) : 0;
}

}  // namespace

void add_lesson(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<LessonOptions>();
  CLI::App* command = root.add_subcommand("lesson", "List, check or print lessons; view --lesson plays one");
  command
      ->add_option("lessons", options->lessons,
                   "Names of bundled lessons, or files (all bundled lessons by default)")
      ->type_name("NAME|FILE");
  command->add_flag("--list", options->list, "List the bundled lessons");
  command->add_flag(
      "--check", options->check,
      "Play lessons off screen: every scene loads, every highlight exists, every answer evaluates");
  command->add_flag("--print", options->print, "Print the files of bundled lessons, as templates");
  command->add_flag("--fields", options->fields, "List the fields that expressions may use");
  command->add_flag("--controls", options->controls, "List the controls that a lesson may highlight");
  command->add_flag("--json", options->json, "Print one JSON object and nothing else on standard output");
  command->callback([options, &chosen] { chosen = [options] { return lesson(*options); }; });
}

}  // namespace loom::app
