#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <nlohmann/json.hpp>

#include "app/document/image/window/save_image.h"
#include "app/files/output_file.h"
#include "app/files/state_folder.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"
#include "compute/core/error.h"

namespace loom::app::image {
namespace {

constexpr float kDialogWidth = 32;  // font sizes

}  // namespace

SaveDialog::SaveDialog(const Labels& words, const KeyMatcher& key, scene::SceneSource& source)
    : labels_(words), menu_label_(std::string(words.title) + "..."), source_(source) {
  keys_.add({words.key, words.help, Menu::kFile, menu_label_.c_str()}, key,
            [](bool& requested) { requested = true; });
}

void SaveDialog::dialogs() {
  if (!begin_ && !open_) return;
  areas_.clear();
  open_ = begin_dialog(labels_.title, begin_, kDialogWidth, 0.2f);
  if (!open_) return;
  rows();
  row_label("File");
  ImGui::SetNextItemWidth(remaining_width());
  std::string typed = typed_;
  const bool entered = ImGui::InputText("##file", &typed, ImGuiInputTextFlags_EnterReturnsTrue);
  if (typed != typed_) name(std::move(typed));
  areas_["file"] = item_area();
  tooltip(name_hint());
  buttons(entered || is_enter_available());
  if (!problem_.empty()) warning(problem_);
  if (!typed_.empty() && typed_.front() != '/')
    note("In " + std::filesystem::path(file_).parent_path().string() + ".");
  note(remark());
  if (!done_.empty()) note(fmt::format("Last {}: {}.", labels_.what, done_));
  end_dialog(areas_);
}

void SaveDialog::buttons(bool entered) {
  const std::string none = phase_ != Phase::kNothing ? fmt::format("Another {} is in progress", labels_.what)
                           : typed_.empty()          ? "Type a file name first"
                                                     : disabled_reason();
  const bool pressed = primary_button(file_exists_ ? "Replace" : labels_.verb, equal_width(2), none, "Enter");
  if (pressed || (entered && none.empty())) press_button();
  areas_["save"] = item_area();
  ImGui::SameLine();
  if (choice_button("Close (Esc)", false, remaining_width())) ImGui::CloseCurrentPopup();
  areas_["close"] = item_area();
}

void SaveDialog::name(std::string typed) {
  typed_ = std::move(typed);
  file_ = typed_path(typed_).string();
  file_exists_ = false;
}

void SaveDialog::press_button() {
  problem_.clear();
  bool right = false;
  try {
    check();
    right = true;
    check_may_replace(file_, file_exists_, {});
    check_can_be_written(labels_.title, file_);
  } catch (const std::runtime_error& error) {
    problem_ = error.what();
    std::error_code ignored;
    file_exists_ = right && std::filesystem::is_regular_file(file_, ignored);
    return;
  }
  file_exists_ = false;
  file_in_progress_ = file_;
  remember_folder(file_);
  start();
  ImGui::CloseCurrentPopup();
}

void SaveDialog::begin(ShellEdit&) {
  take();
  if (std::exchange(open_requested_, false)) {
    begin_ = true;
    problem_.clear();
    file_exists_ = false;
    const std::string suggestion = on_open();
    if (typed_.empty() || typed_ == suggested_) name(suggestion);
    suggested_ = suggestion;
  }
  if (phase_ != Phase::kCopying) return;
  if (auto scene = source_.with_data(described_)) {
    on_data_copied(std::move(*scene));
  } else if (!source_.data_requested()) {
    abort_save(
        Message::warning(fmt::format("cancelled: {} {} was not saved", labels_.what, file_in_progress_)));
  }
}

void SaveDialog::abort_save(Message message) {
  phase_ = Phase::kNothing;
  failed_ = message.kind != MessageKind::kSuccess;
  message_ = std::move(message);
}

void SaveDialog::copy_data(scene::Scene described) {
  described_ = std::move(described);
  source_.request_data();
  phase_ = Phase::kCopying;
}

void SaveDialog::work(std::function<std::string(ProgressMonitor&)> job) {
  phase_ = Phase::kWorking;
  task_.start(std::move(job), fmt::format("out of memory while creating the {}", labels_.what));
}

void SaveDialog::take() {
  const auto outcome = task_.poll();
  if (!outcome) return;
  if (outcome->cancelled)
    return abort_save(
        Message::warning(fmt::format("cancelled: {} {} was not saved", labels_.what, file_in_progress_)));
  if (!outcome->problem.empty()) return abort_save(Message::error(outcome->problem));
  done_ = "saved " + file_in_progress_ + *outcome->result;
  abort_save(Message::success(done_));
}

Progress SaveDialog::progress() const {
  if (phase_ == Phase::kNothing) return {};
  const std::string name = std::filesystem::path(file_in_progress_).filename().string();
  if (phase_ != Phase::kWorking) return {"copying the cells for " + name, 0};
  return {fmt::format("{} {}", labels_.doing, name), task_.share()};
}

std::string SaveDialog::unsaved() const {
  if (phase_ == Phase::kNothing) return {};
  return fmt::format("The {} {} is not finished yet ({:.0f} %)", labels_.what, file_in_progress_,
                     progress().share * 100);
}

void SaveDialog::add_state(nlohmann::ordered_json& json) {
  nlohmann::ordered_json own{{"open", open_},
                             {"file", typed_},
                             {"problem", problem_},
                             {"done", done_},
                             {"remark", open_ ? remark() : ""},
                             {"places", numbers_of(areas_)}};
  json[labels_.state] = std::move(own);
}

}  // namespace loom::app::image
