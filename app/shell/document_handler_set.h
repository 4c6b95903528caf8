#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/shell/document_handler.h"

namespace loom::app {

/// Combines several document handlers. Calls go to all of them, except that a dropped regular file goes to
/// the first handler that accepts it, and that progress() and cancel() refer to the first running work.
class DocumentHandlerSet final : public DocumentHandler {
 public:
  void add(std::unique_ptr<DocumentHandler> documents);

  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override;
  std::span<const Command> commands() const override { return commands_; }
  void run(std::size_t command) override;
  void on_file_dropped(const std::filesystem::path& file) override;
  void file_menu_items() override;
  void notice() override;
  void dialogs() override;
  void on_frame_rendered(const RenderedFrame& frame) override;
  bool dialog_open() const override;
  Progress progress() const override;
  void cancel() override;
  std::string unsaved() const override;
  bool take_failure() override;
  std::string_view file_name() const override;
  void ask_for_file(SaveRequest request) override;
  bool is_asking_for_file() const override;
  Message take_message() override;
  void add_state(nlohmann::ordered_json& json) override;

 private:
  std::vector<std::unique_ptr<DocumentHandler>> all_;
  std::vector<Command> commands_;  ///< of all, in their order
  Message message_;
};

}  // namespace loom::app
