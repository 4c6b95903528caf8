// Quitting: immediately, after the quit dialog, or when all unsaved work is saved.

#include <algorithm>
#include <utility>

#include "app/shell/application.h"

namespace loom::app {

std::string Application::unsaved() const {
  std::string all;
  for (const auto& workspace : workspaces_) {
    const std::string one = workspace->unsaved();
    if (!one.empty()) all += (all.empty() ? "" : "\n") + one;
  }
  const std::string files = documents_ ? documents_->unsaved() : std::string();
  return all + (all.empty() || files.empty() ? "" : "\n") + files;
}

QuitDialog::UnsavedWork Application::unsaved_work() const {
  const bool can_save =
      std::ranges::any_of(workspaces_, [](const auto& workspace) { return !workspace->unsaved().empty(); });
  return {unsaved(), can_save};
}

// Saves the unsaved work of the workspaces to files. Running work of the documents completes without input.
void Application::save_and_quit(ShellEdit& edit) {
  quit_when_saved_ = true;
  for (std::size_t i = 0; i < workspaces_.size(); ++i) {
    if (workspaces_[i]->unsaved().empty()) continue;
    edit.settings.workspace = i;  // a workspace must be shown to receive the result of its save
    if (auto request = workspaces_[i]->save_unsaved(); request && documents_)
      documents_->ask_for_file(std::move(*request));
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
  quit_when_saved_ = !failed && std::ranges::all_of(workspaces_, [](const auto& workspace) {
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
