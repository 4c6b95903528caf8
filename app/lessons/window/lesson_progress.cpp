#include "app/lessons/window/lesson_progress.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "app/bench/json_document.h"
#include "app/files/state_folder.h"
#include "compute/core/error.h"

namespace loom::app::lessons {
namespace {

constexpr const char* kFormat = "fractal-loom lesson progress";
constexpr std::uint64_t kMaxBytes = 1 << 20;
constexpr std::size_t kMaxStep = 1000;

std::optional<std::filesystem::path> progress_file() {
  const auto folder = state_folder();
  return folder ? std::optional(*folder / "lessons.json") : std::nullopt;
}

SolvedSteps read_file(const std::filesystem::path& file) {
  try {
    const auto text = read_state_file(file, kMaxBytes);
    return text ? read_solved_steps(*text) : SolvedSteps{};
  } catch (const InputError&) {
    move_aside(file);
    return {};
  }
}

}  // namespace

std::string progress_text(const SolvedSteps& solved) {
  nlohmann::ordered_json json{{"format", kFormat}, {"solved", nlohmann::ordered_json::object()}};
  for (const auto& [lesson, steps] : solved) json["solved"][lesson] = steps;
  return json.dump(1, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

SolvedSteps read_solved_steps(std::string_view text) {
  const nlohmann::ordered_json json = bench::parse_json(text, {});
  const bool is_one = json.is_object() && json.contains("format") && json["format"] == kFormat &&
                      json.contains("solved") && json["solved"].is_object();
  if (!is_one) throw InputError("not the progress of lessons of Fractal Loom");
  SolvedSteps solved;
  for (const auto& [lesson, steps] : json["solved"].items()) {
    if (!steps.is_array()) throw InputError("the steps of a lesson are not a list");
    for (const auto& step : steps) {
      if (!step.is_number_unsigned() || step.get<std::uint64_t>() < 1 || step.get<std::uint64_t>() > kMaxStep)
        throw InputError("a step is not a whole number from 1 on");
      solved[lesson].insert(step.get<std::size_t>());
    }
  }
  return solved;
}

LessonProgress::LessonProgress() {
  if (const auto file = progress_file()) steps_ = read_file(*file);
}

std::size_t LessonProgress::solved(const std::string& lesson) const {
  const auto found = steps_.find(lesson);
  return found == steps_.end() ? 0 : found->second.size();
}

void LessonProgress::add(const std::string& lesson, std::size_t step) {
  changed_ = steps_[lesson].insert(step).second || changed_;
}

void LessonProgress::clear() {
  steps_.clear();
  changed_ = replaces_ = true;
}

void LessonProgress::start() {
  const auto file = progress_file();
  changed_ = failed_ = false;
  if (!file) return;
  replacing_ = std::exchange(replaces_, false);
  writing_.start([file = *file, steps = steps_, replaces = replacing_](ProgressMonitor&) mutable {
    if (!replaces) {
      for (auto& [lesson, solved] : read_file(file)) steps[lesson].merge(solved);
    }
    write_state_file(file, progress_text(steps));
    return true;
  });
}

std::string LessonProgress::take_outcome(TaskTimeout timeout) {
  const auto outcome = writing_.poll(timeout);
  if (!outcome || outcome->result) return {};
  failed_ = true;
  replaces_ = replaces_ || replacing_;
  return outcome->problem;
}

std::string LessonProgress::update() {
  std::string problem = take_outcome({});
  if (changed_ && !writing_.running()) start();
  return problem;
}

std::string LessonProgress::finish() {
  take_outcome(kNoTimeout);
  if (changed_ || failed_) start();
  return take_outcome(kNoTimeout);
}

}  // namespace loom::app::lessons
