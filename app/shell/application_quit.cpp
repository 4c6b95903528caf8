// Quitting: immediately, after the quit dialog, or when all unsaved work is saved.

#include <algorithm>
#include <utility>

#include "app/shell/application.h"

namespace loom::app {

bool Application::scene_unsaved() const {
  const bool has_file = documents_ && !documents_->file_name().empty();
  return undo_.modified() || (!has_file && undo_.has_scene_steps());
}

std::string Application::unsaved_scene() const {
  if (scene_problem_.empty() || !scene_unsaved()) return {};
  return "The scene is not saved and cannot be kept for the next start: " + scene_problem_;
}

void Application::set_scene_problem(std::string why) {
  scene_problem_ = std::move(why);
  if (!quit_ || unsaved_scene().empty()) return;
  quit_ = false;
  quit_dialog_.ask({});
}

std::string Application::unsaved() const {
  std::string all;
  for (const auto& workspace : workspaces_) {
    const std::string one = workspace->unsaved();
    if (!one.empty()) all += (all.empty() ? "" : "\n") + one;
  }
  for (const std::string& one : {unsaved_scene(), unfinished()})
    if (!one.empty()) all += (all.empty() ? "" : "\n") + one;
  return all;
}

QuitDialog::UnsavedWork Application::unsaved_work() const {
  const bool can_save =
      !unsaved_scene().empty() ||
      std::ranges::any_of(workspaces_, [](const auto& workspace) { return !workspace->unsaved().empty(); });
  return {unsaved(), can_save};
}

// Saves the unsaved work of the workspaces to files; if there is none, the scene. Running work of the
// documents completes without input.
void Application::save_and_quit(ShellEdit& edit) {
  quit_when_saved_ = true;
  bool is_scene = !unsaved_scene().empty();
  for (std::size_t i = 0; i < workspaces_.size(); ++i) {
    if (workspaces_[i]->unsaved().empty()) continue;
    is_scene = false;             // one dialog at a time
    edit.settings.workspace = i;  // a workspace must be shown to receive the result of its save
    if (auto request = workspaces_[i]->save_unsaved(); request && documents_)
      documents_->ask_for_file(std::move(*request));
  }
  const auto commands = documents_ ? documents_->commands() : std::span<const Command>();
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (is_scene && std::string_view(commands[i].label) == kSaveSceneLabel) documents_->run(i);
  }
  if (documents_ && !documents_->unsaved().empty())
    toasts_.show(Message::hint("The window closes after this: " + documents_->progress().what));
}

// Keeps the window open if a save or running work fails, or if the dialog is closed without a file.
void Application::quit_once_saved() {
  const bool failed = documents_ && documents_->take_failure();
  if (!quit_when_saved_) return;
  if (!failed) {
    if (unsaved().empty()) {
      quit_ = true;
      return;
    }
    if (documents_ && documents_->is_asking_for_file()) return;
  }
  const bool is_scene_lost = !unsaved_scene().empty() && documents_ &&
                             documents_->unsaved().empty();  // else it may be being written
  quit_when_saved_ = !failed && !is_scene_lost && std::ranges::all_of(workspaces_, [](const auto& workspace) {
    return workspace->saving() || workspace->unsaved().empty();
  });
  if (!quit_when_saved_) toasts_.show(Message::hint("The window stays open: not everything was saved"));
}

void Application::request_quit(std::optional<std::chrono::seconds> timeout) {
  // A second request quits without asking: another click on the close button, or a second SIGTERM.
  if (quit_dialog_.asked() || unsaved().empty()) {
    quit_ = true;
  } else {
    quit_dialog_.ask(timeout);
  }
}

}  // namespace loom::app
