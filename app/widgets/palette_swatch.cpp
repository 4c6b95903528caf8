#include "app/widgets/palette_swatch.h"

#include <algorithm>

#include "app/gui/theme.h"

namespace loom::app {
namespace {

// In font sizes.
constexpr float kRamp = 3;
constexpr float kSwatch = 0.7f;

}  // namespace

void draw_palette(ImDrawList& list, const render::Palette& palette, glm::vec2 corner, glm::vec2 size) {
  draw_colours(list, palette.ramp, corner, size);
}

void draw_colours(ImDrawList& list, const std::array<glm::u8vec3, 256>& colours, glm::vec2 corner,
                  glm::vec2 size) {
  constexpr int kSteps = 64;
  const float step = size.x / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const ImU32 left = theme::packed(colours[static_cast<std::size_t>(i * 255 / kSteps)]);
    const ImU32 right = theme::packed(colours[static_cast<std::size_t>((i + 1) * 255 / kSteps)]);
    const float x = corner.x + step * static_cast<float>(i);
    list.AddRectFilledMultiColor({x, corner.y}, {x + step, corner.y + size.y}, left, right, right, left);
  }
}

void palette_legend(const render::Palette& palette) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = ImGui::GetFontSize() * kSwatch;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float text_y = (ImGui::GetTextLineHeight() - height) / 2;
  const auto swatch = [&](ImU32 colour) {
    const glm::vec2 at = ImGui::GetCursorScreenPos();
    list.AddRectFilled({at.x, at.y + text_y}, {at.x + height, at.y + text_y + height}, colour);
    list.AddRect({at.x, at.y + text_y}, {at.x + height, at.y + text_y + height},
                 ImGui::GetColorU32(ImGuiCol_Border));
    ImGui::Dummy({height, ImGui::GetTextLineHeight()});
    ImGui::SameLine(0, gap);
  };
  swatch(theme::packed(palette.hole));
  ImGui::TextUnformatted("hole");
  ImGui::SameLine(0, gap * 2);
  ImGui::TextUnformatted("dead");
  ImGui::SameLine(0, gap);
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const float ramp = ImGui::GetFontSize() * kRamp;
  draw_palette(list, palette, {at.x, at.y + text_y}, {ramp, height});
  ImGui::Dummy({ramp, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, gap);
  ImGui::TextUnformatted("alive");
}

}  // namespace loom::app
