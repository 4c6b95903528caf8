#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/documentation/page.h"
#include "app/gui/theme.h"
#include "app/shell/application.h"
#include "app/widgets/inputs.h"
#include "app/widgets/picture.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"

namespace loom::app {
namespace {

// In font sizes.
constexpr float kCardWidth = 12;
constexpr float kMinCardHeight = 4;  ///< of cards in a row
constexpr float kPadding = 0.8f;
constexpr float kTitleSize = 1.8f;  ///< distance from a card's title to its text
constexpr float kPictureWidth = 12;

constexpr float kSentenceSize = 1.3f;
constexpr float kLeastTextLines = 4.2f;  ///< of text, in the moving picture
constexpr float kStackedTextLines = 8;   ///< of text below the pictures, in less width than kLaunchesInARow

constexpr double kMotionEnd = 1e9;  ///< seconds: at the end of every motion
constexpr float kPictureProportion = 384.0f / 168;
constexpr float kPictureFrame = 2;  ///< pixels
constexpr std::size_t kColumns = 4;

std::string lines_of(const StartCard& card, float width) {
  return break_into_lines(card.text, width - 2 * kPadding * ImGui::GetFontSize(), text_width);
}

/// Height required by the whole text of a card.
float height_of(const StartCard& card, float width) {
  return ImGui::CalcTextSize(lines_of(card, width).c_str()).y +
         (1.4f * kPadding + kTitleSize) * ImGui::GetFontSize();
}

struct CardState {
  bool over = false;
  bool chosen = false;
};

/// A button with the frame of a card; the caller draws its content.
CardState frame(std::size_t number, glm::vec2 size, bool selected, Area& place) {
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(static_cast<int>(number));
  const bool chosen = ImGui::InvisibleButton("##choice", size);
  ImGui::PopID();
  place = item_area();
  if (selected && !ImGui::IsItemVisible()) ImGui::SetScrollHereY();
  const bool over = ImGui::IsItemHovered() || selected;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const theme::Colours& colours = theme::colours();
  list.AddRectFilled(at, at + size, ImGui::GetColorU32(over ? colours.hover : colours.raised),
                     theme::grid(2));
  list.AddRect(at, at + size, ImGui::GetColorU32(over ? colours.accent : colours.hover), theme::grid(2), 0,
               selected ? 4.0f : 2.0f);
  return {over, chosen};
}

void card_text(const StartCard& one, std::size_t number, const Area& place) {
  const float font = ImGui::GetFontSize();
  const float pad = kPadding * font;
  const glm::vec2 at = place.corner + glm::vec2(pad, pad * 0.7f);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string title = std::to_string(number + 1) + "  " + one.title;
  const float size = font * theme::kHeadingSize;
  list.AddText(font_of(FontFace::kBold, size), size, at, ImGui::GetColorU32(theme::colours().accent),
               title.c_str());
  list.AddText({at.x, at.y + font * kTitleSize}, ImGui::GetColorU32(theme::colours().text),
               lines_of(one, place.size.x).c_str());
}

}  // namespace

void StartScreen::set_pictures(std::vector<StartPicture> pictures) {
  pictures_ = std::move(pictures);
  textures_.resize(pictures_.size());
}

void StartScreen::choose(std::size_t choice, ShellEdit& edit) {
  if (choice < cards_.size()) {
    cards_[choice].choose(edit);
  } else {
    pictures_[choice - cards_.size()].choose(edit);
  }
  selected_.reset();
  edit.settings.show_start = false;
}

bool StartScreen::press(const KeyPress& press, ShellEdit& edit) {
  if (press.ctrl) return false;
  const int number = press.key - '1';
  if (number >= 0 && number < static_cast<int>(cards_.size())) {
    choose(static_cast<std::size_t>(number), edit);
    return true;
  }
  const std::size_t count = cards_.size() + pictures_.size();
  const std::size_t at = selected_.value_or(0);
  const bool on_cards = at < cards_.size();
  const auto step = [&](int by) {
    const int to = static_cast<int>(at) + by;
    if (!selected_)
      selected_ = 0;
    else if (to >= 0 && to < static_cast<int>(count))
      selected_ = static_cast<std::size_t>(to);
  };
  const int columns = static_cast<int>(columns_);
  const int in_row = cards_in_a_row_ ? static_cast<int>(cards_.size()) : 1;
  switch (press.key) {
    case GLFW_KEY_ESCAPE:  // closes it, and nothing behind it
      edit.commands.dismiss = true;
      return true;
    case GLFW_KEY_LEFT:
      step(-1);
      return true;
    case GLFW_KEY_RIGHT:
      step(1);
      return true;
    case GLFW_KEY_DOWN:
      step(on_cards ? in_row : columns);
      return true;
    case GLFW_KEY_UP:
      step(on_cards ? -in_row : at < cards_.size() + columns_ ? -in_row : -columns);
      return true;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
      if (!selected_) return false;
      choose(*selected_, edit);
      return true;
    default:
      return false;
  }
}

// A few milliseconds each.
void StartScreen::load(glm::ivec2 size) {
  if (size == size_) return;
  size_ = size;
  for (std::size_t i = 0; i < pictures_.size(); ++i)
    textures_[i].upload(size, documentation::read_picture(pictures_[i].png, size));
}

void StartScreen::draw(const Area& area, ShellEdit& edit, bool& shown) {
  card_places_.clear();
  picture_places_.clear();
  if (!shown) opened_at_ = 0;
  if (!shown || area.empty() || cards_.empty()) return;
  const float font = ImGui::GetFontSize();
  const float room = area.size.x - font - 2 * ImGui::GetStyle().WindowPadding.x;
  ImGui::SetNextWindowPos(area.centre(), ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSizeConstraints({1, 1}, area.size);
  keep_in_front();
  ImGui::Begin("Welcome to Fractal Loom", &shown,
               ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoNav);
  const float whole = std::min(room, static_cast<float>(kColumns) * kPictureWidth * font +
                                         static_cast<float>(kColumns - 1) * ImGui::GetStyle().ItemSpacing.x);
  introduction(whole, edit, shown);
  cards(room, edit, shown);
  gallery(room, edit, shown);
  note("Arrow keys and Enter choose. Esc closes this screen, Home opens it again. ? lists the keys.");
  ImGui::End();
}

void StartScreen::introduction(float width, ShellEdit& edit, bool& shown) {
  const float size = ImGui::GetFontSize() * kSentenceSize;
  ImFont* const bold = font_of(FontFace::kBold, size);
  const char* const sentence = introduction_.sentence.c_str();
  ImGui::GetWindowDrawList()->AddText(bold, size, ImGui::GetCursorScreenPos(),
                                      ImGui::GetColorU32(theme::colours().text), sentence, nullptr, width);
  ImGui::Dummy({width, bold->CalcTextSizeA(size, FLT_MAX, width, sentence).y});
  if (opened_at_ == 0) opened_at_ = ImGui::GetTime();
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const float lines = width < kLaunchesInARow * ImGui::GetFontSize() ? kStackedTextLines : kLeastTextLines;
  const glm::vec2 picture{width, std::floor(std::max(width / introduction_.proportion,
                                                     lines * ImGui::GetTextLineHeightWithSpacing()))};
  ImGui::Dummy(picture);
  introduction_.draw({at, picture}, edit.settings.animations ? ImGui::GetTime() - opened_at_ : kMotionEnd);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {ImGui::GetStyle().FramePadding.x, 2 * ImGui::GetStyle().FramePadding.y});
  if (primary_button(introduction_.button.c_str(), width, {}, introduction_.hint)) {
    introduction_.choose(edit);
    edit.settings.show_start = shown = false;
  }
  ImGui::PopStyleVar();
  button_place_ = item_area();
}

void StartScreen::cards(float room, ShellEdit& edit, bool& shown) {
  const float font = ImGui::GetFontSize();
  const auto count = static_cast<float>(cards_.size());
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  cards_in_a_row_ = room >= count * kCardWidth * font * 0.8f;
  const float most =
      (static_cast<float>(kColumns) * (kPictureWidth * font + gap) - gap - (count - 1) * gap) / count;
  const float width =
      cards_in_a_row_ ? std::min(most, (room - (count - 1) * gap) / count) : std::max(room, 1.0f);
  float highest = kMinCardHeight * font;
  for (const StartCard& one : cards_) highest = std::max(highest, height_of(one, width));
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    if (cards_in_a_row_ && i > 0) ImGui::SameLine();
    Area& place = card_places_.emplace_back();
    const glm::vec2 size{width, cards_in_a_row_ ? highest : height_of(cards_[i], width)};
    const CardState look = frame(i, size, selected_ == i, place);
    card_text(cards_[i], i, place);
    if (!look.chosen) continue;
    choose(i, edit);
    shown = false;
  }
}

void StartScreen::gallery(float room, ShellEdit& edit, bool& shown) {
  const float font = ImGui::GetFontSize();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  columns_ = kColumns;
  while (columns_ > 1 && room < static_cast<float>(columns_) * (kPictureWidth * font * 0.6f + gap))
    columns_ /= 2;
  const auto columns = static_cast<float>(columns_);
  const float width = std::max(std::min(kPictureWidth * font, (room - (columns - 1) * gap) / columns), 1.0f);
  const float inner = std::max(width - 2 * kPictureFrame, 1.0f);
  const glm::vec2 picture{inner, std::max(std::floor(inner / kPictureProportion), 1.0f)};
  load(glm::ivec2(picture * std::max(ImGui::GetIO().DisplayFramebufferScale.x, 1.0f)));
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    if (i % columns_ != 0) ImGui::SameLine();
    Area& place = picture_places_.emplace_back();
    const std::size_t choice = cards_.size() + i;
    const CardState look =
        frame(choice, {width, picture.y + 1.5f * font + 2 * kPictureFrame}, selected_ == choice, place);
    tooltip(pictures_[i].hint);
    draw_texture(*ImGui::GetWindowDrawList(), textures_[i], {place.corner + kPictureFrame, picture});
    ImGui::GetWindowDrawList()->AddText(
        {place.corner.x + theme::grid(2), place.corner.y + picture.y + 2 * kPictureFrame},
        ImGui::GetColorU32(theme::colours().text), pictures_[i].title.c_str());
    if (!look.chosen) continue;
    choose(choice, edit);
    shown = false;
  }
}

void StartScreen::add_state(nlohmann::ordered_json& json, bool shown) const {
  json["start_button"] = numbers_of(shown ? button_place_ : Area());
  json["start_cards"] = nlohmann::ordered_json::array();
  json["start_pictures"] = nlohmann::ordered_json::array();
  if (!shown) return;
  for (const Area& place : card_places_) json["start_cards"].push_back(numbers_of(place));
  for (const Area& place : picture_places_) json["start_pictures"].push_back(numbers_of(place));
}

}  // namespace loom::app
