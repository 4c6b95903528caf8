#include "app/widgets/picture.h"

#include <array>
#include <cstdlib>
#include <glm/common.hpp>
#include <nlohmann/json.hpp>

#include "app/gui/theme.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"

namespace loom::app {

std::optional<WheelZoom::Frame> WheelZoom::advance(bool over) {
  constexpr double kPerNotch = 1.5;
  constexpr double kQuick = 0.25;   // seconds between notches
  constexpr double kMostQuick = 8;  // notches after which a notch counts twice
  constexpr double kDuration = 0.05;
  constexpr double kClose = 0.02;  // notches
  const ImGuiIO& io = ImGui::GetIO();
  bool begins = false;
  const auto notches = static_cast<double>(io.MouseWheel);
  if (over && notches != 0) {
    const double now = ImGui::GetTime();
    const bool quick = now - last_notch_ < kQuick && notches * last_ > 0;
    run_ = quick ? std::min(run_ + std::abs(notches), kMostQuick) : 0;
    last_notch_ = now;
    last_ = notches;
    const glm::vec2 mouse = io.MousePos;
    begins = !active() || mouse != at_;
    if (begins) {
      target_ -= shown_;
      shown_ = 0;
    }
    at_ = mouse;
    target_ += notches * (1 + run_ / kMostQuick);
  }
  if (!active()) return std::nullopt;
  const double before = shown_;
  shown_ = target_ - (target_ - shown_) * std::exp(-static_cast<double>(io.DeltaTime) / kDuration);
  if (std::abs(target_ - shown_) < kClose) shown_ = target_;
  return Frame{std::pow(kPerNotch, shown_ - before), std::pow(kPerNotch, shown_), at_, begins};
}
namespace {

bool mouse_is_used() {
  const ImGuiIO& io = ImGui::GetIO();
  return io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || io.MouseWheel != 0 || ImGui::IsAnyMouseDown() ||
         ImGui::IsMouseReleased(ImGuiMouseButton_Left);
}

std::uint64_t moved_within(std::uint64_t at, int steps, std::uint64_t step, std::uint64_t end) {
  const std::uint64_t last = end - 1;
  const std::uint64_t count = static_cast<std::uint64_t>(std::abs(steps));
  const std::uint64_t room = steps < 0 ? at : last - std::min(at, last);
  // Compared by division, because the product may exceed 64 bits.
  const std::uint64_t way = step > 0 && count > room / step ? room : count * step;
  return steps < 0 ? at - way : std::min(at, last) + way;
}

}  // namespace

Coord64 moved_within(Coord64 from, glm::ivec2 steps, Coord64 step, Coord64 end) {
  return {moved_within(from.x, steps.x, step.x, end.x), moved_within(from.y, steps.y, step.y, end.y)};
}

void PictureCursor::begin(const std::optional<Coord64>& under_mouse, Coord64 start) {
  if (under_mouse && (mouse_is_used() || !by_keys_)) {
    unit_ = under_mouse;
    by_keys_ = false;
    return;
  }
  if (!unit_) unit_ = start;
  by_keys_ = true;
}

void PictureCursor::move_to(Coord64 unit) {
  unit_ = unit;
  by_keys_ = true;
}

void draw_picture_cursor(ImDrawList& list, glm::vec2 middle, float side, bool light) {
  const float font = ImGui::GetFontSize();
  const float half = std::max(0.5f * side + 0.25f * font, 0.6f * font);
  const float tick = 0.55f * font;
  const theme::Overlay& marks = theme::overlay(light);
  const auto draw = [&](ImU32 colour, float thickness) {
    list.AddRect(middle - half, middle + half, colour, 0.2f * font, 0, thickness);
    for (const glm::vec2 way : {glm::vec2{1, 0}, glm::vec2{-1, 0}, glm::vec2{0, 1}, glm::vec2{0, -1}})
      list.AddLine(middle + way * half, middle + way * (half + tick), colour, thickness);
  };
  draw(marks.edge, 0.34f * font);
  draw(marks.hovered, 0.14f * font);
}

void picture_hint(ImDrawList& list, const Area& picture, std::string_view text) {
  const float font = ImGui::GetFontSize();
  const float margin = theme::grid(2);
  const float room = picture.size.x - 4 * margin;
  if (room < 6 * font || picture.size.y < 4 * font) return;
  const Text lines = break_into_lines(text, room, text_width);
  const glm::vec2 size = ImGui::CalcTextSize(lines.c_str(), lines.c_str() + lines.size());
  const glm::vec2 at = picture.corner + (picture.size - size) / 2.0f;
  list.AddRectFilled(at - margin, at + size + margin, ImGui::ColorConvertFloat4ToU32(theme::colours().raised),
                     theme::grid(1));
  list.AddText(at, ImGui::ColorConvertFloat4ToU32(theme::colours().text), lines.c_str(),
               lines.c_str() + lines.size());
}

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

void draw_rubber_band(ImDrawList& list, glm::vec2 start) {
  const glm::vec2 end = ImGui::GetIO().MousePos;
  const glm::vec2 low = glm::min(start, end);
  const glm::vec2 high = glm::max(start, end);
  list.AddRectFilled(low, high, theme::kRubberFill);
  list.AddRect(low, high, theme::kRubberBand, 0, 0, 1.5f);
}

}  // namespace loom::app
