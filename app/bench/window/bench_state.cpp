#include "app/bench/window/bench_state.h"

#include <nlohmann/json.hpp>

namespace loom::app {

nlohmann::ordered_json bench_state(const BenchPanelState& panel, const BenchSession& session, bool shown) {
  auto json = nlohmann::ordered_json::object();
  json["shown"] = shown;
  json["status"] = "none";
  if (const bench::SweepRunner* runner = session.runner()) {
    json["status"] = name_of(runner->status());
    json["planned"] = runner->results().planned;
    if (const auto& shards = runner->results().shards) json["shards"] = to_string(*shards);
    json["done"] = runner->done();
    json["skipped"] = runner->skipped();
  }
  json["scene_held"] = session.pauses_scene();
  json["preset"] = session.form.preset;
  json["configurations"] = session.form.cases;
  json["problems"] = nlohmann::ordered_json::array();
  for (const std::string& problem : session.form.problems) {
    if (!problem.empty()) json["problems"].push_back(problem);
  }
  json["places"] = nlohmann::ordered_json::object();
  for (const auto& [name, area] : panel.areas) json["places"][name] = numbers_of(area);
  json["last_point"] = nullptr;
  if (panel.last_point) json["last_point"] = {panel.last_point->x, panel.last_point->y};
  json["save_problems"] = {panel.results.problem, panel.figure.problem};
  json["saved"] = {panel.results.saved, panel.figure.saved};
  json["to_open"] = panel.opened.file;
  json["opened"] = {panel.opened.saved, panel.opened.problem, session.cannot_continue_reason()};
  return json;
}

}  // namespace loom::app
