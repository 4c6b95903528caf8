#include "app/tasks/learning_progress.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "app/bench/json_document.h"
#include "app/files/state_folder.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr std::uint64_t kMaxProgressBytes = 1 << 20;
constexpr std::size_t kMaxStep = 1000;

std::string format_of(std::string_view what) {
  return fmt::format("fractal-loom {} progress", what);
}

std::optional<std::filesystem::path> progress_file(std::string_view what) {
  const auto folder = state_folder();
  return folder ? std::optional(*folder / fmt::format("{}s.json", what)) : std::nullopt;
}

SolvedSteps read_file(std::string_view what, const std::filesystem::path& file) {
  try {
    const auto text = read_state_file(file, kMaxProgressBytes);
    return text ? read_solved_steps(what, *text) : SolvedSteps{};
  } catch (const InputError&) {
    move_aside(file);
    return {};
  }
}

}  // namespace

std::string progress_text(std::string_view what, const SolvedSteps& solved) {
  nlohmann::ordered_json json{{"format", format_of(what)}, {"solved", nlohmann::ordered_json::object()}};
  for (const auto& [name, steps] : solved) json["solved"][name] = steps;
  return json.dump(1, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

SolvedSteps read_solved_steps(std::string_view what, std::string_view text) {
  const nlohmann::ordered_json json = bench::parse_json(text, {});
  const bool is_one = json.is_object() && json.contains("format") && json["format"] == format_of(what) &&
                      json.contains("solved") && json["solved"].is_object();
  if (!is_one) throw InputError(fmt::format("not the progress of {}s of Fractal Loom", what));
  SolvedSteps solved;
  for (const auto& [name, steps] : json["solved"].items()) {
    if (!steps.is_array()) throw InputError("solved steps are not a list");
    for (const auto& step : steps) {
      if (!step.is_number_unsigned() || step.get<std::uint64_t>() < 1 || step.get<std::uint64_t>() > kMaxStep)
        throw InputError("a step is not a whole number from 1 on");
      solved[name].insert(step.get<std::size_t>());
    }
  }
  return solved;
}

LearningProgress::LearningProgress(std::string what) : what_(std::move(what)) {
  if (const auto file = progress_file(what_)) steps_ = read_file(what_, *file);
}

std::size_t LearningProgress::solved(const std::string& name) const {
  const auto found = steps_.find(name);
  return found == steps_.end() ? 0 : found->second.size();
}

bool LearningProgress::has(const std::string& name, std::size_t step) const {
  const auto found = steps_.find(name);
  return found != steps_.end() && found->second.contains(step);
}

void LearningProgress::add(const std::string& name, std::size_t step) {
  changed_ = steps_[name].insert(step).second || changed_;
}

void LearningProgress::clear() {
  steps_.clear();
  changed_ = replaces_ = true;
}

void LearningProgress::start() {
  const auto file = progress_file(what_);
  changed_ = failed_ = false;
  if (!file) return;
  replacing_ = std::exchange(replaces_, false);
  writing_.start(
      [what = what_, file = *file, steps = steps_, replaces = replacing_](ProgressMonitor&) mutable {
        if (!replaces) {
          for (auto& [name, solved] : read_file(what, file)) steps[name].merge(solved);
        }
        write_state_file(file, progress_text(what, steps));
        return true;
      });
}

std::string LearningProgress::take_outcome(TaskTimeout timeout) {
  const auto outcome = writing_.poll(timeout);
  if (!outcome || outcome->result) return {};
  failed_ = true;
  replaces_ = replaces_ || replacing_;
  return outcome->problem;
}

std::string LearningProgress::update() {
  std::string problem = take_outcome({});
  if (changed_ && !writing_.running()) start();
  return problem;
}

std::string LearningProgress::finish() {
  take_outcome(kNoTimeout);
  if (changed_ || failed_) start();
  return take_outcome(kNoTimeout);
}

}  // namespace loom::app
