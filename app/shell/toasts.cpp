#include "app/shell/toasts.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>

#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/text.h"
#include "compute/core/input_text.h"

namespace loom::app {
namespace {

struct Look {
  glm::vec4 colour{0};
  const char* word;  ///< shown first, because colour must not be the only cue; what went well needs none
};

Look look_of(MessageKind kind) {
  const theme::Colours& colours = theme::colours();
  return value_for<MessageKind::kError>(
      {Look{colours.success, ""}, Look{colours.warning, "Warning"}, Look{colours.error, "Error"}}, kind);
}

/// Places over the picture: fractions of its width and height.
constexpr std::array kSpots = {glm::vec2{0.5f, 1}, glm::vec2{1, 0}, glm::vec2{0, 0}, glm::vec2{1, 1},
                               glm::vec2{0, 1}};

/// Draws a message box at a spot, with its upper or lower edge at `edge`. Returns its area. `open` becomes
/// false when the box is closed.
Area draw_toast(const char* id, const Message& message, const Area& picture, const glm::vec2& spot,
                float edge, bool* open) {
  const float font = ImGui::GetFontSize();
  const Look look = look_of(message.kind);
  const ImGuiStyle& style = ImGui::GetStyle();
  // A short message is one line as wide as its text, so that it covers little of the picture.
  const bool has_word = *look.word != '\0';
  const float line = (has_word ? text_width(look.word) + style.ItemSpacing.x : 0) + text_width(message.text) +
                     2 * style.WindowPadding.x + 2;
  const float most = std::min(picture.size.x - font, font * 44);
  const bool in_one_line = line <= most && message.text.find('\n') == std::string::npos;
  const float width = in_one_line ? line : most;
  const float x = std::lerp(picture.corner.x + theme::grid(1), picture.end().x - theme::grid(1), spot.x);
  ImGui::SetNextWindowPos({x, edge}, ImGuiCond_Always, spot);
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, picture.size.y});
  ImGui::PushStyleColor(ImGuiCol_Border, look.colour);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 2);
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                           ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing |
                           ImGuiWindowFlags_NoNav;
  if (open == nullptr) flags |= ImGuiWindowFlags_NoInputs;  // clicks reach what is below
  ImGui::Begin(id, nullptr, flags);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  ImGui::PushStyleColor(ImGuiCol_Text, look.colour);
  if (has_word) ImGui::TextUnformatted(look.word);
  ImGui::PopStyleColor();
  if (in_one_line && has_word) ImGui::SameLine();
  in_one_line ? ImGui::TextUnformatted(message.text.c_str()) : wrapped_text(message.text);
  if (open != nullptr && ImGui::SmallButton("Close (Esc)")) *open = false;
  const Area area{ImGui::GetWindowPos(), ImGui::GetWindowSize()};
  ImGui::End();
  return area;
}

}  // namespace

void Toasts::show(Message message, std::optional<std::size_t> workspace, Clock::time_point now) {
  if (message.empty()) return;
  // A command that was copied stays one.
  if (message.kind != MessageKind::kSuccess) message.text = without_option_marks(std::move(message.text));
  if (workspace && *workspace != workspace_) {
    Message& waiting = waiting_[*workspace];
    // A transient message does not replace a waiting persistent one.
    if (waiting.empty() || waiting.is_transient || !message.is_transient) waiting = std::move(message);
    return;
  }
  transient_is_newest_ = message.is_transient;
  if (message.is_transient) until_ = now + kShown;
  (message.is_transient ? transient_owner_ : persistent_owner_) = workspace;
  (message.is_transient ? transient_ : persistent_) = std::move(message);
}

void Toasts::set_workspace(std::size_t workspace, Clock::time_point now) {
  if (workspace == workspace_) return;
  if (persistent_owner_ && !persistent_.empty()) waiting_[workspace_] = std::exchange(persistent_, {});
  if (transient_owner_) transient_ = {};
  workspace_ = workspace;
  show_waiting(now);
}

void Toasts::dismiss(Clock::time_point now) {
  persistent_ = {};
  show_waiting(now);
}

// A waiting persistent message is shown only after the current one is closed.
void Toasts::show_waiting(Clock::time_point now) {
  const auto found = waiting_.find(workspace_);
  if (found == waiting_.end() || (!found->second.is_transient && !persistent_.empty())) return;
  Message message = std::move(found->second);
  waiting_.erase(found);
  show(std::move(message), workspace_, now);
}

void Toasts::update(Clock::time_point now) {
  if (!transient_.empty() && now >= until_) transient_ = {};
}

const Message& Toasts::newest() const {
  if (transient_.empty()) return persistent_;
  return persistent_.empty() || transient_is_newest_ ? transient_ : persistent_;
}

bool Toasts::draw(const Area& picture, bool at_top, std::span<const Area> marked) {
  // The size is that of the last frame; in its first one a message is not drawn yet.
  const glm::vec2 size = std::exchange(area_, {}).size;
  const auto is_free = [&](const glm::vec2& spot) {
    const glm::vec2 corner = picture.corner + (picture.size - size) * spot;
    return std::ranges::none_of(marked, [&](const Area& one) {
      return !one.empty() && !intersect(one, Area{corner, size}).empty();
    });
  };
  const glm::vec2* const preferred = &kSpots[at_top ? 1 : 0];
  const auto free = std::ranges::find_if(kSpots, is_free);
  const glm::vec2& spot = is_free(*preferred) || free == kSpots.end() ? *preferred : *free;
  const float font = ImGui::GetFontSize();
  if (picture.empty() || picture.size.x < font * 7) return true;
  bool open = true;
  const float gap = theme::grid(2);
  float edge = spot.y == 0 ? picture.corner.y + theme::grid(1) : picture.end().y - theme::grid(1);
  if (!persistent_.empty()) {
    area_ = draw_toast("##message", persistent_, picture, spot, edge, &open);
    edge = spot.y == 0 ? area_.end().y + gap : area_.corner.y - gap;
  }
  if (!transient_.empty()) {
    const Area other = draw_toast("##toast", transient_, picture, spot, edge, nullptr);
    const glm::vec2 end = persistent_.empty() ? other.end() : glm::max(area_.end(), other.end());
    area_.corner = persistent_.empty() ? other.corner : glm::min(area_.corner, other.corner);
    area_.size = end - area_.corner;
  }
  return open;
}

}  // namespace loom::app
