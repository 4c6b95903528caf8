#pragma once

#include "app/report/report_value.h"

namespace loom {
struct Census;
struct MapResult;
}

namespace loom::app {

class Pane;
class ThreadExplanation;
class TileGrid;
struct LifeSettings;
struct PaneAgreement;

// The parts of the state report that lessons use. A value is a row of one of the tables in life_report.cpp.

/// The scene, as the report reads it.
struct LifeScene {
  const Pane& pane;  ///< the active one
  const LifeSettings& settings;
  const Census* census = nullptr;  ///< of the current generation; null if it was not counted
  bool code_passed = false;        ///< the code of the custom map passes its exercise
};
void add_scene(nlohmann::ordered_json& json, const LifeScene& scene);
/// A secondary pane with cells.
void add_pane(nlohmann::ordered_json& json, const Pane& pane);
/// Its comparison with the scene.
void add_agreement(nlohmann::ordered_json& json, const PaneAgreement& agreement);
/// The explained thread as numbers: its position, the steps of lambda, and the memory accesses of its warp.
/// Null if no thread is explained.
nlohmann::ordered_json thread_numbers(const ThreadExplanation& explanation, const TileGrid& space);

/// What the custom map did, counted by the interpreter; null: nothing, its values are null.
void add_code_counts(nlohmann::ordered_json& json, const MapResult* ran);

/// The members of the report that these functions write.
void add_life_fields(ReportFields& fields);

}  // namespace loom::app
