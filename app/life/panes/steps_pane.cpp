#include "app/life/panes/steps_pane.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/gui/theme.h"
#include "app/widgets/choice.h"
#include "app/widgets/sketch_painter.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

constexpr float kLeastSize = 0.72f;  ///< of the window's letters: smaller ones are not read from the back row

void neighbour_choice(int& neighbour) {
  ImGui::TextUnformatted("ν of the neighbour");
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
  ImGui::SetNextWindowPos({area.x, area.y});
  ImGui::SetNextWindowSize({area.width, area.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PopStyleVar();
  std::optional<teach::CellSquare> square;
  if (!explained.thread()) {
    note(explained.why_not().empty() ? "Hover a cell, a thread or a byte: how its block's place is computed "
                                       "stands here. A click pins it."
                                     : explained.why_not());
    ImGui::End();
    return square;
  }
  const teach::ThreadSpace& threads = *explained.space();
  if (threads.config().method.map == MapKind::kCompact) neighbour_choice(neighbour);
  const Coord64 block = explained.thread()->place.ref.block;
  const float room = std::floor(ImGui::GetContentRegionAvail().x / (kLeastSize * ImGui::GetFontSize()));
  if (!made_ || made_->config != threads.config() || made_->block != block || made_->neighbour != neighbour ||
      made_->room != room || made_->row != row_) {
    made_.emplace(
        Made{threads.config(), block, neighbour, room, row_,
             sketch::steps_sketch(threads,
                                  {.block = block, .neighbour = neighbour, .width = room, .marked = row_})});
  }
  const sketch::Sketch& drawing = made_->steps.sketch;
  const float font = ImGui::GetFontSize();
  const float fitting = ImGui::GetContentRegionAvail().x / std::max(drawing.width() + 0.5f, 1.0f);
  const float size = std::clamp(fitting, kLeastSize * font, font);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({drawing.width() * size, drawing.height() * size});
  const sketch::Hot* const hot =
      paint_sketch(*ImGui::GetWindowDrawList(), drawing, at, size, ImGui::IsWindowHovered());
  if (hot != nullptr) {
    if (!hot->tip.empty()) {
      ImGui::BeginTooltip();
      wrapped(hot->tip, font * 24);
      ImGui::EndTooltip();
    }
    if (hot->tag >= 0) {
      square = made_->steps.squares[static_cast<std::size_t>(hot->tag)];
      row_ = hot->tag;
    }
  }
  ImGui::End();
  return square;
}

}  // namespace loom::app
