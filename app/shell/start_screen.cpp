#include "app/shell/start_screen.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/gui/theme.h"
#include "app/widgets/choice.h"
#include "app/widgets/item_area.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

// In font sizes.
constexpr float kCardWidth = 15;
constexpr float kMinCardHeight = 9.5f;  ///< of cards in a row
constexpr float kPadding = 1;
constexpr float kTitleSize = 1.8f;  ///< distance from a card's title to its text

std::string lines_of(const StartCard& card, float width) {
  return break_into_lines(card.text, width - 2 * kPadding * ImGui::GetFontSize(), text_width);
}

/// Height required by the whole text of a card.
float height_of(const StartCard& card, float width) {
  return ImGui::CalcTextSize(lines_of(card, width).c_str()).y +
         (1.4f * kPadding + kTitleSize) * ImGui::GetFontSize();
}

bool card(const StartCard& one, std::size_t number, glm::vec2 size, Area& place) {
  const float font = ImGui::GetFontSize();
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(static_cast<int>(number));
  const bool chosen = ImGui::InvisibleButton("##card", size);
  ImGui::PopID();
  place = item_area();
  const bool over = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const glm::vec2 end = at + size;
  list.AddRectFilled(at, end, ImGui::GetColorU32(over ? theme::colours().hover : theme::colours().raised),
                     font * 0.4f);
  list.AddRect(at, end, ImGui::GetColorU32(over ? theme::colours().accent : theme::colours().hover),
               font * 0.4f, 0, 2);
  ImFont* const bold = ImGui::GetIO().Fonts->Fonts[1];
  const float pad = kPadding * font;
  const std::string title = std::to_string(number + 1) + "  " + one.title;
  list.AddText(bold, font * 1.3f, {at.x + pad, at.y + pad * 0.7f},
               ImGui::GetColorU32(theme::colours().accent), title.c_str());
  list.AddText({at.x + pad, at.y + pad * 0.7f + font * kTitleSize}, ImGui::GetColorU32(theme::colours().text),
               lines_of(one, size.x).c_str());
  return chosen;
}

}  // namespace

void start_screen(const Area& area, const std::vector<StartCard>& cards, ShellEdit& edit, bool& shown,
                  std::vector<Area>& areas) {
  areas.clear();
  if (!shown || area.empty() || cards.empty()) return;
  const float font = ImGui::GetFontSize();
  const auto count = static_cast<float>(cards.size());
  const ImGuiStyle& style = ImGui::GetStyle();
  const float gap = style.ItemSpacing.x;
  const float padding = 2 * style.WindowPadding.x;
  const bool in_a_row = area.size.x >= count * kCardWidth * font * 0.8f + padding + font;
  const float room = area.size.x - font - padding;
  const float width =
      in_a_row ? std::min(kCardWidth * font, (room - (count - 1) * gap) / count) : std::max(room, 1.0f);
  float highest = kMinCardHeight * font;
  for (const StartCard& one : cards) highest = std::max(highest, height_of(one, width));
  ImGui::SetNextWindowPos(area.centre(), ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSizeConstraints({1, 1}, area.size);
  ImGui::SetNextWindowFocus();
  ImGui::Begin("Welcome to Fractal Loom", &shown,
               ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoNav);
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (in_a_row && i > 0) ImGui::SameLine();
    Area& place = areas.emplace_back();
    if (!card(cards[i], i, {width, in_a_row ? highest : height_of(cards[i], width)}, place)) continue;
    cards[i].choose(edit);
    shown = false;
  }
  note("Esc closes this screen, Home opens it again. ? lists the keys.");
  ImGui::End();
}

}  // namespace loom::app
