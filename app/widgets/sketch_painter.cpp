#include "app/widgets/sketch_painter.h"

#include <algorithm>

#include "app/gui/theme.h"

namespace loom::app {
namespace {

struct Painter {
  ImDrawList& list;
  ImVec2 at;
  float em;

  ImVec2 point(float x, float y) const { return {at.x + x * em, at.y + y * em}; }

  void operator()(const sketch::Fill& fill) const {
    const sketch::Box& box = fill.box;
    list.AddRectFilled(point(box.x, box.y), point(box.x + box.width, box.y + box.height),
                       painted(fill.paint));
  }
  void operator()(const sketch::Frame& frame) const {
    const sketch::Box& box = frame.box;
    list.AddRect(point(box.x, box.y), point(box.x + box.width, box.y + box.height), painted(frame.paint), 0,
                 0, std::max(1.0f, frame.thickness * em));
  }
  void operator()(const sketch::Text& text) const {
    ImFont* const font = ImGui::GetIO().Fonts->Fonts[static_cast<int>(text.face)];
    const float size = text.size * em;
    float x = text.x;
    if (text.align != sketch::Align::kLeft) {
      const float width =
          font->CalcTextSizeA(size, 1e9f, 0, text.text.data(), text.text.data() + text.text.size()).x / em;
      x -= text.align == sketch::Align::kRight ? width : width / 2;
    }
    list.AddText(font, size, point(x, text.y), painted(text.paint), text.text.data(),
                 text.text.data() + text.text.size());
  }
};

}  // namespace

ImU32 painted(const sketch::Paint& paint) {
  if (const auto* const data = std::get_if<teach::DataColour>(&paint)) {
    return IM_COL32(data->red, data->green, data->blue, 255);
  }
  if (const auto* const tint = std::get_if<sketch::Tint>(&paint)) {
    const auto dim = [](std::uint8_t part) { return 30 + part * 2 / 5; };
    return IM_COL32(dim(tint->of.red), dim(tint->of.green), dim(tint->of.blue), 255);
  }
  const auto rgba = [](const theme::Rgba& colour) { return ImGui::ColorConvertFloat4ToU32(colour); };
  switch (std::get<sketch::Ink>(paint)) {
    case sketch::Ink::kText:
      return rgba(theme::kText);
    case sketch::Ink::kMuted:
      return rgba(theme::kMuted);
    case sketch::Ink::kAccent:
      return rgba(theme::kAccent);
    case sketch::Ink::kWarning:
      return rgba(theme::kWarning);
    case sketch::Ink::kLine:
      return rgba(theme::kHover);
    case sketch::Ink::kRaised:
      return rgba(theme::kRaised);
    case sketch::Ink::kMark:
      return theme::kHovered;
  }
  return 0;
}

const sketch::Hot* paint_sketch(ImDrawList& list, const sketch::Sketch& sketch, ImVec2 at, float font_size,
                                bool over) {
  const Painter painter{list, at, font_size};
  for (const sketch::Sketch::Shape& shape : sketch.shapes()) std::visit(painter, shape);
  if (!over) return nullptr;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float x = (mouse.x - at.x) / font_size;
  const float y = (mouse.y - at.y) / font_size;
  for (const sketch::Hot& hot : sketch.hots()) {
    const sketch::Box& box = hot.box;
    if (x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height) return &hot;
  }
  return nullptr;
}

}  // namespace loom::app
