#include "app/workspaces/life/picture/thread_path.h"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

constexpr float kArrow = 1.6f;       ///< width of an arrow between two boxes, in font sizes
constexpr float kThickness = 0.16f;  ///< of an arrow over the picture, in font sizes
constexpr float kHead = 0.55f;       ///< its head
constexpr float kEdge = 2;           ///< beside it, so that it is visible on any cell, in pixels

void draw_arrow(ImDrawList& list, glm::vec2 from, glm::vec2 to, float share, ImU32 colour, float thickness,
                float head) {
  const float length = glm::length(to - from);
  if (share <= 0 || length < 1) return;
  const glm::vec2 way = (to - from) / length;
  const glm::vec2 side{-way.y, way.x};
  const glm::vec2 end = glm::mix(from, to, share);
  const glm::vec2 neck = end - way * std::min(head, glm::length(end - from));
  list.AddLine(from, neck, colour, thickness);
  list.AddTriangleFilled(end, neck + side * head * 0.5f, neck - side * head * 0.5f, colour);
}

Text title_of(ThreadPath::Stage stage, const ThreadExplanation::Thread& thread) {
  const explain::ThreadLocation& place = thread.place;
  switch (stage) {
    case ThreadPath::Stage::kOmega:
      return format_text("{} {}", thread.lambda ? "ω" : "tile",
                         format_pair(place.ref.tile.x, place.ref.tile.y));
    case ThreadPath::Stage::kTile:
      return place.has_position ? format_text("tile {}", format_pair(place.place.x, place.place.y))
                                : Text("no tile");
    case ThreadPath::Stage::kCell:
      return format_text("{} {}", place.has_cell ? "cell" : "hole", format_pair(place.cell.x, place.cell.y));
    case ThreadPath::Stage::kByte:
      return place.address ? format_text("byte {}", format_count(*place.address)) : Text("no byte");
  }
  return {};
}

}  // namespace

void ThreadPath::follow(const ThreadExplanation& explanation, bool is_pinned, bool on, double seconds) {
  const std::optional<Coord64> point = explanation.thread() ? explanation.point() : std::nullopt;
  seconds_ = std::min(seconds_ + seconds, kSeconds);
  if (!is_pinned || !point) {
    point_.reset();
    seconds_ = kSeconds;
  } else if (point_ != point) {
    point_ = point;
    seconds_ = on ? 0 : kSeconds;
  }
}

float ThreadPath::share_to(Stage stage) const {
  const auto legs = static_cast<double>(kStages.size() - 1);
  const double done = seconds_ / kSeconds * legs - (static_cast<double>(stage) - 1);
  return static_cast<float>(std::clamp(done, 0.0, 1.0));
}

void ThreadPath::draw(ImDrawList& list, const std::optional<glm::vec2>& launch,
                      const std::optional<glm::vec2>& cell, const std::optional<glm::vec2>& byte) const {
  const float font = ImGui::GetFontSize();
  const auto arrow = [&](const std::optional<glm::vec2>& from, const std::optional<glm::vec2>& to,
                         float share) {
    if (!from || !to) return;
    const bool light = theme::in_force() == Theme::kLight;
    draw_arrow(list, *from, *to, share, theme::overlay(light).edge, kThickness * font + 2 * kEdge,
               kHead * font + 2 * kEdge);
    draw_arrow(list, *from, *to, share, theme::overlay(light).selection, kThickness * font, kHead * font);
  };
  // Over tile and cell in one line, because both are in the picture.
  arrow(launch, cell, (share_to(Stage::kTile) + share_to(Stage::kCell)) / 2);
  arrow(cell ? cell : launch, byte, share_to(Stage::kByte));
}

void thread_path_row(const ThreadPath& path, const ThreadExplanation::Thread& thread) {
  const float font = ImGui::GetFontSize();
  const glm::vec2 padding{theme::grid(2), theme::grid(0.5f)};
  const float height = ImGui::GetTextLineHeight() + 2 * padding.y;
  const glm::vec2 start = ImGui::GetCursorScreenPos();
  const float right = start.x + ImGui::GetContentRegionAvail().x;
  const theme::Colours& colours = theme::colours();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  glm::vec2 at = start;
  for (const ThreadPath::Stage stage : ThreadPath::kStages) {
    // The bounding box has no index besides the position.
    if (stage == ThreadPath::Stage::kTile && !thread.lambda) continue;
    const Text words = title_of(stage, thread);
    const float width = text_width(words) + 2 * padding.x;
    const float share = path.share_to(stage);
    if (stage != ThreadPath::Stage::kOmega) {
      if (at.x + kArrow * font + width > right && at.x > start.x)
        at = {start.x, at.y + height + padding.y * 2};
      const glm::vec2 from{at.x + 0.2f * font, at.y + height / 2};
      draw_arrow(list, from, from + glm::vec2((kArrow - 0.4f) * font, 0), share,
                 ImGui::GetColorU32(colours.selection), kThickness * font, kHead * font);
      at.x += kArrow * font;
    }
    const bool reached = stage == ThreadPath::Stage::kOmega || share >= 1;
    list.AddRectFilled(at, at + glm::vec2(width, height), ImGui::GetColorU32(colours.raised), 0.25f * font);
    if (reached)
      list.AddRect(at, at + glm::vec2(width, height), ImGui::GetColorU32(colours.selection), 0.25f * font, 0,
                   1.5f);
    list.AddText(at + padding, ImGui::GetColorU32(reached ? colours.text : colours.muted), words.c_str());
    at.x += width;
  }
  ImGui::Dummy({right - start.x, at.y + height - start.y});
}

}  // namespace loom::app
