#include "app/documentation/window/documentation_window.h"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <glm/common.hpp>
#include <nlohmann/json.hpp>

#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/widgets/inputs.h"
#include "app/widgets/picture.h"
#include "app/widgets/text.h"

namespace loom::app::documentation {
namespace {

// In font sizes.
constexpr float kMostWidth = 86;
constexpr float kContentsWidth = 20;
constexpr float kNarrow = 46;  ///< below, the contents and the page take turns
constexpr float kLineStep = 3;

constexpr std::size_t kMostHits = 200;
constexpr std::array kGroups = {"Start", "Tutorials", "How-to", "Reference", "Explanation", "Project"};

ImU32 colour_of(const TextRun& run) {
  if (run.link >= 0) return ImGui::GetColorU32(theme::colours().accent);
  return ImGui::GetColorU32(theme::colours().text);
}

}  // namespace

void DocumentationWindow::open() {
  focuses_search_ = open_ = true;
  if (visits_.empty()) visits_.push_back({});
}

void DocumentationWindow::search(std::string_view words) {
  open();
  words_ = words;
  hits_ = library_.search(words_, kMostHits);
  shows_contents_ = true;
}

void DocumentationWindow::open_page(std::string_view link) {
  open();
  words_.clear();
  hits_.clear();
  const LinkTarget target = library_.target(0, link);
  go(target.page, library_.find_heading(target.page, target.anchor));
}

void DocumentationWindow::go(std::size_t page, std::optional<std::size_t> block) {
  visits_[visit_].scroll = scrolled_;
  if (visits_[visit_].page != page || block) {
    visits_.resize(visit_ + 1);
    visits_.push_back({.page = page});
    ++visit_;
  }
  to_block_ = block;
  to_scroll_ = 0.0f;
  shows_contents_ = false;
}

void DocumentationWindow::go_back(int steps) {
  const int to = static_cast<int>(visit_) - steps;
  if (to < 0 || to >= static_cast<int>(visits_.size())) return;
  visits_[visit_].scroll = scrolled_;
  visit_ = static_cast<std::size_t>(to);
  to_block_.reset();
  to_scroll_ = visits_[visit_].scroll;
}

void DocumentationWindow::follow(std::string_view link) {
  const LinkTarget target = library_.target(visits_[visit_].page, link);
  if (target.kind == LinkTarget::Kind::kPage)
    return go(target.page,
              target.anchor.empty() ? std::nullopt : library_.find_heading(target.page, target.anchor));
  ImGui::SetClipboardText(target.address.c_str());
  copied_ = target.address;
}

bool DocumentationWindow::press(const KeyPress& press) {
  if (!open_ || press.ctrl) return false;
  const float line = ImGui::GetFontSize() * kLineStep;
  switch (press.key) {
    case GLFW_KEY_ESCAPE:
      close();
      return true;
    case GLFW_KEY_BACKSPACE:
      go_back(press.shift ? -1 : 1);
      return true;
    case GLFW_KEY_UP:
      to_scroll_ = scrolled_ - line;
      return true;
    case GLFW_KEY_DOWN:
      to_scroll_ = scrolled_ + line;
      return true;
    case GLFW_KEY_PAGE_UP:
      to_scroll_ = scrolled_ - page_height_ + line;
      return true;
    case GLFW_KEY_PAGE_DOWN:
      to_scroll_ = scrolled_ + page_height_ - line;
      return true;
    case GLFW_KEY_HOME:
      to_scroll_ = 0.0f;
      return true;
    case GLFW_KEY_END:
      to_scroll_ = FLT_MAX;
      return true;
    default:
      return press.key < GLFW_KEY_F1 || press.key > GLFW_KEY_F25;
  }
}

void DocumentationWindow::draw(const Area& area) {
  if (!open_) return;
  take_picture();
  const float font = ImGui::GetFontSize();
  const glm::vec2 size = glm::max(glm::vec2{std::min(area.size.x, kMostWidth * font), area.size.y}, 1.0f);
  ImGui::SetNextWindowPos(area.centre(), ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize(size, ImGuiCond_Always);
  if (focuses_search_) ImGui::SetNextWindowFocus();
  ImGui::Begin("Documentation##documentation", &open_,
               ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollbar |
                   ImGuiWindowFlags_NoScrollWithMouse);
  const float whole = ImGui::GetContentRegionAvail().x;
  const bool narrow = whole < kNarrow * font;
  bar(narrow);
  if (!narrow || shows_contents_) {
    ImGui::BeginChild("##contents", {narrow ? 0 : kContentsWidth * font, 0}, true);
    words_.empty() ? contents() : hits();
    ImGui::EndChild();
    if (narrow) return ImGui::End();
    ImGui::SameLine();
  }
  ImGui::BeginChild("##page", {0, 0}, false, ImGuiWindowFlags_NoNav);
  page(ImGui::GetWindowWidth() - ImGui::GetStyle().ScrollbarSize - font);
  ImGui::EndChild();
  ImGui::End();
}

void DocumentationWindow::bar(bool narrow) {
  if (narrow) {
    if (choice_button("Contents", shows_contents_, button_width("Contents"), {},
                      "Contents, or what was found"))
      shows_contents_ = !shows_contents_;
    ImGui::SameLine();
  }
  const float width = button_width("Forward");
  if (choice_button("Back", false, width, visit_ == 0 ? "There is no previous page" : "",
                    "Previous page (Bksp)"))
    go_back(1);
  ImGui::SameLine();
  if (choice_button("Forward", false, width, visit_ + 1 == visits_.size() ? "There is no next page" : "",
                    "Next page (Shift Bksp)"))
    go_back(-1);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-1);
  if (std::exchange(focuses_search_, false)) ImGui::SetKeyboardFocusHere();
  if (ImGui::InputTextWithHint("##search", "Search all pages", &words_, ImGuiInputTextFlags_AutoSelectAll)) {
    hits_ = library_.search(words_, kMostHits);
    shows_contents_ = true;
  }
  search_ = item_area();
  // The text field receives the key, so press() does not.
  if ((ImGui::IsItemActive() || ImGui::IsItemDeactivated()) &&
      imgui_compat::is_pressed(GLFW_KEY_ESCAPE, false))
    close();
  if (imgui_compat::is_enter_pressed() && !hits_.empty() && !words_.empty())
    go(hits_.front().page, hits_.front().block);
}

void DocumentationWindow::contents() {
  hit_places_.clear();
  for (const char* const group : kGroups) {
    ImGui::TextDisabled("%s", group);
    for (std::size_t i = 0; i < library_.size(); ++i) {
      if (group_of(page_files()[i].path) != std::string_view(group)) continue;
      ImGui::PushID(static_cast<int>(i));
      if (ImGui::Selectable("##page", visits_[visit_].page == i)) go(i);
      ImGui::SameLine(ImGui::GetFontSize());
      elided_text(library_.page(i).title, ImGui::GetContentRegionAvail().x);
      ImGui::PopID();
    }
  }
}

void DocumentationWindow::hits() {
  hit_places_.clear();
  if (hits_.empty()) return note("No page has these words");
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < hits_.size(); ++i) {
    const SearchHit& hit = hits_[i];
    ImGui::PushID(static_cast<int>(i));
    const float top = ImGui::GetCursorPosY();
    const float wrap = ImGui::GetContentRegionAvail().x;
    const float height = ImGui::GetTextLineHeightWithSpacing() +
                         ImGui::CalcTextSize(hit.excerpt.c_str(), nullptr, false, wrap).y;
    if (ImGui::Selectable("##hit", false, 0, {0, height})) chosen = i;
    hit_places_.push_back(item_area());
    const float end = ImGui::GetCursorPosY();
    ImGui::SetCursorPosY(top);
    ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().accent);
    ImGui::TextUnformatted(library_.page(hit.page).title.c_str());
    ImGui::PopStyleColor();
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(hit.excerpt.c_str());
    ImGui::PopTextWrapPos();
    ImGui::SetCursorPosY(end);
    ImGui::PopID();
  }
  if (chosen) go(hits_[*chosen].page, hits_[*chosen].block);
}

void DocumentationWindow::page(float width) {
  const float font = ImGui::GetFontSize();
  const std::size_t shown = visits_[visit_].page;
  if (laid_out_ != shown || laid_out_width_ != width || laid_out_font_ != font) {
    const auto measure = [](FontFace face, float size, std::string_view text) {
      return font_of(face, size)->CalcTextSizeA(size, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
    };
    const auto picture = [this, shown](const std::string& link) -> std::optional<glm::vec2> {
      const auto size = picture_size(picture_file(library_.target(shown, link).address));
      if (!size) return std::nullopt;
      return glm::vec2(*size) / std::max(ImGui::GetIO().DisplayFramebufferScale.x, 1.0f);
    };
    layout_ = lay_out(library_.page(shown), width, font, measure, picture);
    laid_out_ = shown;
    laid_out_width_ = width;
    laid_out_font_ = font;
  }
  if (to_block_) to_scroll_ = *to_block_ < layout_.tops.size() ? layout_.tops[*to_block_] : 0;
  to_block_.reset();
  const float most = std::max(layout_.height - ImGui::GetWindowHeight() + font, 0.0f);
  const bool moves = to_scroll_.has_value();
  if (to_scroll_) {
    scrolled_ = std::clamp(*to_scroll_, 0.0f, most);
    ImGui::SetScrollY(scrolled_);
  } else {
    scrolled_ = ImGui::GetScrollY();
  }
  to_scroll_.reset();
  page_height_ = ImGui::GetWindowHeight();
  const glm::vec2 corner = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, layout_.height});
  runs(corner, ImGui::GetScrollY(), page_height_);
  if (moves) first_link_ = {};  // the page is drawn at its new place in the next frame
  copy_buttons(corner);
}

void DocumentationWindow::runs(glm::vec2 corner, float top, float height) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto is_visible = [&](float y, float high) { return y + high >= top && y <= top + height; };
  for (const Box& box : layout_.boxes) {
    if (!is_visible(box.area.corner.y, box.area.size.y)) continue;
    if (box.kind == Box::Kind::kImage) {
      list.AddRect(corner + box.area.corner, corner + box.area.end(),
                   ImGui::GetColorU32(theme::colours().hover), 4.0f);
      continue;
    }
    const glm::vec4 colour = box.kind == Box::Kind::kLine ? theme::colours().hover : theme::colours().raised;
    list.AddRectFilled(corner + box.area.corner, corner + box.area.end(), ImGui::GetColorU32(colour),
                       box.kind == Box::Kind::kCode ? 4.0f : 0.0f);
  }
  pictures_shown_ = 0;
  for (const PicturePlace& one : layout_.pictures) {
    const Area area{corner + one.area.corner, one.area.size};
    if (is_visible(one.area.corner.y, one.area.size.y)) picture(one, area);
  }
  const glm::vec2 mouse = glm::vec2(ImGui::GetIO().MousePos) - corner;
  const bool over = ImGui::IsWindowHovered();
  hovered_link_ = -1;
  first_link_ = {};
  const TextRun* before = nullptr;  // with a link
  for (const TextRun& run : layout_.runs) {
    if (!is_visible(run.at.y, run.size * 1.4f)) continue;
    const glm::vec2 at = corner + run.at;
    const ImU32 colour = colour_of(run);
    list.AddText(font_of(run.face, run.size), run.size, at, colour, run.text.data(),
                 run.text.data() + run.text.size());
    if (run.link < 0) continue;
    const glm::vec2 end = at + glm::vec2(run.width, run.size * 1.2f);
    // The line goes on below the blank before this word.
    const bool goes_on = before != nullptr && before->link == run.link && before->at.y == run.at.y;
    list.AddLine({goes_on ? corner.x + before->at.x + before->width : at.x, end.y}, end, colour);
    before = &run;
    if (first_link_.empty() && run.at.y >= top && run.at.y + run.size * 1.4f <= top + height)
      first_link_ = {at, end - at};
    const bool hit = mouse.x >= run.at.x && mouse.x < run.at.x + run.width && mouse.y >= run.at.y &&
                     mouse.y < run.at.y + run.size * 1.3f;
    if (over && hit) hovered_link_ = run.link;
  }
  if (hovered_link_ < 0) return;
  const std::string& link =
      library_.page(visits_[visit_].page).links[static_cast<std::size_t>(hovered_link_)];
  const LinkTarget target = library_.target(visits_[visit_].page, link);
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (target.kind == LinkTarget::Kind::kWeb) ImGui::SetTooltip("Copies %s", target.address.c_str());
  if (target.kind == LinkTarget::Kind::kSource)
    ImGui::SetTooltip("%s in the source code. A click copies the path.", target.address.c_str());
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) follow(link);
}

// A picture is decoded and scaled in the background when it is first seen in a size, one at a time.
void DocumentationWindow::picture(const PicturePlace& place, const Area& area) {
  const PictureKey key{visits_[visit_].page, place.link};
  const glm::ivec2 size = glm::max(
      glm::ivec2(area.size * std::max(ImGui::GetIO().DisplayFramebufferScale.x, 1.0f) + 0.5f), glm::ivec2(1));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto found = pictures_.find(key);
  if (found != pictures_.end() && found->second.size == size) {
    draw_texture(list, found->second.texture, area);
    ++pictures_shown_;
    return;
  }
  list.AddRectFilled(area.corner, area.end(), ImGui::GetColorU32(theme::colours().raised), 4.0f);
  if (loading_.running()) return;
  const std::string& link = library_.page(key.first).links[static_cast<std::size_t>(key.second)];
  const auto png = picture_file(library_.target(key.first, link).address);
  loading_.start([png, size](ProgressMonitor&) { return read_picture(png, size); });
  loading_key_ = key;
  loading_size_ = size;
}

void DocumentationWindow::take_picture() {
  const auto outcome = loading_.poll();
  if (!outcome) return;
  Picture& picture = pictures_[loading_key_];
  picture.size = loading_size_;  // also without memory for it: then its place stays empty
  if (outcome->result) picture.texture.upload(loading_size_, *outcome->result);
}

void DocumentationWindow::copy_buttons(glm::vec2 corner) {
  const ImVec2 after = ImGui::GetCursorScreenPos();
  const float width = ImGui::CalcTextSize("Copy").x + 2 * ImGui::GetStyle().FramePadding.x;
  for (const CodePlace& code : layout_.codes) {
    ImGui::SetCursorScreenPos(corner + code.right_top + glm::vec2(-width - 2, 2));
    ImGui::PushID(static_cast<int>(code.block));
    if (ImGui::SmallButton("Copy")) {
      ImGui::SetClipboardText(
          library_.page(visits_[visit_].page).blocks[code.block].spans.front().text.c_str());
      copied_ = "the code block";
    }
    ImGui::PopID();
  }
  ImGui::SetCursorScreenPos(after);
}

void DocumentationWindow::add_state(nlohmann::ordered_json& json) const {
  auto& own = json["documentation"] = nlohmann::ordered_json::object();
  own["open"] = open_;
  if (!open_ || visits_.empty()) return;
  own["page"] = page_files()[visits_[visit_].page].path;
  own["visit"] = visit_;
  own["scroll"] = scrolled_;
  own["pictures"] = {{"places", layout_.pictures.size()}, {"shown", pictures_shown_}};
  own["search"] = words_;
  own["search_place"] = numbers_of(search_);
  own["first_link"] = numbers_of(first_link_);
  own["hits"] = nlohmann::ordered_json::array();
  for (const Area& area : hit_places_) own["hits"].push_back(numbers_of(area));
}

}  // namespace loom::app::documentation
