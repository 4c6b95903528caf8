#include "app/picture/window/save_dialog.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <nlohmann/json.hpp>

#include "app/files/output_file.h"
#include "app/files/typed_path.h"
#include "app/widgets/choice.h"
#include "app/widgets/dialog.h"
#include "app/widgets/item_area.h"
#include "compute/core/error.h"

namespace loom::app::picture {
namespace {

constexpr float kDialogWidth = 32;  // font sizes

}  // namespace

SaveDialog::SaveDialog(const Words& words, const Match& key, std::unique_ptr<PictureStage> stage)
    : words_(words), stage_(std::move(stage)) {
  keys_.add(words.key, words.help, key, [](bool& wished) { wished = true; });
}

void SaveDialog::menu_item() {
  if (ImGui::MenuItem(fmt::format("{}...", words_.title).c_str(), words_.key)) wished_ = true;
  places_["item"] = item_area();
}

void SaveDialog::dialogs() {
  if (!begin_ && !open_) return;
  places_.clear();
  open_ = begin_dialog(words_.title, begin_, kDialogWidth, 0.2f);
  if (!open_) return;
  rows();
  row_label("File");
  ImGui::SetNextItemWidth(rest_of_line());
  std::string typed = typed_;
  const bool entered = ImGui::InputText("##file", &typed, ImGuiInputTextFlags_EnterReturnsTrue);
  if (typed != typed_) name(std::move(typed));
  places_["file"] = item_area();
  tooltip(name_hint());
  buttons(entered || enter_is_free());
  if (!problem_.empty()) warning(problem_);
  if (!typed_.empty() && typed_.front() != '/')
    note("In " + std::filesystem::path(file_).parent_path().string() + ".");
  note(remark());
  end_dialog(places_);
}

void SaveDialog::buttons(bool entered) {
  const std::string none = doing_ != Doing::kNothing ? fmt::format("Another {} is in progress", words_.what)
                           : typed_.empty()          ? "Type a file name first"
                                                     : why_not();
  const bool pressed =
      choice_button(there_already_ ? "Replace" : words_.verb, false, part_of_line(2), none, "Enter");
  if (pressed || (entered && none.empty())) press_button();
  places_["save"] = item_area();
  ImGui::SameLine();
  if (choice_button("Close (Esc)", false, rest_of_line())) ImGui::CloseCurrentPopup();
  places_["close"] = item_area();
}

void SaveDialog::name(std::string typed) {
  typed_ = std::move(typed);
  file_ = typed_path(typed_).string();
  there_already_ = false;
}

void SaveDialog::press_button() {
  problem_.clear();
  bool right = false;
  try {
    check();
    right = true;
    check_may_replace(file_, there_already_, "Replace");
    check_can_be_written(words_.title, file_);
  } catch (const std::runtime_error& error) {
    problem_ = error.what();
    std::error_code ignored;
    there_already_ = right && std::filesystem::is_regular_file(file_, ignored);
    return;
  }
  there_already_ = false;
  making_ = file_;
  start();
  ImGui::CloseCurrentPopup();
}

void SaveDialog::begin(ShellEdit&) {
  take();
  if (std::exchange(wished_, false)) {
    begin_ = true;
    problem_.clear();
    there_already_ = false;
    const std::string suggestion = opens();
    if (typed_.empty() || typed_ == suggested_) name(suggestion);
    suggested_ = suggestion;
  }
  if (doing_ != Doing::kCopying) return;
  scene::SceneStage& scenes = stage_->scenes();
  if (auto cells = scenes.advance()) {
    copied(std::move(*cells));
  } else if (!scenes.asked()) {
    give_up(Message::warning(fmt::format("cancelled: {} {} was not saved", words_.what, making_)));
  }
}

void SaveDialog::give_up(Message message) {
  doing_ = Doing::kNothing;
  failed_ = message.kind != MessageKind::kSuccess;
  message_ = std::move(message);
}

void SaveDialog::copy_cells() {
  stage_->scenes().ask_for_cells();
  doing_ = Doing::kCopying;
}

void SaveDialog::work(std::function<std::string(Watch&)> job) {
  doing_ = Doing::kWorking;
  outcome_ = {};
  worker_.start([this, job = std::move(job)](Watch& watch) {
    try {
      outcome_.said = job(watch);
    } catch (const Cancelled&) {
      outcome_.cancelled = true;
    } catch (const std::bad_alloc&) {
      outcome_.problem = fmt::format("out of memory while creating the {}", words_.what);
    } catch (const std::runtime_error& error) {
      outcome_.problem = error.what();
    }
  });
}

void SaveDialog::take() {
  if (doing_ != Doing::kWorking || !worker_.has_ended()) return;
  if (outcome_.cancelled)
    return give_up(Message::warning(fmt::format("cancelled: {} {} was not saved", words_.what, making_)));
  if (!outcome_.problem.empty()) return give_up(Message::error(outcome_.problem));
  done_ = "saved " + making_ + outcome_.said;
  give_up(Message::success(done_));
}

Progress SaveDialog::progress() const {
  if (doing_ == Doing::kNothing) return {};
  const std::string name = std::filesystem::path(making_).filename().string();
  if (doing_ != Doing::kWorking) return {"copying the cells for " + name, 0};
  return {fmt::format("{} {}", words_.doing, name), worker_.watch().share()};
}

void SaveDialog::cancel() {
  if (doing_ == Doing::kWorking) worker_.watch().cancel();
}

std::string SaveDialog::unsaved() const {
  if (doing_ == Doing::kNothing) return {};
  return fmt::format("The {} {} is not finished yet ({:.0f} %)", words_.what, making_,
                     progress().share * 100);
}

void SaveDialog::add_state(nlohmann::ordered_json& json) {
  nlohmann::ordered_json own{{"open", open_},
                             {"file", typed_},
                             {"problem", problem_},
                             {"done", done_},
                             {"places", nlohmann::ordered_json::object()}};
  for (const auto& [name, place] : places_) own["places"][name] = numbers_of(place);
  json[words_.state] = std::move(own);
}

}  // namespace loom::app::picture
