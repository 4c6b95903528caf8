#include "app/workspaces/life/panes/steps_pane.h"

#include <imgui.h>

#include <cmath>

#include "app/widgets/choice.h"
#include "app/widgets/pane_window.h"

namespace loom::app {
namespace {

void neighbour_choice(int& neighbour) {
  ImGui::TextUnformatted("ν of neighbour");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 9);
  if (!ImGui::BeginCombo("##neighbour", diagram::neighbour_name(neighbour).c_str())) return;
  for (int i = 0; i < 8; ++i) {
    if (ImGui::Selectable(diagram::neighbour_name(i).c_str(), i == neighbour)) neighbour = i;
  }
  ImGui::EndCombo();
}

}  // namespace

void StepsPane::show(const char* id, const PaneSubject& subject, PaneResponse& response) {
  if (area_.empty()) return;
  const ThreadExplanation& explanation = subject.explanation;
  int& neighbour = response.neighbour;
  begin_pane_window(id, area_);
  if (!explanation.thread()) {
    note(explanation.problem().empty()
             ? "Hover a cell, thread or byte to see how its tile position is computed. A click pins it."
             : explanation.problem());
    return ImGui::End();
  }
  const explain::ThreadSpace& threads = *explanation.space();
  if (threads.config().method.map == MapKind::kCompact) neighbour_choice(neighbour);
  const Coord64 tile = explanation.thread()->place.ref.tile;
  const float room = std::floor(ImGui::GetContentRegionAvail().x / (kMinTextSize * ImGui::GetFontSize()));
  if (!cached_ || cached_->config != threads.config() || cached_->tile != tile ||
      cached_->neighbour != neighbour || cached_->room != room || cached_->row != row_) {
    cached_.emplace(
        Cached{threads.config(), tile, neighbour, room, row_,
               diagram::steps_diagram(
                   threads, {.tile = tile, .neighbour = neighbour, .width = room, .marked = row_})});
  }
  const diagram::Hotspot* const hotspot = show_diagram(cached_->steps.diagram);
  if (hotspot != nullptr && hotspot->tag >= 0) {
    response.square = cached_->steps.squares[static_cast<std::size_t>(hotspot->tag)];
    row_ = hotspot->tag;
  }
  ImGui::End();
}

}  // namespace loom::app
