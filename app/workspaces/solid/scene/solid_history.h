#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/engine/progress_monitor.h"
#include "compute/solid/solid_engine.h"

namespace loom::app {

/// Edits of cells, and then generations of one rule. The cells of a scene are those of its random start after
/// a list of these.
struct SolidRun {
  SolidRule rule;
  std::uint64_t generations = 0;
  std::vector<SolidEdit> edits = {};
  friend bool operator==(const SolidRun&, const SolidRun&) = default;
};
using SolidHistory = std::vector<SolidRun>;

/// Adds generations of a rule, or edits, to the history of the cells.
void add_run(SolidHistory& history, SolidRule rule, std::uint64_t generations);
void add_edits(SolidHistory& history, std::span<const SolidEdit> edits);
std::uint64_t generations_of(const SolidHistory& history);

/// Computes the history from the engine's cells. Throws OperationCancelled.
void replay(SolidEngine& engine, const SolidHistory& history, ProgressMonitor* monitor);

}  // namespace loom::app
