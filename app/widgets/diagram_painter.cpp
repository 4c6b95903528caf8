#include "app/widgets/diagram_painter.h"

#include <algorithm>

#include "app/gui/theme.h"

namespace loom::app {
namespace {

struct Painter {
  ImDrawList& list;
  ImVec2 at;
  float em;

  ImVec2 point(float x, float y) const { return {at.x + x * em, at.y + y * em}; }

  void operator()(const diagram::Fill& fill) const {
    const diagram::Box& box = fill.box;
    list.AddRectFilled(point(box.x, box.y), point(box.x + box.width, box.y + box.height),
                       colour_of_role(fill.paint));
  }
  void operator()(const diagram::Frame& frame) const {
    const diagram::Box& box = frame.box;
    list.AddRect(point(box.x, box.y), point(box.x + box.width, box.y + box.height),
                 colour_of_role(frame.paint), 0, 0, std::max(1.0f, frame.thickness * em));
  }
  void operator()(const diagram::Text& text) const {
    ImFont* const font = ImGui::GetIO().Fonts->Fonts[static_cast<int>(text.face)];
    const float size = text.size * em;
    float x = text.x;
    if (text.align != diagram::Align::kLeft) {
      const float width =
          font->CalcTextSizeA(size, 1e9f, 0, text.text.data(), text.text.data() + text.text.size()).x / em;
      x -= text.align == diagram::Align::kRight ? width : width / 2;
    }
    list.AddText(font, size, point(x, text.y), colour_of_role(text.paint), text.text.data(),
                 text.text.data() + text.text.size());
  }
};

}  // namespace

ImU32 colour_of_role(const diagram::Paint& paint) {
  if (const auto* const data = std::get_if<explain::DataColour>(&paint)) {
    return IM_COL32(data->red, data->green, data->blue, 255);
  }
  if (const auto* const tint = std::get_if<diagram::Tint>(&paint)) {
    const auto dim = [](std::uint8_t part) { return 30 + part * 2 / 5; };
    return IM_COL32(dim(tint->of.red), dim(tint->of.green), dim(tint->of.blue), 255);
  }
  const auto rgba = [](const theme::Rgba& colour) { return ImGui::ColorConvertFloat4ToU32(colour); };
  switch (std::get<diagram::ColourRole>(paint)) {
    case diagram::ColourRole::kText:
      return rgba(theme::kText);
    case diagram::ColourRole::kMuted:
      return rgba(theme::kMuted);
    case diagram::ColourRole::kAccent:
      return rgba(theme::kAccent);
    case diagram::ColourRole::kWarning:
      return rgba(theme::kWarning);
    case diagram::ColourRole::kLine:
      return rgba(theme::kHover);
    case diagram::ColourRole::kRaised:
      return rgba(theme::kRaised);
    case diagram::ColourRole::kMark:
      return theme::kHovered;
  }
  return 0;
}

const diagram::Hotspot* paint_diagram(ImDrawList& list, const diagram::Diagram& diagram, ImVec2 at,
                                      float font_size, bool over) {
  const Painter painter{list, at, font_size};
  for (const diagram::Diagram::Shape& shape : diagram.shapes()) std::visit(painter, shape);
  if (!over) return nullptr;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float x = (mouse.x - at.x) / font_size;
  const float y = (mouse.y - at.y) / font_size;
  for (const diagram::Hotspot& hotspot : diagram.hotspots()) {
    const diagram::Box& box = hotspot.box;
    if (x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height) return &hotspot;
  }
  return nullptr;
}

}  // namespace loom::app
