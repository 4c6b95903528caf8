#include "app/scene/window/scene_files.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "app/files/new_file.h"
#include "app/files/output_file.h"
#include "app/scene/recent_files.h"
#include "app/shell/key_match.h"
#include "app/text/format.h"
#include "app/widgets/choice.h"
#include "app/widgets/item_area.h"
#include "compute/core/error.h"

namespace loom::app::scene {
namespace {

constexpr const char* kMenu = "##file menu";

const std::vector<std::string>& openable() {
  static const std::vector<std::string> endings = {kEnding, ".png", ".rle", ".cells"};
  return endings;
}

const std::vector<std::string>& saveable() {
  static const std::vector<std::string> endings = {kEnding};
  return endings;
}

/// "sierpinski-gasket, level 9, generation 431"
std::string words_of(const Scene& scene) {
  return fmt::format("{}, level {}, generation {}", scene.life.config.fractal.name(), scene.life.config.level,
                     scene.cells.generation);
}

std::filesystem::path folder_of(const std::optional<std::filesystem::path>& file) {
  std::error_code failure;
  if (file && file->has_parent_path()) return file->parent_path();
  auto here = std::filesystem::current_path(failure);
  return failure ? std::filesystem::path("/") : here;
}

}  // namespace

SceneFiles::SceneFiles(std::unique_ptr<SceneStage> stage)
    : stage_(std::move(stage)), recent_(recent_files()) {
  keys_.add("Ctrl O", "open a scene, an image that contains one, or a pattern", with_ctrl({'o'}),
            [](Wish& w) { w = Wish::kOpen; });
  keys_.add("Ctrl Shift S", "save the scene as", with_ctrl_shift('s'), [](Wish& w) { w = Wish::kSaveAs; });
  keys_.add("Ctrl S", "save the scene", with_ctrl({'s'}), [](Wish& w) { w = Wish::kSave; });
}

void SceneFiles::browse(FileBrowser::For what) {
  std::string name;
  if (what == FileBrowser::For::kSave) {
    name = (file_ ? file_->stem().string() : plain_file_name(stage_->describe().life.config.fractal.name())) +
           kEnding;
  }
  browser_.open(what, folder_of(file_), name, what == FileBrowser::For::kOpen ? openable() : saveable());
}

void SceneFiles::act() {
  const Wish wish = std::exchange(wish_, Wish::kNone);
  if (wish == Wish::kNone) return;
  if (doing_ != Doing::kNothing && doing_ != Doing::kLooking) {
    message_ = Message::warning("Another file is in progress: " + progress().what);
    return;
  }
  if (wish == Wish::kOpen) return browse(FileBrowser::For::kOpen);
  // A picture that a scene came from is not written over.
  const bool named = file_ && file_->extension() == kEnding;
  wish == Wish::kSave&& named ? save(*file_) : browse(FileBrowser::For::kSave);
}

// Whether a file may be taken up now; the message says what goes on where not. What is only to be offered
// gives way.
bool SceneFiles::is_free() {
  if (doing_ == Doing::kLooking) {
    worker_.watch().cancel();
    worker_.wait();
    doing_ = Doing::kNothing;
  }
  if (doing_ != Doing::kNothing)
    message_ = Message::warning("Another file is in progress: " + progress().what);
  return doing_ == Doing::kNothing;
}

void SceneFiles::save(const std::filesystem::path& file) {
  if (!is_free()) return;
  target_ = file;
  stage_->ask_for_cells();
  doing_ = Doing::kCopying;
}

void SceneFiles::write(Scene scene) {
  doing_ = Doing::kWriting;
  outcome_ = {};
  worker_.start(
      [this, file = *target_, scene = std::make_shared<const Scene>(std::move(scene))](Watch& watch) {
        try {
          outcome_.bytes = save_file(file, *scene, &watch);
          remember_file(file);  // here: a disk may take its time
        } catch (const Cancelled&) {
          outcome_.cancelled = true;
        } catch (const std::bad_alloc&) {
          outcome_.problem = fmt::format("{}: out of memory while writing", file.string());
        } catch (const std::runtime_error& error) {
          outcome_.problem = error.what();
        }
      });
}

void SceneFiles::read(const std::filesystem::path& file, bool to_offer) {
  if (stage_->is_part(file)) return parts_.push_back(file);
  if (!is_free()) return;
  doing_ = to_offer ? Doing::kLooking : Doing::kReading;
  target_ = file;
  outcome_ = {};
  worker_.start([this, file, to_offer, room = stage_->room()](Watch& watch) {
    try {
      outcome_.scene = read_file(file, room, &watch);
      if (!to_offer) remember_file(file);
    } catch (const Cancelled&) {
      outcome_.cancelled = true;
    } catch (const std::bad_alloc&) {
      outcome_.problem = fmt::format("{}: out of memory while reading", file.string());
    } catch (const std::runtime_error& error) {
      outcome_.problem = error.what();
    }
  });
}

void SceneFiles::look_for_last() {
  const auto file = last_scene_file();
  std::error_code failure;
  if (file && std::filesystem::is_regular_file(*file, failure)) read(*file, true);
}

// What the worker has ended with.
void SceneFiles::take() {
  const bool works = doing_ == Doing::kWriting || doing_ == Doing::kReading || doing_ == Doing::kLooking;
  if (!works || !worker_.has_ended()) return;
  const Doing did = std::exchange(doing_, Doing::kNothing);
  if (did == Doing::kLooking) {
    // One that cannot be read is not offered; nobody asked for it.
    if (outcome_.scene) {
      last_words_ = words_of(*outcome_.scene);
      last_ = std::move(outcome_.scene);
      offers_ = true;
    }
    return;
  }
  const std::string name = target_->filename().string();
  failed_ = did == Doing::kWriting && (outcome_.cancelled || !outcome_.problem.empty());
  if (outcome_.cancelled) {
    message_ = Message::warning(did == Doing::kWriting ? fmt::format("cancelled: {} is unchanged", name)
                                                       : fmt::format("cancelled: {} was not opened", name));
    return;
  }
  if (!outcome_.problem.empty()) {
    message_ = Message::error(outcome_.problem);
    return;
  }
  if (did == Doing::kReading) {
    to_show_ = std::move(outcome_.scene);
    to_show_is_file_ = true;
    done_ = "opened " + name;
    message_ = Message::success("Opened " + target_->string());
  } else {
    done_ = fmt::format("saved {}: {}", name, with_units(outcome_.bytes));
    message_ = Message::success(fmt::format("Saved {}: {}", target_->string(), with_units(outcome_.bytes)));
    stage_->undo().mark_saved(described_);
  }
  set_file(*target_);
  recent_ = recent_files();
}

void SceneFiles::open_parts(ShellEdit& shell) {
  for (const auto& file : std::exchange(parts_, {})) {
    try {
      stage_->open_part(file, shell);
    } catch (const InputError& error) {
      message_ = Message::error(error.what());
    }
  }
}

void SceneFiles::begin(ShellEdit& shell) {
  take();
  if (doing_ == Doing::kCopying) {
    if (auto cells = stage_->advance()) {
      Scene scene = stage_->describe();  // as it is now
      described_ = stage_->undo().scene_state();
      scene.cells = std::move(*cells);
      write(std::move(scene));
    } else if (!stage_->asked()) {
      doing_ = Doing::kNothing;
      failed_ = true;
      message_ = Message::warning(fmt::format("cancelled: {} was not saved", target_->filename().string()));
    }
  }
  while (!dropped_.empty() && (doing_ == Doing::kNothing || doing_ == Doing::kLooking) && !to_show_) {
    const std::filesystem::path file = std::move(dropped_.front());
    dropped_.pop_front();
    read(file, false);
  }
  open_parts(shell);
  if (to_show_) {
    stage_->show(*to_show_, shell);
    if (std::exchange(to_show_is_file_, false)) stage_->undo().mark_opened();
    to_show_.reset();
    offers_ = false;
  }
  if (offers_ && stage_->undo().changed_cells()) offers_ = false;
  act();
}

void SceneFiles::menu() {
  if (!ImGui::BeginPopup(kMenu)) return;
  if (ImGui::MenuItem("Open...", "Ctrl O")) wish_ = Wish::kOpen;
  places_["open"] = item_area();
  if (ImGui::MenuItem("Save", "Ctrl S")) wish_ = Wish::kSave;
  places_["save"] = item_area();
  if (ImGui::MenuItem("Save as...", "Ctrl Shift S")) wish_ = Wish::kSaveAs;
  places_["save_as"] = item_area();
  if (last_) {
    if (ImGui::MenuItem("Restore last session")) restore();
    places_["last_session"] = item_area();
    tooltip(last_words_);
  }
  for (const auto& items : more_items_) items();
  if (!recent_.empty()) {
    ImGui::Separator();
    note("Recent");
    for (std::size_t i = 0; i < recent_.size(); ++i) {
      const std::string label = recent_[i].filename().string() + "##" + std::to_string(i);
      if (ImGui::MenuItem(label.c_str())) read(recent_[i], false);
      places_["recent " + std::to_string(i)] = item_area();
      tooltip(recent_[i].string());
    }
  }
  if (ImGui::IsWindowAppearing()) places_.clear();  // its size is found in the first frame
  ImGui::EndPopup();
}

void SceneFiles::button(float width) {
  // Frames without a menu or an offer allocate nothing.
  if (places_.size() > 1) places_.clear();
  const std::string_view hint = file_ ? std::string_view(done_) : "Save and open scenes";
  if (choice_button("File", false, width, {}, hint)) ImGui::OpenPopup(kMenu);
  places_["file"] = item_area();
  menu();
}

void SceneFiles::notice() {
  if (!offers_) return;
  note("Last session: " + last_words_);
  const float half = part_of_line(2);
  if (choice_button("Restore", false, half, {}, "Restores the scene of the last session")) restore();
  places_["restore"] = item_area();
  ImGui::SameLine();
  if (choice_button("Dismiss", false, rest_of_line(), {},
                    "File > Restore last session still restores it until this window closes"))
    offers_ = false;
  places_["dismiss"] = item_area();
}

void SceneFiles::restore() {
  to_show_ = std::exchange(last_, std::nullopt);
  offers_ = false;
}

void SceneFiles::set_file(const std::filesystem::path& file) {
  file_ = file;
  file_name_ = file.filename().string();
}

void SceneFiles::ask_where(SaveRequest request) {
  request_ = std::move(request);
  request_browser_ = FileBrowser({.save = request_->title, .nothing = request_->nothing});
  request_browser_.open(FileBrowser::For::kSave, folder_of(file_), request_->name, {request_->ending});
}

void SceneFiles::request_dialog() {
  if (!request_) return;
  if (const auto file = request_browser_.show()) {
    try {
      request_->save(*file);
      request_browser_.close();
    } catch (const std::runtime_error& error) {  // a wrong name, or a full disk
      request_browser_.refuse(error.what());
    }
  }
  if (!request_browser_.is_open()) request_.reset();
}

void SceneFiles::dialogs() {
  request_dialog();
  const auto file = browser_.show();
  if (!file) return;
  if (browser_.what() == FileBrowser::For::kSave) {
    save(*file);
  } else {
    read(*file, false);
  }
  browser_.close();
}

Progress SceneFiles::progress() const {
  if (doing_ == Doing::kNothing || doing_ == Doing::kLooking || !target_) return {};
  const std::string name = target_->filename().string();
  if (doing_ == Doing::kCopying) return {"copying the cells for " + name, 0};
  return {(doing_ == Doing::kWriting ? "saving " : "opening ") + name, worker_.watch().share()};
}

void SceneFiles::cancel() {
  dropped_.clear();
  if (doing_ == Doing::kWriting || doing_ == Doing::kReading) worker_.watch().cancel();
}

std::string SceneFiles::unsaved() const {
  if (doing_ != Doing::kCopying && doing_ != Doing::kWriting) return {};
  const double share = doing_ == Doing::kWriting ? worker_.watch().share() : 0;
  return fmt::format("{} is not saved yet ({:.0f} %)", target_->filename().string(), share * 100);
}

void SceneFiles::add_state(nlohmann::ordered_json& json) {
  nlohmann::ordered_json own{{"open", browser_.is_open()},
                             {"saves", browser_.what() == FileBrowser::For::kSave},
                             {"name", browser_.name()},
                             {"problem", browser_.problem()},
                             {"offered", offers_ ? last_words_ : ""},
                             {"last_session", last_ ? last_words_ : ""},
                             {"done", done_},
                             {"file", file_ ? file_->string() : ""},
                             {"places", nlohmann::ordered_json::object()}};
  for (const auto& [name, place] : places_) own["places"][name] = numbers_of(place);
  if (browser_.is_open()) {
    for (const auto& [name, place] : browser_.places()) own["places"]["browser " + name] = numbers_of(place);
  }
  own["asks_where"] = asks_where();
  if (asks_where()) {
    own["name"] = request_browser_.name();
    own["problem"] = request_browser_.problem();
    for (const auto& [name, place] : request_browser_.places())
      own["places"]["browser " + name] = numbers_of(place);
  }
  json["files"] = std::move(own);
}

}  // namespace loom::app::scene
