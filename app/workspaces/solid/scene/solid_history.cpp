#include "app/workspaces/solid/scene/solid_history.h"

#include <algorithm>

namespace loom::app {

void add_run(SolidHistory& history, SolidRule rule, std::uint64_t generations) {
  if (generations == 0) return;
  const bool only_edits = !history.empty() && history.back().generations == 0;
  if (only_edits) history.back().rule = rule;
  if (history.empty() || history.back().rule != rule) history.push_back({rule, 0});
  history.back().generations += generations;
}

void add_edits(SolidHistory& history, std::span<const SolidEdit> edits) {
  if (edits.empty()) return;
  if (history.empty() || history.back().generations > 0) history.emplace_back();
  history.back().edits.insert(history.back().edits.end(), edits.begin(), edits.end());
}

std::uint64_t generations_of(const SolidHistory& history) {
  std::uint64_t generations = 0;
  for (const SolidRun& run : history) generations += run.generations;
  return generations;
}

void replay(SolidEngine& engine, const SolidHistory& history, ProgressMonitor* monitor) {
  constexpr std::uint64_t kAtATime = 64;
  for (const SolidRun& run : history) {
    engine.edit(run.edits);
    for (std::uint64_t left = run.generations; left > 0;) {
      const auto times = static_cast<std::uint32_t>(std::min(left, kAtATime));
      engine.run(times, {.rule = run.rule});
      check_cancel(monitor);
      left -= times;
    }
  }
}

}  // namespace loom::app
