#include "app/document/scene/window/scene_files.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/files/fractal_file.h"
#include "app/files/output_file.h"
#include "app/shell/shortcuts.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "compute/core/error.h"

namespace loom::app::scene {

Scene SceneSource::describe(StateNeed need) const {
  const ShellSettings& shell = application_.settings();
  Scene scene{.workspace = std::string(application_.shown().id()),
              .palette = shell.palette,
              .custom_palettes = shell.custom_palettes};
  for (const auto& workspace : application_.workspaces())
    scene.states[std::string(workspace->id())] = workspace->state(need);
  if (get_bookmarks_) scene.bookmarks = get_bookmarks_();
  return scene;
}

void SceneSource::request_data() {
  copied_.clear();
  cancelled_ = false;
  for (const auto& workspace : application_.workspaces()) workspace->request_data();
}

std::optional<Scene> SceneSource::with_data(const Scene& described) {
  bool complete = true;
  for (const auto& workspace : application_.workspaces()) {
    const std::string id(workspace->id());
    if (copied_.contains(id)) continue;
    StateCopy copy = workspace->with_data(described.states.at(id), &application_.shown() != workspace.get());
    cancelled_ = cancelled_ || copy.cancelled;
    if (copy.state) {
      copied_[id] = std::move(copy.state);
    } else {
      complete = false;
    }
  }
  if (!complete) return std::nullopt;
  Scene scene = described;
  scene.states = std::exchange(copied_, {});
  return scene;
}

void SceneSource::show(const Scene& scene, ShellEdit& shell) {
  application_.leave_lesson(shell);
  for (const auto& workspace : application_.workspaces()) {
    if (const auto state = scene.states.find(workspace->id()); state != scene.states.end())
      workspace->restore(state->second);
  }
  if (add_bookmarks_) add_bookmarks_(scene.bookmarks);
  shell.settings.workspace = application_.index_of(scene.workspace);
  show_palette(shell.settings, scene.palette);
  shell.settings.custom_palettes = merge_palettes(scene.custom_palettes, shell.settings.custom_palettes);
  shell.settings.show_start = false;
}

void SceneSource::open_asset(const std::filesystem::path& file, FileKind kind, ShellEdit& shell) {
  if (kind == FileKind::kPalette) {
    render::PaletteSpec recipe = recipe_of(read_palette_file(file));
    recipe.name = free_name(shell.settings.custom_palettes, recipe.name);
    shell.settings.custom_palettes = with_palette(shell.settings.custom_palettes, recipe);
    shell.settings.palette = recipe.name;
  } else if (kind == FileKind::kLesson) {
    shell.lessons.start = file.string();
  } else {
    // A pattern and code become part of what is shown.
    if (kind == FileKind::kFractal || kind == FileKind::kPosition) application_.leave_lesson(shell);
    const auto& all = application_.workspaces();
    const auto opened =
        std::ranges::find_if(all, [&](const auto& one) { return one->open_file(file, kind); });
    if (opened != all.end()) shell.settings.workspace = application_.index_of((*opened)->id());
  }
  shell.settings.show_start = false;
}

CapacityCheck SceneSource::capacity_check() const {
  return capacity_check_for(backend());
}

namespace {

const std::vector<std::string>& saveable() {
  static const std::vector<std::string> extensions = {kExtension};
  return extensions;
}

}  // namespace

Shortcuts<SceneFiles::Request> SceneFiles::shortcuts() {
  Shortcuts<Request> keys;
  keys.add({"Ctrl O", "open a scene, an image that contains one, a pattern, a position or another file",
            Menu::kFile, "Open..."},
           with_ctrl({'o'}), [](Request& w) { w = Request::kOpen; });
  keys.add({"Ctrl S", "save the scene", Menu::kFile, kSaveSceneLabel}, without_shift(with_ctrl({'s'})),
           [](Request& w) { w = Request::kSave; });
  keys.add({"Ctrl Shift S", "save the scene as", Menu::kFile, "Save scene as..."}, with_ctrl_shift('s'),
           [](Request& w) { w = Request::kSaveAs; });
  return keys;
}

SceneFiles::SceneFiles(SceneSource& source) : source_(source), keys_(shortcuts()), recent_(recent_files()) {}

void SceneFiles::browse(FileBrowser::Mode what) {
  std::string name;
  if (what == FileBrowser::Mode::kSave) {
    name =
        (file_ ? file_->stem().string()
               : plain_file_name(source_.application().shown().state(StateNeed::kDescribed)->file_stem())) +
        kExtension;
  }
  browser_.open(what, name, what == FileBrowser::Mode::kOpen ? extensions_of() : saveable(), folder());
}

void SceneFiles::act() {
  const Request request = std::exchange(command_, Request::kNone);
  if (request == Request::kNone) return;
  if (phase_ != Phase::kNothing && phase_ != Phase::kReadingLastSession) {
    message_ = Message::warning("Another file is in progress: " + progress().what);
    return;
  }
  if (request == Request::kOpen) return browse(FileBrowser::Mode::kOpen);
  // An image that contained the scene is not overwritten.
  const bool named = file_ && file_->extension() == kExtension;
  request == Request::kSave&& named ? save(*file_) : browse(FileBrowser::Mode::kSave);
}

// Whether another file operation may start; if not, sets a message about the running one. Cancels the read of
// the last session, which has lower priority.
bool SceneFiles::is_free() {
  if (phase_ == Phase::kReadingLastSession) {
    read_task_.cancel();
    read_task_.wait();
    phase_ = Phase::kNothing;
  }
  if (phase_ != Phase::kNothing)
    message_ = Message::warning("Another file is in progress: " + progress().what);
  return phase_ == Phase::kNothing;
}

void SceneFiles::save(const std::filesystem::path& file) {
  if (!is_free()) return;
  target_ = file;
  source_.request_data();
  phase_ = Phase::kCopying;
}

void SceneFiles::write(Scene scene) {
  phase_ = Phase::kWriting;
  const std::filesystem::path file = *target_;
  write_task_.start(
      [file, scene = std::make_shared<const Scene>(std::move(scene))](ProgressMonitor& monitor) {
        const std::uint64_t bytes = save_file(file, *scene, &monitor);
        add_recent_file(file);  // in the background, because disk access may be slow
        return bytes;
      },
      fmt::format("{}: out of memory while writing", file.string()));
}

void SceneFiles::read(const std::filesystem::path& file, bool to_offer) {
  try {
    const FileKind kind = kind_of_file(file);
    if (kind != FileKind::kScene && kind != FileKind::kImage) return parts_.emplace_back(file, kind), void();
  } catch (const InputError& error) {
    message_ = Message::error(error.what());
    return;
  }
  if (!is_free()) return;
  phase_ = to_offer ? Phase::kReadingLastSession : Phase::kReading;
  target_ = file;
  read_task_.start(
      [file, to_offer, formats = source_.formats(),
       capacity_check = source_.capacity_check()](ProgressMonitor& monitor) {
        Scene scene = read_file(file, formats, capacity_check, &monitor);
        if (!to_offer) add_recent_file(file);
        return scene;
      },
      fmt::format("{}: out of memory while reading", file.string()));
}

void SceneFiles::load_last_session() {
  const auto file = last_scene_file();
  std::error_code failure;
  if (file && std::filesystem::is_regular_file(*file, failure)) read(*file, true);
}

void SceneFiles::take_written() {
  const auto outcome = write_task_.poll();
  if (!outcome) return;
  phase_ = Phase::kNothing;
  failed_ = !outcome->result;
  const std::string name = target_->filename().string();
  if (outcome->cancelled) {
    message_ = Message::warning(fmt::format("cancelled: {} is unchanged", name));
  } else if (!outcome->result) {
    message_ = Message::error(outcome->problem);
  } else {
    done_ = fmt::format("saved {}: {}", name, describe_bytes(*outcome->result));
    message_ =
        Message::success(fmt::format("Saved {}: {}", target_->string(), describe_bytes(*outcome->result)));
    source_.application().undo().mark_saved(saved_state_);
    set_file(*target_);
    recent_ = recent_files();
  }
}

void SceneFiles::take_read() {
  auto outcome = read_task_.poll();
  if (!outcome) return;
  const bool to_offer = std::exchange(phase_, Phase::kNothing) == Phase::kReadingLastSession;
  if (to_offer) {
    // If it cannot be read, it is not offered and no error is shown, because the user did not request it.
    if (!outcome->result) return;
    last_session_text_ = outcome->result->shown().description();
    last_ = std::move(outcome->result);
    offers_last_session_ = true;
    return;
  }
  failed_ = false;
  const std::string name = target_->filename().string();
  if (outcome->cancelled) {
    message_ = Message::warning(fmt::format("cancelled: {} was not opened", name));
  } else if (!outcome->result) {
    message_ = Message::error(outcome->problem);
  } else {
    pending_scene_ = std::move(outcome->result);
    pending_is_file_ = true;
    done_ = "opened " + name;
    message_ = Message::success("Opened " + target_->string());
    set_file(*target_);
    recent_ = recent_files();
  }
}

void SceneFiles::open_assets(ShellEdit& shell) {
  for (const auto& [file, kind] : std::exchange(parts_, {})) {
    try {
      source_.open_asset(file, kind, shell);
    } catch (const InputError& error) {
      message_ = Message::error(error.what());
    }
  }
}

void SceneFiles::begin(ShellEdit& shell) {
  areas_.clear();
  take_written();
  take_read();
  if (phase_ == Phase::kCopying) {
    if (auto scene = source_.with_data(source_.describe())) {  // the state when the copy is complete
      saved_state_ = source_.application().undo().scene_state();
      write(std::move(*scene));
    } else if (!source_.data_requested()) {
      phase_ = Phase::kNothing;
      failed_ = true;
      message_ = Message::warning(fmt::format("cancelled: {} was not saved", target_->filename().string()));
    }
  }
  while (!dropped_.empty() && (phase_ == Phase::kNothing || phase_ == Phase::kReadingLastSession) &&
         !pending_scene_) {
    const std::filesystem::path file = std::move(dropped_.front());
    dropped_.pop_front();
    read(file, false);
  }
  open_assets(shell);
  if (pending_scene_) {
    source_.show(*pending_scene_, shell);
    if (std::exchange(pending_is_file_, false)) source_.application().undo().mark_opened();
    pending_scene_.reset();
    offers_last_session_ = false;
  }
  if (offers_last_session_ && source_.application().undo().changed_cells()) offers_last_session_ = false;
  act();
}

void SceneFiles::file_menu_items() {
  if (last_) {
    if (ImGui::MenuItem("Restore last session")) restore();
    areas_["last_session"] = item_area();
    tooltip(last_session_text_);
  }
  if (recent_.empty()) return;
  ImGui::Separator();
  note("Recent");
  for (std::size_t i = 0; i < recent_.size(); ++i) {
    const std::string label = recent_[i].filename().string() + "##" + std::to_string(i);
    if (ImGui::MenuItem(label.c_str())) read(recent_[i], false);
    areas_["recent " + std::to_string(i)] = item_area();
    tooltip(recent_[i].string());
  }
  if (ImGui::IsWindowAppearing()) areas_.clear();  // the menu's size is unknown in its first frame
}

void SceneFiles::notice() {
  if (!offers_last_session_) return;
  note("Last session: " + last_session_text_);
  const float half = equal_width(2);
  if (primary_button("Restore", half, {}, "Restores the scene of the last session")) restore();
  areas_["restore"] = item_area();
  ImGui::SameLine();
  if (choice_button("Dismiss", false, remaining_width(), {},
                    "File > Restore last session still restores it until this window closes"))
    offers_last_session_ = false;
  areas_["dismiss"] = item_area();
}

bool SceneFiles::keeps_last_session() const {
  const UndoHistory& undo = source_.application().undo();
  return (last_ || phase_ == Phase::kReadingLastSession) && !undo.can_undo() && !undo.can_redo();
}

void SceneFiles::restore() {
  pending_scene_ = std::exchange(last_, std::nullopt);
  restored_ = true;
  offers_last_session_ = false;
}

void SceneFiles::set_file(const std::filesystem::path& file) {
  file_ = file;
  file_name_ = file.filename().string();
}

void SceneFiles::ask_for_file(SaveRequest request) {
  request_ = std::move(request);
  request_browser_ = FileBrowser({.save = request_->title, .nothing = request_->nothing});
  request_browser_.open(FileBrowser::Mode::kSave, request_->name, {request_->extension}, folder());
}

void SceneFiles::request_dialog() {
  if (!request_) return;
  request_browser_.show(request_->save);
  if (!request_browser_.is_open()) request_.reset();
}

void SceneFiles::dialogs() {
  request_dialog();
  const auto file = browser_.show();
  if (!file) return;
  if (browser_.what() == FileBrowser::Mode::kSave) {
    save(*file);
  } else {
    read(*file, false);
  }
  browser_.close();
}

Progress SceneFiles::progress() const {
  if (phase_ == Phase::kNothing || phase_ == Phase::kReadingLastSession || !target_) return {};
  const std::string name = target_->filename().string();
  if (phase_ == Phase::kCopying) return {"copying the cells for " + name, 0};
  if (phase_ == Phase::kWriting) return {"saving " + name, write_task_.share()};
  return {"opening " + name, read_task_.share()};
}

void SceneFiles::cancel() {
  dropped_.clear();
  write_task_.cancel();
  if (phase_ == Phase::kReading) read_task_.cancel();
}

bool SceneFiles::is_asking_for_file() const {
  const bool is_saving = browser_.is_open() && browser_.what() == FileBrowser::Mode::kSave;
  return request_ || is_saving || command_ == Request::kSave || command_ == Request::kSaveAs;
}

std::string SceneFiles::unsaved() const {
  if (phase_ != Phase::kCopying && phase_ != Phase::kWriting) return {};
  const double share = phase_ == Phase::kWriting ? write_task_.share() : 0;
  return fmt::format("{} is not saved yet ({:.0f} %)", target_->filename().string(), share * 100);
}

void SceneFiles::add_state(nlohmann::ordered_json& json) {
  nlohmann::ordered_json own{{"open", browser_.is_open()},
                             {"saves", browser_.what() == FileBrowser::Mode::kSave},
                             {"name", browser_.name()},
                             {"problem", browser_.problem()},
                             {"offered", offers_last_session_ ? last_session_text_ : ""},
                             {"last_session", last_ ? last_session_text_ : ""},
                             {"done", done_},
                             {"file", file_ ? file_->string() : ""},
                             {"places", numbers_of(areas_)}};
  if (browser_.is_open()) {
    for (const auto& [name, place] : browser_.areas()) own["places"]["browser " + name] = numbers_of(place);
  }
  own["asks_where"] = request_.has_value();
  if (request_) {
    own["name"] = request_browser_.name();
    own["problem"] = request_browser_.problem();
    for (const auto& [name, place] : request_browser_.areas())
      own["places"]["browser " + name] = numbers_of(place);
  }
  json["files"] = std::move(own);
}

}  // namespace loom::app::scene
