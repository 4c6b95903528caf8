#include "app/document/bookmarks/window/bookmark_manager.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cstdint>
#include <glm/common.hpp>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/files/state_folder.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/input_queue.h"
#include "app/gui/theme.h"
#include "app/shell/shortcuts.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "compute/core/error.h"
#include "render/png.h"

namespace loom::app::bookmarks {
namespace {

constexpr std::uint64_t kMaxBookmarkBytes = std::uint64_t{1} << 24;

bool has(const std::vector<scene::Bookmark>& bookmarks, const scene::Bookmark& place) {
  return std::ranges::any_of(
      bookmarks, [&](const scene::Bookmark& one) { return one.name == place.name && one.same_view(place); });
}

LoadedBookmarks read_or_move_aside(const std::filesystem::path& file, scene::Formats formats) {
  try {
    const auto text = read_state_file(file, kMaxBookmarkBytes);
    if (!text) return {};
    return {.bookmarks = scene::read_bookmark_text(*text, formats), .problem = {}};
  } catch (const InputError& error) {
    const auto aside = move_aside(file);
    return {.bookmarks = {},
            .problem = fmt::format("Bookmarks could not be read ({}). The file was moved to {}.",
                                   error.what(), aside.string())};
  }
}

}  // namespace

std::optional<std::filesystem::path> bookmarks_file() {
  const auto folder = data_folder();
  if (!folder) return std::nullopt;
  return *folder / "places.json";
}

LoadedBookmarks load_bookmarks(const std::filesystem::path& file, scene::Formats formats) {
  const FolderLock lock(file.parent_path());  // ensures that the file moved aside is the file that was read
  return read_or_move_aside(file, formats);
}

std::vector<scene::Bookmark> merge_bookmarks(const std::vector<scene::Bookmark>& before,
                                             const std::vector<scene::Bookmark>& mine,
                                             const std::vector<scene::Bookmark>& theirs) {
  std::vector<scene::Bookmark> all;
  for (const scene::Bookmark& one : mine) {
    if (!has(before, one) || has(theirs, one)) all.push_back(one);
  }
  for (const scene::Bookmark& one : theirs) {
    if (!has(before, one) && !has(mine, one) && all.size() < scene::kMaxBookmarks) all.push_back(one);
  }
  return all;
}

std::vector<scene::Bookmark> save_bookmarks(const std::filesystem::path& file,
                                            const std::vector<scene::Bookmark>& before,
                                            const std::vector<scene::Bookmark>& mine,
                                            scene::Formats formats) {
  std::error_code failure;
  std::filesystem::create_directories(file.parent_path(), failure);
  // Prevents concurrent windows from overwriting each other's changes.
  const FolderLock lock(file.parent_path());
  // A missing or replaced file is not a deletion of bookmarks.
  const bool there = std::filesystem::is_regular_file(file, failure);
  const LoadedBookmarks now = there ? read_or_move_aside(file, formats) : LoadedBookmarks{};
  std::vector<scene::Bookmark> all =
      there && now.problem.empty() ? merge_bookmarks(before, mine, now.bookmarks) : mine;
  write_state_file(file, scene::text_of(all));
  return all;
}

namespace {

constexpr const char* kTitle = "Bookmarks";
constexpr float kBookmarksWidth = 34;  // font sizes
constexpr float kBookmarksHeight = 20;
constexpr float kPictureHeight = 3.2f;

/// A thumbnail: each of its pixels is the mean of the image pixels that it covers.
scene::Thumbnail thumbnail_of(const render::RgbImage& image, const render::Rect<int>& part) {
  using scene::Thumbnail;
  Thumbnail small;
  if (part.empty()) return small;
  const auto range = [](int index, int count, int begin, int length) {
    const auto edge = [&](int i) {
      return begin + static_cast<int>(static_cast<std::int64_t>(i) * length / count);
    };
    return std::pair{edge(index), std::max(edge(index) + 1, edge(index + 1))};
  };
  for (int y = 0; y < Thumbnail::kHeight; ++y) {
    const auto [top, bottom] = range(y, Thumbnail::kHeight, part.corner.y, part.size.y);
    for (int x = 0; x < Thumbnail::kWidth; ++x) {
      const auto [left, right] = range(x, Thumbnail::kWidth, part.corner.x, part.size.x);
      std::uint64_t sums[3] = {};
      for (int row = top; row < bottom; ++row) {
        for (int column = left; column < right; ++column) {
          const std::size_t at = (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.size.x) +
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

/// The centre of an area, cropped to the thumbnail's aspect ratio and to the framebuffer.
render::Rect<int> thumbnail_part(const Area& area, float scale, glm::ivec2 framebuffer) {
  constexpr float kProportion = static_cast<float>(scene::Thumbnail::kWidth) / scene::Thumbnail::kHeight;
  const float width = std::min(area.size.x, area.size.y * kProportion);
  const glm::vec2 size{width, width / kProportion};
  const auto pixels = [&](glm::vec2 units) { return glm::ivec2(glm::floor(units * scale)); };
  const glm::ivec2 corner =
      glm::clamp(pixels(area.corner + (area.size - size) / 2.0f), glm::ivec2(0), framebuffer);
  return {corner, glm::min(pixels(size), framebuffer - corner)};
}

}  // namespace

Shortcuts<BookmarkManager::Request> BookmarkManager::shortcuts() {
  Shortcuts<Request> keys;
  keys.add({"Ctrl Shift C", "copy this scene as a command line, to share it", Menu::kEdit, "Copy as command"},
           with_ctrl_shift('c'), [](Request& w) { w = Request::kCopyCommand; });
  keys.add({"Ctrl B", "list of bookmarks", Menu::kNavigate, "Bookmarks..."}, with_ctrl({'b'}),
           [](Request& w) { w = Request::kOpen; });
  keys.add({"Ctrl D", "add a bookmark", Menu::kNavigate, "Add bookmark"}, with_ctrl({'d'}),
           [](Request& w) { w = Request::kAdd; });
  return keys;
}

BookmarkManager::BookmarkManager(scene::SceneSource& source, CommandLine command_line)
    : source_(source), command_line_(std::move(command_line)), keys_(shortcuts()) {
  list_commands();
}

void BookmarkManager::load() {
  const auto file = bookmarks_file();
  if (!file) return;
  autosave_ = true;
  LoadedBookmarks read = load_bookmarks(*file, source_.formats());
  add_from_scene(read.bookmarks);
  last_saved_ = std::move(read.bookmarks);
  save_pending_ = false;
  if (!read.problem.empty()) message_ = Message::error(std::move(read.problem));
}

bool BookmarkManager::press(const KeyPress& press) {
  return keys_.press(press, request_);
}

std::string BookmarkManager::description_of(const scene::Bookmark& bookmark) const {
  return scene::find_format(source_.formats(), bookmark.workspace).describe_place(bookmark.place);
}

void BookmarkManager::add_from_scene(const std::vector<scene::Bookmark>& bookmarks) {
  for (const scene::Bookmark& one : bookmarks) {
    const bool known =
        std::ranges::any_of(bookmarks_, [&](const auto& other) { return other.same_view(one); });
    if (known || bookmarks_.size() >= scene::kMaxBookmarks) continue;
    bookmarks_.push_back(one);
    shown_.emplace_back();
    save_pending_ = true;
  }
}

// Shows bookmarks that another window saved in the meantime.
void BookmarkManager::take_saved(Task<std::vector<scene::Bookmark>>::Outcome outcome) {
  failed_ = !outcome.result;
  if (failed_) {
    message_ = Message::error(
        fmt::format("Bookmarks cannot be saved and last until this window closes: {}", outcome.problem));
    return;
  }
  // Keep changes made here while the file was being written.
  std::vector<scene::Bookmark> now = merge_bookmarks(last_saved_, bookmarks_, *outcome.result);
  last_saved_ = std::move(*outcome.result);
  if (now.size() == bookmarks_.size() &&
      std::ranges::equal(now, bookmarks_, {}, &scene::Bookmark::name, &scene::Bookmark::name))
    return;
  bookmarks_ = std::move(now);
  shown_.clear();
  shown_.resize(bookmarks_.size());
}

// Runs in the background, because writing to disk may be slow.
void BookmarkManager::start_save() {
  if (auto outcome = save_task_.poll()) take_saved(std::move(*outcome));
  if (!save_pending_ || save_task_.running()) return;
  save_pending_ = false;
  const auto file = bookmarks_file();
  if (!file || !autosave_) return;
  // The write ignores cancellation, because the file is the only copy of the bookmarks.
  save_task_.start([file = *file, before = last_saved_, mine = bookmarks_, formats = source_.formats()](
                       ProgressMonitor&) { return save_bookmarks(file, before, mine, formats); });
}

std::string BookmarkManager::finish() {
  if (auto outcome = save_task_.wait()) take_saved(std::move(*outcome));
  const auto file = bookmarks_file();
  if (!(save_pending_ || failed_) || !file || !autosave_) return {};
  save_pending_ = failed_ = false;
  try {
    save_bookmarks(*file, last_saved_, bookmarks_, source_.formats());
  } catch (const std::runtime_error& error) {
    failed_ = true;
    return error.what();
  }
  return {};
}

void BookmarkManager::go_to_text(const std::string& text) {
  try {
    feedback_ = workspace().go_to_coordinates(text);
    problem_.clear();
    typing_ = false;
    close_ = feedback_.empty();
  } catch (const InputError& error) {
    problem_ = error.what();
  }
}

void BookmarkManager::act(ShellEdit& shell) {
  const Request request = std::exchange(request_, Request::kNone);
  if (request == Request::kOpen) begin_ = true;
  if (request == Request::kAdd) to_picture_ = true;
  if (request == Request::kCopyCommand) {
    try {
      const std::string command = command_line_();
      ImGui::SetClipboardText(command.c_str());
      constexpr std::size_t kMaxShown = 1000;
      message_ = Message::success(
          fmt::format("Copied: {}{}", command.substr(0, kMaxShown), command.size() > kMaxShown ? "..." : ""));
    } catch (const InputError& error) {
      message_ = Message::error(fmt::format("{}. The clipboard is unchanged", error.what()));
    }
  }
  if (const auto gone = std::exchange(remove_, std::nullopt); gone && *gone < bookmarks_.size()) {
    bookmarks_.erase(bookmarks_.begin() + static_cast<std::ptrdiff_t>(*gone));
    shown_.erase(shown_.begin() + static_cast<std::ptrdiff_t>(*gone));
    save_pending_ = true;
  }
  if (go_ && *go_ < bookmarks_.size()) {
    const Application& application = source_.application();
    const scene::Bookmark& bookmark = bookmarks_[*go_];
    const std::size_t index = application.index_of(bookmark.workspace);
    application.workspaces()[index]->go_to_place(bookmark.place);
    shell.settings.workspace = index;
  }
  go_.reset();
  if (go_text_) go_to_text(*std::exchange(go_text_, std::nullopt));
  if (std::exchange(save_position_, false)) shell.save = workspace().save(SavedPart::kPosition);
}

void BookmarkManager::begin(ShellEdit& shell) {
  act(shell);  // call before the list changes: a pending deletion is an index into the list that was drawn
  start_save();
  list_commands();
}

void BookmarkManager::list_commands() {
  commands_.assign(keys_.commands().begin(), keys_.commands().end());
  for (const scene::Bookmark& one : bookmarks_)
    commands_.push_back({"", one.workspace.c_str(), Menu::kBookmark, one.name.c_str()});
}

void BookmarkManager::run(std::size_t command) {
  const std::size_t keys = keys_.commands().size();
  if (command < keys) return keys_.run(command, request_);
  go_ = command - keys;
}

void BookmarkManager::on_frame_rendered(const RenderedFrame& frame) {
  if (!to_picture_) return;
  to_picture_ = false;
  if (bookmarks_.size() >= scene::kMaxBookmarks) {
    message_ = Message::warning(
        fmt::format("There are already {} bookmarks. Delete one first", scene::kMaxBookmarks));
    return;
  }
  Place place = workspace().place();
  scene::Bookmark bookmark{.name = std::move(place.name),
                           .workspace = std::string(workspace().id()),
                           .place = std::move(place.json)};
  const glm::ivec2 size = frame.context.framebuffer_size();
  const render::Rect<int> part =
      thumbnail_part(workspace().picture_area(), workspace().picture_scale(), size);
  bookmark.thumbnail = thumbnail_of(render::read_framebuffer(frame.context.framebuffer(), size), part);
  if (!name_.empty()) bookmark.name = name_.substr(0, scene::kMaxBookmarkName);
  name_.clear();
  message_ = autosave_
                 ? Message::success("Bookmark added: " + bookmark.name)
                 : Message::warning("Bookmark added until this window closes (no folder for bookmarks): " +
                                    bookmark.name);
  bookmarks_.push_back(std::move(bookmark));
  shown_.emplace_back();
  save_pending_ = true;
}

void BookmarkManager::coordinates_rows() {
  const Place place = workspace().place();
  if (!typing_) coordinates_ = place.shown;
  const CoordinateLabels& labels = workspace().info().coordinates;
  row_label(labels.label);
  ImGui::SetNextItemWidth(remaining_width());
  const bool entered = bounded_text_field("##coordinates", coordinates_);
  if (ImGui::IsItemActive()) typing_ = true;
  if (typing_ && !ImGui::IsItemActive() && !entered && problem_.empty()) typing_ = ImGui::IsItemDeactivated();
  areas_["coordinates"] = item_area();
  tooltip(labels.hint);
  const auto with_all_digits = [&] { return coordinates_ == place.shown ? place.coordinates : coordinates_; };
  if (entered) go_text_ = with_all_digits();
  row_label("");
  const float width = equal_width(labels.save_hint != nullptr ? 4 : 3);
  if (choice_button("Go", false, width, {}, "Go to these coordinates")) go_text_ = with_all_digits();
  areas_["go"] = item_area();
  ImGui::SameLine();
  if (choice_button("Copy", false, width, {}, "Copies these coordinates to the clipboard"))
    ImGui::SetClipboardText(with_all_digits().c_str());
  areas_["copy"] = item_area();
  ImGui::SameLine();
  if (choice_button("Paste", false, labels.save_hint != nullptr ? width : remaining_width(), {},
                    labels.paste_hint))
    go_text_ = clipboard::text();
  areas_["paste"] = item_area();
  if (labels.save_hint == nullptr) return;
  ImGui::SameLine();
  if (choice_button("Save...", false, remaining_width(), {}, labels.save_hint)) {
    save_position_ = true;
    ImGui::CloseCurrentPopup();
  }
  areas_["save"] = item_area();
}

// Draws a row. Returns true if its bookmark is to be deleted.
bool BookmarkManager::bookmark_row(std::size_t number, float width) {
  const scene::Bookmark& bookmark = bookmarks_[number];
  ThumbnailTexture& shown = shown_[number];
  const float font = ImGui::GetFontSize();
  const glm::vec2 picture{kPictureHeight * font * scene::Thumbnail::kWidth / scene::Thumbnail::kHeight,
                          kPictureHeight * font};
  if (!shown.uploaded && bookmark.thumbnail.rgb.size() == scene::Thumbnail::kBytes) {
    std::vector<std::uint32_t> colours;
    for (std::size_t i = 0; i < scene::Thumbnail::kBytes; i += 3) {
      const auto byte = [&](std::size_t at) {
        return std::uint32_t{static_cast<std::uint8_t>(bookmark.thumbnail.rgb[at])};
      };
      colours.push_back(0xff000000u | byte(i + 2) << 16 | byte(i + 1) << 8 | byte(i));
    }
    shown.picture.upload({scene::Thumbnail::kWidth, scene::Thumbnail::kHeight}, colours);
    shown.uploaded = true;
  }
  ImGui::PushID(static_cast<int>(number));
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  const float forget = button_width("Delete");
  ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, {0, 0.5f});
  if (ImGui::Selectable("##place", selected_ == number, 0,
                        {width - forget - ImGui::GetStyle().ItemSpacing.x, picture.y}))
    go_ = number;
  ImGui::PopStyleVar();
  if (number == 0) ImGui::SetItemDefaultFocus();
  if (ImGui::IsItemFocused()) focused_ = number;
  if (ImGui::IsItemVisible()) areas_[fmt::format("place {}", number)] = item_area();
  // Reading a place takes time that grows with its digits.
  if (shown.description.empty()) shown.description = description_of(bookmark);
  const std::string& words = shown.description;
  tooltip("Go to " + words);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (shown.uploaded) {
    list.AddImage(imgui_compat::texture_id(shown.picture.gl_name()), at,
                  {at.x + picture.x, at.y + picture.y});
  }
  const float left = at.x + picture.x + theme::grid(2);
  const float room = width - forget - picture.x - font * 1.6f;
  list.PushClipRect({left, at.y}, {left + room, at.y + picture.y}, true);
  list.AddText({left, at.y + theme::grid(1)}, ImGui::GetColorU32(ImGuiCol_Text), bookmark.name.c_str());
  list.AddText({left, at.y + font * 1.5f}, ImGui::GetColorU32(theme::colours().muted), words.c_str());
  list.PopClipRect();
  ImGui::SameLine();
  // Not for arrow keys, so that they go from bookmark to bookmark.
  ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);
  const bool gone = ImGui::Button("Delete", {forget, 0});
  ImGui::PopItemFlag();
  tooltip("Deletes the bookmark (Del)");
  if (ImGui::IsItemVisible()) areas_[fmt::format("forget {}", number)] = item_area();
  ImGui::PopID();
  return gone;
}

void BookmarkManager::bookmark_list() {
  if (bookmarks_.empty()) {
    note("No bookmarks yet. Ctrl D adds the current view, in either workspace.");
    return;
  }
  const float height =
      std::min(kBookmarksHeight * ImGui::GetFontSize(), ImGui::GetIO().DisplaySize.y * 0.45f);
  imgui_compat::begin_flat_child("##places", {0, height}, true);
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushStyleColor(ImGuiCol_Header, theme::colours().grab);
  for (std::size_t i = 0; i < bookmarks_.size(); ++i) {
    if (bookmark_row(i, width)) remove_ = i;
  }
  ImGui::PopStyleColor();
  ImGui::EndChild();
  selected_ = std::exchange(focused_, std::nullopt);
  if (selected_ && imgui_compat::is_enter_pressed()) go_ = selected_;
  if (selected_ && imgui_compat::is_pressed(GLFW_KEY_DELETE)) remove_ = selected_;
  if (go_) ImGui::CloseCurrentPopup();
}

void BookmarkManager::dialogs() {
  if (!begin_ && !open_) return;
  areas_.clear();
  if (begin_) {
    typing_ = false;
    problem_.clear();
    feedback_.clear();
    close_ = false;
    selected_.reset();
  }
  open_ = begin_dialog(kTitle, begin_, kBookmarksWidth, 0.12f);
  if (!open_) return;
  if (std::exchange(close_, false)) ImGui::CloseCurrentPopup();
  coordinates_rows();
  if (!problem_.empty()) warning(problem_);
  if (!feedback_.empty()) note(feedback_);
  row_label("Name");
  ImGui::SetNextItemWidth(remaining_width());
  ImGui::InputTextWithHint("##name", "Default name", &name_);
  areas_["name"] = item_area();
  row_label("");
  // The thumbnail is taken from a frame without this dialog.
  if (primary_button("Add (Ctrl D)", equal_width(2))) {
    request_ = Request::kAdd;
    ImGui::CloseCurrentPopup();
  }
  areas_["keep"] = item_area();
  ImGui::SameLine();
  if (choice_button("Close (Esc)", false, remaining_width())) ImGui::CloseCurrentPopup();
  areas_["close"] = item_area();
  bookmark_list();
  end_dialog(areas_);
}

void BookmarkManager::add_state(nlohmann::ordered_json& json) {
  nlohmann::ordered_json own{{"open", open_},
                             {"count", bookmarks_.size()},
                             {"names", nlohmann::ordered_json::array()},
                             {"coordinates", workspace().place().shown},
                             {"problem", problem_},
                             {"said", feedback_},
                             {"selected", nullptr},
                             {"areas", nlohmann::ordered_json::object()}};
  if (selected_) own["selected"] = *selected_;
  for (const scene::Bookmark& one : bookmarks_) own["names"].push_back(one.name);
  for (const auto& [name, area] : areas_) own["areas"][name] = numbers_of(area);
  json["places"] = std::move(own);
}

}  // namespace loom::app::bookmarks
