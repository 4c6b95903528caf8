#include "app/places/window/places.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/files/state_folder.h"
#include "app/gui/clipboard.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/places/place_text.h"
#include "app/places/places_file.h"
#include "app/scene/bookmark_text.h"
#include "app/shell/key_match.h"
#include "app/widgets/choice.h"
#include "app/widgets/dialog.h"
#include "app/widgets/item_area.h"
#include "app/widgets/text.h"
#include "compute/core/error.h"
#include "render/png.h"

namespace loom::app::places {
namespace {

constexpr const char* kTitle = "Bookmarks";
constexpr float kDialogWidth = 34;  // font sizes
constexpr float kListHeight = 20;
constexpr float kPictureHeight = 3.2f;

/// The mean of the pixels that fall on each of the small picture's.
scene::Thumbnail thumbnail_of(const render::RgbImage& image, const render::Rect& part) {
  using scene::Thumbnail;
  Thumbnail small;
  if (part.width < 1 || part.height < 1) return small;
  const auto range = [](int index, int count, int begin, int length) {
    const auto edge = [&](int i) {
      return begin + static_cast<int>(static_cast<std::int64_t>(i) * length / count);
    };
    return std::pair{edge(index), std::max(edge(index) + 1, edge(index + 1))};
  };
  for (int y = 0; y < Thumbnail::kHeight; ++y) {
    const auto [top, bottom] = range(y, Thumbnail::kHeight, part.y, part.height);
    for (int x = 0; x < Thumbnail::kWidth; ++x) {
      const auto [left, right] = range(x, Thumbnail::kWidth, part.x, part.width);
      std::uint64_t sums[3] = {};
      for (int row = top; row < bottom; ++row) {
        for (int column = left; column < right; ++column) {
          const std::size_t at = (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.size.width) +
                                  static_cast<std::size_t>(column)) *
                                 3;
          for (std::size_t i = 0; i < 3; ++i) sums[i] += image.rgb[at + i];
        }
      }
      const auto pixels = static_cast<std::uint64_t>(bottom - top) * static_cast<std::uint64_t>(right - left);
      for (const std::uint64_t sum : sums) small.rgb += static_cast<char>(sum / pixels);
    }
  }
  return small;
}

/// The middle of an area in the thumbnail's proportions, as far as it is in the framebuffer.
render::Rect thumbnail_part(const Area& area, float scale, render::Extent framebuffer) {
  constexpr float kProportion = static_cast<float>(scene::Thumbnail::kWidth) / scene::Thumbnail::kHeight;
  const float width = std::min(area.width, area.height * kProportion);
  const float height = width / kProportion;
  const auto pixels = [&](float length) { return static_cast<int>(std::floor(length * scale)); };
  render::Rect part{pixels(area.x + (area.width - width) / 2), pixels(area.y + (area.height - height) / 2),
                    pixels(width), pixels(height)};
  part.x = std::clamp(part.x, 0, framebuffer.width);
  part.y = std::clamp(part.y, 0, framebuffer.height);
  part.width = std::min(part.width, framebuffer.width - part.x);
  part.height = std::min(part.height, framebuffer.height - part.y);
  return part;
}

std::string words_of(const scene::Bookmark& place) {
  if (place.dwells) return text_of(place.dwells->view);
  return fmt::format("{}, level {}{}", place.cells->fractal.name(), place.cells->level,
                     place.cells->view ? ", region" : "");
}

}  // namespace

Places::Places(std::unique_ptr<PlacesStage> stage) : stage_(std::move(stage)) {
  keys_.add("Ctrl Shift C", "copy this scene as a command line", with_ctrl_shift('c'),
            [](Wish& w) { w = Wish::kCopyCommand; });
  keys_.add("Ctrl B", "list of bookmarks", with_ctrl({'b'}), [](Wish& w) { w = Wish::kOpen; });
  keys_.add("Ctrl D", "add a bookmark", with_ctrl({'d'}), [](Wish& w) { w = Wish::kAdd; });
}

void Places::load() {
  const auto file = places_file();
  if (!file) return;
  keeps_ = true;
  ReadPlaces read = read_places(*file);
  add_of_scene(read.places);
  before_ = std::move(read.places);
  to_keep_ = false;
  if (!read.problem.empty()) message_ = Message::error(std::move(read.problem));
}

bool Places::press(const KeyPress& press) {
  // What the clipboard holds in the other workspace is cells.
  const bool typing = ImGui::GetIO().WantTextInput;
  if (shows_dwells_ && press.ctrl && press.key == 'v' && !typing) return paste_ = true;
  return keys_.press(press, wish_);
}

bool Places::takes(const std::filesystem::path& file) const {
  return file.extension() == ".xpf" || file.extension() == ".kfr";
}

void Places::menu_items() {
  if (ImGui::MenuItem("Bookmarks...", "Ctrl B")) wish_ = Wish::kOpen;
  areas_["item"] = item_area();
  if (ImGui::MenuItem("Add bookmark", "Ctrl D")) wish_ = Wish::kAdd;
  if (ImGui::MenuItem("Copy as command", "Ctrl Shift C")) wish_ = Wish::kCopyCommand;
  areas_["copy command"] = item_area();
}

void Places::add_of_scene(const std::vector<scene::Bookmark>& places) {
  for (const scene::Bookmark& one : places) {
    const bool known = std::ranges::any_of(places_, [&](const auto& other) { return other.same_place(one); });
    if (known || places_.size() >= scene::kMostBookmarks) continue;
    places_.push_back(one);
    shown_.emplace_back();
    to_keep_ = true;
  }
}

// What another window kept meanwhile is shown here too.
void Places::kept() {
  failed_ = !keep_problem_.empty();
  if (failed_) {
    message_ = Message::error(fmt::format("Bookmarks cannot be saved and last until this window closes: {}",
                                          std::exchange(keep_problem_, {})));
    return;
  }
  // What was done here while the file was written is not in it yet.
  std::vector<scene::Bookmark> now = merged(before_, places_, kept_);
  before_ = std::move(kept_);
  if (now.size() == places_.size() &&
      std::ranges::equal(now, places_, {}, &scene::Bookmark::name, &scene::Bookmark::name))
    return;
  places_ = std::move(now);
  shown_.clear();
  shown_.resize(places_.size());
}

// Beside the frames: a disk may take its time.
void Places::keep() {
  if (worker_.busy() && worker_.has_ended()) kept();
  if (!to_keep_ || worker_.busy()) return;
  to_keep_ = false;
  const auto file = places_file();
  if (!file || !keeps_) return;
  // Written to its end, whatever is cancelled: it is all that there is of them.
  worker_.start([this, file = *file, before = std::make_shared<const std::vector<scene::Bookmark>>(before_),
                 mine = std::make_shared<const std::vector<scene::Bookmark>>(places_)](Watch&) {
    try {
      kept_ = keep_places(file, *before, *mine);
    } catch (const std::runtime_error& error) {
      keep_problem_ = error.what();
    }
  });
}

std::string Places::finish() {
  if (worker_.busy()) {
    worker_.wait();
    kept();
  }
  const auto file = places_file();
  if (!(to_keep_ || failed_) || !file || !keeps_) return {};
  to_keep_ = failed_ = false;
  try {
    keep_places(*file, before_, places_);
  } catch (const std::runtime_error& error) {
    return fmt::format("Bookmarks could not be saved: {}", error.what());
  }
  return {};
}

void Places::go_to_text(const std::string& text, ShellEdit& shell) {
  try {
    said_ = stage_->go_to(text, shell);
    problem_.clear();
    typing_ = false;
  } catch (const InputError& error) {
    problem_ = error.what();
  }
}

void Places::act(ShellEdit& shell) {
  const Wish wish = std::exchange(wish_, Wish::kNone);
  if (wish == Wish::kOpen) begin_ = true;
  if (wish == Wish::kAdd) to_picture_ = true;
  if (wish == Wish::kCopyCommand) {
    try {
      const std::string command = stage_->command();
      ImGui::SetClipboardText(command.c_str());
      message_ = Message::success("Copied: " + command);
    } catch (const InputError& error) {
      message_ = Message::error(error.what());
    }
  }
  if (std::exchange(paste_, false)) {
    try {
      const std::string dropped = stage_->go_to_dwells(clipboard::text(), shell);
      message_ = Message::warning(dropped);
    } catch (const InputError& error) {
      message_ = Message::error(fmt::format("The clipboard contains no position: {}", error.what()));
    }
  }
  if (file_) {
    const auto file = *std::exchange(file_, std::nullopt);
    std::optional<std::string> text;
    try {
      text = kept_text(file, kMostPlaceText);
      message_ = Message::error(file.string() + ": there is no such file");
    } catch (const InputError& error) {
      message_ = Message::error(error.what());
    }
    try {
      if (text) message_ = Message::warning(stage_->go_to_dwells(*text, shell));
    } catch (const InputError& error) {
      message_ = Message::error(fmt::format("{}: {}", file.filename().string(), error.what()));
    }
  }
  if (const auto gone = std::exchange(forget_, std::nullopt); gone && *gone < places_.size()) {
    places_.erase(places_.begin() + static_cast<std::ptrdiff_t>(*gone));
    shown_.erase(shown_.begin() + static_cast<std::ptrdiff_t>(*gone));
    to_keep_ = true;
  }
  if (go_ && *go_ < places_.size()) stage_->go(places_[*go_], shell);
  go_.reset();
  if (go_text_) go_to_text(*std::exchange(go_text_, std::nullopt), shell);
}

void Places::begin(ShellEdit& shell) {
  shows_dwells_ = shell.settings.workspace == 1;
  act(shell);  // first: what is to be forgotten is a number in the list that was drawn
  keep();
}

void Places::drawn(const DrawnFrame& frame) {
  if (!to_picture_) return;
  to_picture_ = false;
  if (places_.size() >= scene::kMostBookmarks) {
    message_ = Message::warning(
        fmt::format("There are already {} bookmarks. Delete one first", scene::kMostBookmarks));
    return;
  }
  scene::Bookmark place = stage_->here();
  const render::Extent size = frame.context.framebuffer_size();
  const render::Rect part = thumbnail_part(stage_->picture_area(), stage_->picture_scale(), size);
  place.thumbnail = thumbnail_of(render::read_framebuffer(frame.context.framebuffer(), size), part);
  if (!name_.empty()) place.name = name_.substr(0, scene::kMostBookmarkName);
  name_.clear();
  message_ = keeps_ ? Message::success("Bookmark added: " + place.name)
                    : Message::warning("Bookmark added until this window closes (no folder for bookmarks): " +
                                       place.name);
  places_.push_back(std::move(place));
  shown_.emplace_back();
  to_keep_ = true;
}

void Places::coordinates_rows() {
  if (!typing_) coordinates_ = stage_->coordinates();
  row_label(shows_dwells_ ? "re, im, width" : "x, y, x2, y2");
  ImGui::SetNextItemWidth(rest_of_line());
  const bool entered = ImGui::InputText("##coordinates", &coordinates_, ImGuiInputTextFlags_EnterReturnsTrue);
  if (ImGui::IsItemActive()) typing_ = true;
  if (typing_ && !ImGui::IsItemActive() && !entered && problem_.empty()) typing_ = ImGui::IsItemDeactivated();
  areas_["coordinates"] = item_area();
  tooltip(shows_dwells_ ? "Centre and width of the view. Enter goes there"
                        : "Visible region of the square, in points. Enter goes there");
  if (entered) go_text_ = coordinates_;
  row_label("");
  const float third = part_of_line(3);
  if (choice_button("Go", false, third, {}, "Go to these coordinates")) go_text_ = coordinates_;
  areas_["go"] = item_area();
  ImGui::SameLine();
  if (choice_button("Copy", false, third, {}, "Copies these coordinates to the clipboard"))
    ImGui::SetClipboardText(coordinates_.c_str());
  areas_["copy"] = item_area();
  ImGui::SameLine();
  if (choice_button("Paste", false, rest_of_line(), {},
                    shows_dwells_ ? "Pastes re, im, width, or a position of XaoS (.xpf) or Kalles Fraktaler "
                                    "(.kfr). These files can also be dropped on the window"
                                  : "Pastes x, y, x2, y2"))
    go_text_ = clipboard::text();
  areas_["paste"] = item_area();
}

// True where it is to be forgotten.
bool Places::place_row(std::size_t number, float width) {
  const scene::Bookmark& place = places_[number];
  Shown& shown = shown_[number];
  const float font = ImGui::GetFontSize();
  const ImVec2 picture{kPictureHeight * font * scene::Thumbnail::kWidth / scene::Thumbnail::kHeight,
                       kPictureHeight * font};
  if (!shown.uploaded && place.thumbnail.rgb.size() == scene::Thumbnail::kBytes) {
    std::vector<std::uint32_t> colours;
    for (std::size_t i = 0; i < scene::Thumbnail::kBytes; i += 3) {
      const auto byte = [&](std::size_t at) {
        return std::uint32_t{static_cast<std::uint8_t>(place.thumbnail.rgb[at])};
      };
      colours.push_back(0xff000000u | byte(i + 2) << 16 | byte(i + 1) << 8 | byte(i));
    }
    shown.picture.upload({scene::Thumbnail::kWidth, scene::Thumbnail::kHeight}, colours);
    shown.uploaded = true;
  }
  ImGui::PushID(static_cast<int>(number));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float forget = button_width("Delete");
  ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, {0, 0.5f});
  if (ImGui::Selectable("##place", false, 0, {width - forget - ImGui::GetStyle().ItemSpacing.x, picture.y}))
    go_ = number;
  ImGui::PopStyleVar();
  if (ImGui::IsItemVisible()) areas_[fmt::format("place {}", number)] = item_area();
  const std::string words = words_of(place);
  tooltip("Go to " + words);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (shown.uploaded) {
    list.AddImage(imgui_compat::texture_id(shown.picture.gl_name()), at,
                  {at.x + picture.x, at.y + picture.y});
  }
  const float left = at.x + picture.x + font * 0.6f;
  const float room = width - forget - picture.x - font * 1.6f;
  list.PushClipRect({left, at.y}, {left + room, at.y + picture.y}, true);
  list.AddText({left, at.y + font * 0.2f}, ImGui::GetColorU32(ImGuiCol_Text), place.name.c_str());
  list.AddText({left, at.y + font * 1.5f}, ImGui::GetColorU32(theme::kMuted), words.c_str());
  list.PopClipRect();
  ImGui::SameLine();
  const bool gone = ImGui::Button("Delete", {forget, 0});
  if (ImGui::IsItemVisible()) areas_[fmt::format("forget {}", number)] = item_area();
  ImGui::PopID();
  return gone;
}

void Places::place_list() {
  if (places_.empty()) {
    note("No bookmarks yet. Ctrl D adds the current view, in either workspace.");
    return;
  }
  const float height = std::min(kListHeight * ImGui::GetFontSize(), ImGui::GetIO().DisplaySize.y * 0.45f);
  ImGui::BeginChild("##places", {0, height}, true, ImGuiWindowFlags_NavFlattened);
  const float width = ImGui::GetContentRegionAvail().x;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (place_row(i, width)) forget_ = i;
  }
  ImGui::EndChild();
}

void Places::dialogs() {
  if (!begin_ && !open_) return;
  areas_.clear();
  if (begin_) {
    typing_ = false;
    problem_.clear();
    said_.clear();
  }
  open_ = begin_dialog(kTitle, begin_, kDialogWidth, 0.12f);
  if (!open_) return;
  coordinates_rows();
  if (!problem_.empty()) warning(problem_);
  if (!said_.empty()) note(said_);
  row_label("Name");
  ImGui::SetNextItemWidth(rest_of_line());
  ImGui::InputTextWithHint("##name", "Default name", &name_);
  areas_["name"] = item_area();
  row_label("");
  // Its picture is taken from a frame without this dialog.
  if (choice_button("Add (Ctrl D)", false, part_of_line(2))) {
    wish_ = Wish::kAdd;
    ImGui::CloseCurrentPopup();
  }
  areas_["keep"] = item_area();
  ImGui::SameLine();
  if (choice_button("Close (Esc)", false, rest_of_line())) ImGui::CloseCurrentPopup();
  areas_["close"] = item_area();
  place_list();
  end_dialog(areas_);
}

void Places::add_state(nlohmann::ordered_json& json) {
  nlohmann::ordered_json own{{"open", open_},
                             {"count", places_.size()},
                             {"names", nlohmann::ordered_json::array()},
                             {"coordinates", stage_->coordinates()},
                             {"problem", problem_},
                             {"said", said_},
                             {"areas", nlohmann::ordered_json::object()}};
  for (const scene::Bookmark& one : places_) own["names"].push_back(one.name);
  for (const auto& [name, area] : areas_) own["areas"][name] = numbers_of(area);
  json["places"] = std::move(own);
}

}  // namespace loom::app::places
