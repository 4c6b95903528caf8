#include "app/life/panes/steps_pane.h"

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
  if (!ImGui::BeginCombo("##neighbour", sketch::name_of_neighbour(neighbour).c_str())) return;
  for (int i = 0; i < 8; ++i) {
    if (ImGui::Selectable(sketch::name_of_neighbour(i).c_str(), i == neighbour)) neighbour = i;
  }
  ImGui::EndCombo();
}

}  // namespace

std::optional<teach::CellSquare> StepsPane::show(const char* id, const Area& area, const Explained& explained,
                                                 int& neighbour) {
  if (area.empty()) return std::nullopt;
  begin_pane_window(id, area);
  std::optional<teach::CellSquare> square;
  if (!explained.thread()) {
    note(explained.why_not().empty()
             ? "Hover a cell, thread or byte to see how its tile position is computed. A click pins it."
             : explained.why_not());
    ImGui::End();
    return square;
  }
  const teach::ThreadSpace& threads = *explained.space();
  if (threads.config().method.map == MapKind::kCompact) neighbour_choice(neighbour);
  const Coord64 block = explained.thread()->place.ref.block;
  const float room = std::floor(ImGui::GetContentRegionAvail().x / (kLeastLetters * ImGui::GetFontSize()));
  if (!made_ || made_->config != threads.config() || made_->block != block || made_->neighbour != neighbour ||
      made_->room != room || made_->row != row_) {
    made_.emplace(
        Made{threads.config(), block, neighbour, room, row_,
             sketch::steps_sketch(threads,
                                  {.block = block, .neighbour = neighbour, .width = room, .marked = row_})});
  }
  const sketch::Hot* const hot = show_sketch(made_->steps.sketch);
  if (hot != nullptr && hot->tag >= 0) {
    square = made_->steps.squares[static_cast<std::size_t>(hot->tag)];
    row_ = hot->tag;
  }
  ImGui::End();
  return square;
}

}  // namespace loom::app
