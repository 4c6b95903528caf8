#include "app/widgets/picture_legend.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/widgets/chip.h"
#include "app/widgets/choice.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/fixed_window.h"
#include "app/widgets/item_area.h"

namespace loom::app {
namespace {

constexpr float kMinPictureSide = 8;   // font sizes
constexpr float kMargin = 0.5f;        // font sizes
constexpr float kMostCovered = 0.15f;  // fraction of the picture that it covers unless the user unfolds it
constexpr ImGuiWindowFlags kOverPicture = ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollWithMouse;

}  // namespace

Area least_covered_corner(const Area& picture, glm::vec2 size, float margin, const PictureWeight& weight) {
  constexpr int kSamples = 6;  // per axis
  const glm::vec2 low = picture.corner + margin;
  const glm::vec2 high = picture.end() - margin - size;
  const std::array<glm::vec2, 4> corners = {glm::vec2{low.x, high.y}, high, glm::vec2{high.x, low.y}, low};
  Area best;
  float least = -1;
  for (const glm::vec2 corner : corners) {
    float covered = 0;
    for (int y = 0; y < kSamples; ++y) {
      for (int x = 0; x < kSamples; ++x)
        covered += weight(corner + size * ((glm::vec2(x, y) + 0.5f) / static_cast<float>(kSamples)));
    }
    if (least >= 0 && covered >= least) continue;
    least = covered;
    best = {corner, size};
  }
  return best;
}

void PictureLegend::button(glm::vec2 corner, glm::vec2 size, bool folded, bool marked) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  begin_bar("##fold legend", {corner, size}, kOverPicture);
  ImGui::PopStyleVar();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {chip_padding(), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, ImGui::GetFontSize());
  if (ImGui::Button(folded ? "▸ Legend" : "▾ Legend", size)) chosen_ = !folded;
  button_ = item_area();
  if (marked) mark_item(Control::kLegend);
  tooltip(folded ? "Shows what colours and marks mean" : "Folds the legend");
  ImGui::PopStyleVar(2);
  ImGui::End();
}

bool PictureLegend::begin(const Area& picture, const PictureWeight& weight) {
  area_ = button_ = {};
  const float font = ImGui::GetFontSize();
  if (std::min(picture.size.x, picture.size.y) < kMinPictureSide * font) return false;
  if (should_unfold(Control::kLegend)) chosen_ = false;
  const float line = std::floor(ImGui::GetTextLineHeight() + chip_gap());
  const glm::vec2 button_size{std::ceil(ImGui::CalcTextSize("▾ Legend").x + 2 * chip_padding()), line};
  const glm::vec2 whole{std::max(size_.x, button_size.x), size_.y + line};
  const float margin = std::floor(kMargin * font);
  const bool fits = whole.x + 2 * margin <= picture.size.x && whole.y + 2 * margin <= picture.size.y;
  const bool is_large = !fits || whole.x * whole.y > kMostCovered * picture.size.x * picture.size.y;
  folded_ = chosen_.value_or(is_large) || !fits;
  // Folded by the user, the button stays at its place.
  const Area box = least_covered_corner(picture, folded_ && is_large ? button_size : whole, margin, weight);
  const bool below = box.centre().y > picture.centre().y;
  button({box.corner.x, below ? box.end().y - line : box.corner.y}, button_size, folded_, !fits);
  // Its size is unknown before it was drawn once.
  if (folded_ && size_.x > 0) return false;
  ImGui::SetNextWindowPos({box.corner.x, below ? box.corner.y : box.corner.y + line});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, std::floor(chip_gap() / 2)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x, chip_gap()});
  ImGui::Begin("##legend", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs | kOverPicture);
  mark_window(Control::kLegend);
  return true;
}

void PictureLegend::end() {
  area_ = {ImGui::GetWindowPos(), ImGui::GetWindowSize()};
  size_ = area_.size;
  ImGui::End();
  ImGui::PopStyleVar(2);
}

nlohmann::ordered_json PictureLegend::state() const {
  return {{"folded", folded_}, {"area", numbers_of(area_)}, {"button", numbers_of(button_)}};
}

}  // namespace loom::app
