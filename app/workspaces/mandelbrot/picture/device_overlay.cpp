#include "app/workspaces/mandelbrot/picture/device_overlay.h"

#include "app/explain/data_colour.h"
#include "app/gui/theme.h"

namespace loom::app {
namespace {

constexpr int kTint = 70;  ///< translucent, so that the set remains visible

ImU32 colour_with(std::size_t device, std::uint8_t alpha) {
  return theme::packed(explain::data_colour({explain::ColourKey::Kind::kNumber, device, 0}), alpha);
}

}  // namespace

ImU32 colour_of_device(std::size_t device) {
  return colour_with(device, 255);
}

void draw_devices(ImDrawList& list, const Area& area, float scale, std::span<const DwellPartition> parts) {
  // Full colour at the left edge, because the tint mixes with the picture's colours.
  const float edge = ImGui::GetFontSize() * 0.4f;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const RowRange& rows : parts[i].rows) {
      const glm::vec2 low{area.corner.x, area.corner.y + static_cast<float>(rows.first) / scale};
      const glm::vec2 high{area.end().x, area.corner.y + static_cast<float>(rows.end) / scale};
      list.AddRectFilled(low, high, colour_with(i, kTint));
      list.AddRectFilled(low, {low.x + edge, high.y}, colour_of_device(i));
    }
  }
}

}  // namespace loom::app
