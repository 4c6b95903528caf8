#pragma once

#include <nlohmann/json.hpp>

#include "app/shell/application.h"

namespace loom::app {

/// What the program is doing: fractal, level, map, block, backend, generation, playing, population, hash,
/// camera, text size, picture size. Counts all cells for the population and hash.
nlohmann::ordered_json state_json(const Application& application);

/// The timing overlay's figures: {"stages": {"step": {"median": ms, "p95": ms}, ...}, "fps": ...}; null where
/// a stage has no samples.
nlohmann::ordered_json timing_json(const Application& application);

/// The same as an aligned table for a terminal.
std::string timing_table(const Application& application);

}  // namespace loom::app
