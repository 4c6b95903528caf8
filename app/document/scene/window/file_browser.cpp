#include "app/document/scene/window/file_browser.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "app/files/output_file.h"
#include "app/files/state_folder.h"
#include "app/gui/imgui_compat.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "compute/core/error.h"

namespace loom::app::scene {
namespace {

constexpr float kBrowserWidth = 34;  // font sizes
constexpr float kListHeight = 14;

struct Completion {
  const std::filesystem::path& folder;
  const std::vector<std::string>& extensions;
};

int complete(ImGuiInputTextCallbackData* data) {
  const auto& about = *static_cast<const Completion*>(data->UserData);
  const std::string text(data->Buf, static_cast<std::size_t>(data->BufTextLen));
  const std::string whole = complete_name(about.folder, text, about.extensions);
  if (whole == text) return 0;
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, whole.c_str());
  return 0;
}

}  // namespace

void FileBrowser::open(Mode what, const std::string& name, const std::vector<std::string>& extensions,
                       const std::filesystem::path& folder) {
  what_ = what;
  name_ = name;
  extensions_ = extensions;
  begin_ = true;
  select_name_ = true;
  problem_.clear();
  enter(folder.empty() ? dialog_folder() : folder);
}

void FileBrowser::enter(const std::filesystem::path& folder) {
  may_replace_ = false;
  try {
    entries_ = list_folder(folder, extensions_);
    folder_ = folder;
  } catch (const InputError& error) {
    problem_ = error.what();
  }
}

void FileBrowser::show_problem(const std::string& problem) {
  problem_ = problem;
  focus_name_ = true;  // the user can correct the name
}

void FileBrowser::name_row() {
  row_label("File");
  if (std::exchange(focus_name_, false)) ImGui::SetKeyboardFocusHere();
  Completion about{folder_, extensions_};
  // Select a suggested name so that typing replaces it, but not a name that needs correction.
  const ImGuiInputTextFlags whole = select_name_ ? ImGuiInputTextFlags_AutoSelectAll : 0;
  entered_ = ImGui::InputText(
      "##name", &name_, whole | ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion,
      complete, &about);
  if (ImGui::IsItemActive()) select_name_ = false;
  if (ImGui::IsItemEdited()) {
    may_replace_ = false;
    problem_.clear();
  }
  areas_["name"] = item_area();
  if (!ImGui::IsItemActive()) tooltip("A name in this folder, or any path. Tab completes it, Enter confirms");
}

// Draws the entries. Returns the entry that was double-clicked, or a folder that was clicked.
std::optional<std::string> FileBrowser::entry_list() {
  std::optional<std::string> chosen;
  // Height in whole lines, so that the last line is not cut in half.
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float room = std::min(kListHeight * ImGui::GetFontSize(), ImGui::GetIO().DisplaySize.y * 0.45f);
  const ImGuiStyle& style = ImGui::GetStyle();
  const float height = std::floor(room / line) * line - style.ItemSpacing.y + 2 * style.WindowPadding.y;
  imgui_compat::begin_flat_child("##entries", {0, height}, true);
  if (folder_.has_parent_path() && folder_ != folder_.root_path()) {
    if (ImGui::Selectable("../   Parent folder")) chosen = "..";
    areas_["above"] = item_area();
  }
  for (const FolderEntry& entry : entries_) {
    const std::string label = entry.name + (entry.is_folder ? "/" : "");
    if (ImGui::Selectable(label.c_str(), entry.name == name_, ImGuiSelectableFlags_AllowDoubleClick)) {
      if (entry.is_folder) {
        chosen = entry.name;
      } else {
        name_ = entry.name;
        may_replace_ = false;
        problem_.clear();
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) chosen = entry.name;
      }
    }
    if (ImGui::IsItemVisible()) areas_[label] = item_area();
  }
  if (entries_.empty()) note(labels_.nothing);
  ImGui::EndChild();
  return chosen;
}

std::optional<std::filesystem::path> FileBrowser::choose() {
  if (name_.empty()) {
    problem_ = "Type or select a name first";
    return std::nullopt;
  }
  std::filesystem::path file = typed_path(folder_, name_);
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    enter(file);
    name_.clear();
    focus_name_ = true;
    return std::nullopt;
  }
  if (what_ == Mode::kOpen) {
    if (std::filesystem::is_regular_file(file, ignored)) {
      remember_folder(file);
      return file;
    }
    problem_ = "This file does not exist";
    return std::nullopt;
  }
  if (file.extension().empty()) file += extensions_.front();
  if (std::filesystem::exists(file, ignored) && !std::exchange(may_replace_, true)) {
    problem_ = file.filename().string() + " already exists: press Replace to replace it";
    return std::nullopt;
  }
  try {
    check_can_be_written("Save", file);
    remember_folder(file);
    return file;
  } catch (const std::runtime_error& error) {
    problem_ = error.what();
    return std::nullopt;
  }
}

std::optional<std::filesystem::path> FileBrowser::show() {
  const bool is_new = begin_;  // the key that opened it may still be pressed
  focus_name_ = focus_name_ || is_new;
  close_ = close_ && !is_new;
  areas_.clear();
  open_ = begin_dialog(title(), begin_, kBrowserWidth, 0.12f);
  if (!open_) return std::nullopt;
  std::optional<std::filesystem::path> chosen;
  const std::string path = folder_.string();
  note(path);
  const auto clicked = entry_list();
  name_row();
  const bool is_open = what_ == Mode::kOpen;
  const float half = equal_width(2);
  const bool button = primary_button(is_open ? "Open" : may_replace_ ? "Replace" : "Save", half);
  areas_["choose"] = item_area();
  ImGui::SameLine();
  if (choice_button("Cancel (Esc)", false, remaining_width())) close_ = true;
  areas_["cancel"] = item_area();
  if (clicked) {
    const std::filesystem::path at = typed_path(folder_, *clicked);
    std::error_code ignored;
    if (std::filesystem::is_directory(at, ignored)) {
      enter(at.has_filename() ? at : at.parent_path());
    } else {
      chosen = choose();
    }
  } else if (button || entered_ || (is_open && !is_new && !name_.empty() && is_enter_available())) {
    chosen = choose();
    if (!chosen) focus_name_ = true;
  }
  if (!problem_.empty()) warning(problem_);
  // Also handles Esc while the name field has keyboard focus.
  if (imgui_compat::is_pressed(GLFW_KEY_ESCAPE)) close_ = true;
  if (std::exchange(close_, false)) ImGui::CloseCurrentPopup();
  end_dialog(areas_);
  return chosen;
}

}  // namespace loom::app::scene
