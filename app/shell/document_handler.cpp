#include "app/shell/document_handler.h"

#include <algorithm>
#include <utility>

namespace loom::app {
void DocumentHandlerSet::add(std::unique_ptr<DocumentHandler> documents) {
  all_.push_back(std::move(documents));
  list_commands();
}

void DocumentHandlerSet::list_commands() {
  commands_.clear();
  for (const auto& one : all_) {
    const auto commands = one->commands();
    commands_.insert(commands_.end(), commands.begin(), commands.end());
  }
}

void DocumentHandlerSet::begin(ShellEdit& shell) {
  for (const auto& one : all_) one->begin(shell);
  list_commands();
}

bool DocumentHandlerSet::press(const KeyPress& press) {
  return std::ranges::any_of(all_, [&](const auto& one) { return one->press(press); });
}

void DocumentHandlerSet::on_file_dropped(const std::filesystem::path& file) {
  for (const auto& one : all_) one->on_file_dropped(file);
}

void DocumentHandlerSet::run(std::size_t command) {
  for (const auto& one : all_) {
    const std::size_t count = one->commands().size();
    if (command < count) return one->run(command);
    command -= count;
  }
}

void DocumentHandlerSet::file_menu_items() {
  for (const auto& one : all_) one->file_menu_items();
}

void DocumentHandlerSet::notice() {
  for (const auto& one : all_) one->notice();
}

void DocumentHandlerSet::dialogs() {
  for (const auto& one : all_) one->dialogs();
}

void DocumentHandlerSet::on_frame_rendered(const RenderedFrame& frame) {
  for (const auto& one : all_) one->on_frame_rendered(frame);
}

bool DocumentHandlerSet::dialog_open() const {
  return std::ranges::any_of(all_, [](const auto& one) { return one->dialog_open(); });
}

// Progress of the first handler with running work.
Progress DocumentHandlerSet::progress() const {
  for (const auto& one : all_) {
    if (Progress progress = one->progress(); !progress.what.empty()) return progress;
  }
  return {};
}

// Cancels only the work whose progress is shown.
void DocumentHandlerSet::cancel() {
  for (const auto& one : all_) {
    if (!one->progress().what.empty()) return one->cancel();
  }
}

std::string DocumentHandlerSet::unsaved() const {
  std::string all;
  for (const auto& one : all_) {
    const std::string lost = one->unsaved();
    if (!lost.empty()) all += (all.empty() ? "" : "\n") + lost;
  }
  return all;
}

bool DocumentHandlerSet::take_failure() {
  bool failed = false;
  for (const auto& one : all_) failed |= one->take_failure();
  return failed;
}

std::string_view DocumentHandlerSet::file_name() const {
  for (const auto& one : all_) {
    if (const std::string_view name = one->file_name(); !name.empty()) return name;
  }
  return {};
}

void DocumentHandlerSet::ask_for_file(SaveRequest request) {
  for (const auto& one : all_) one->ask_for_file(request);
}

bool DocumentHandlerSet::is_asking_for_file() const {
  return std::ranges::any_of(all_, [](const auto& one) { return one->is_asking_for_file(); });
}

Message DocumentHandlerSet::take_message() {
  Message message;
  for (const auto& one : all_) {
    if (Message next = one->take_message(); !next.empty()) message = std::move(next);
  }
  return message;
}

void DocumentHandlerSet::add_state(nlohmann::ordered_json& json) {
  for (const auto& one : all_) one->add_state(json);
}

}  // namespace loom::app
