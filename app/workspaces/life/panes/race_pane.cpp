#include "app/workspaces/life/panes/race_pane.h"

#include <imgui.h>

#include <nlohmann/json.hpp>

#include "app/plot/diagram_file.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/pane_window.h"
#include "app/workspaces/life/scene/map_colours.h"

namespace loom::app {

void RacePane::start(const PaneSubject& subject) {
  started_ = true;
  fractal_ = subject.method.config.fractal.name();
  diagram_ = {};
  table_.clear();
  race_.start(subject.method.config,
              {.backend = first_device(subject.backend), .start = {}, .work = subject.work});
}

void RacePane::show(const char* id, const PaneSubject& subject, PaneResponse&) {
  if (area_.empty()) return;
  if (!started_) start(subject);
  begin_pane_window(id, area_);
  const float width = content_width_in_fonts(area_);
  if (race_.poll() || width != width_) {
    width_ = width;
    std::vector<diagram::MetricColumn> columns;
    for (const MapKind map : kMapKinds)
      columns.push_back({capitalized(label_of(map)), glm::u8vec3(glm::vec3(colour_of(map)) * 255.0f)});
    diagram_ = diagram::race_diagram(race_.levels(), columns, width_);
    table_ = plot::tables_as_csv(diagram_);
  }
  if (race_.running()) {
    if (ImGui::SmallButton("Cancel race")) race_.cancel();
    tooltip("Ends the race; the levels so far stay");
  } else {
    if (ImGui::SmallButton("Race again")) start(subject);
    tooltip("Measures the three maps from level 4 on");
  }
  ImGui::SameLine();
  if (ImGui::SmallButton("Copy table")) ImGui::SetClipboardText(table_.c_str());
  tooltip("Copies the results as CSV");
  const Text words = format_text(
      "{}: step time after a warm-up, and memory of both generations; limit {} ms. Steps below {} ms are too "
      "small to compare",
      fractal_, MapRace::kLimitMs, format_ms(kMinComparedMs));
  note(words);
  if (!race_.problem().empty()) warning(race_.problem());
  show_diagram(diagram_, 1);
  ImGui::End();
}

Progress RacePane::progress() const {
  if (!race_.running()) return {};
  return {"racing the maps", -1};
}

void RacePane::add_state(nlohmann::ordered_json& json, const ThreadExplanation&) const {
  auto& race = json["race"];
  race = {{"running", race_.running()}, {"problem", race_.problem()}, {"width", diagram_.size().x}};
  race["levels"] = nlohmann::ordered_json::array();
  for (const diagram::RaceLevel& level : race_.levels()) {
    nlohmann::ordered_json row{{"level", level.level}, {"maps", nlohmann::ordered_json::array()}};
    for (const auto& one : level.maps) {
      if (!one) continue;
      row["maps"].push_back({{"ms", one->ms ? nlohmann::ordered_json(*one->ms) : nullptr},
                             {"bytes", one->bytes},
                             {"out", one->out}});
    }
    row["winner"] = level.winner() ? nlohmann::ordered_json(*level.winner()) : nullptr;
    race["levels"].push_back(std::move(row));
  }
}

}  // namespace loom::app
