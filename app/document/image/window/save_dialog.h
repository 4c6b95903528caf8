#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "app/document/scene/window/scene_source.h"
#include "app/shell/document_handler.h"
#include "app/tasks/task.h"

namespace loom::app::image {

/// Base of the dialogs that export the scene to a file. The data is copied first, so that the window can
/// continue; the work runs in the background.
class SaveDialog : public DocumentHandler {
 public:
  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override { return keys_.press(press, open_requested_); }
  std::span<const Command> commands() const override { return keys_.commands(); }
  void run(std::size_t command) override { keys_.run(command, open_requested_); }
  void notice() override {}
  void dialogs() override;
  bool dialog_open() const override { return open_; }
  Progress progress() const override;
  void cancel() override { task_.cancel(); }
  std::string unsaved() const override;
  bool take_failure() override { return std::exchange(failed_, false); }
  Message take_message() override { return std::exchange(message_, {}); }
  void add_state(nlohmann::ordered_json& json) override;

 protected:
  struct Labels {
    const char* title;  ///< "Export video"
    const char* key;    ///< "Ctrl Shift F"
    const char* help;   ///< help text of the key
    const char* what;   ///< "video"
    const char* verb;   ///< button label: "Export"
    const char* doing;  ///< "exporting"
    const char* state;  ///< key in the state trace
  };
  enum class Phase { kNothing, kWaiting, kCopying, kWorking };

  /// `source` must outlive it.
  SaveDialog(const Labels& words, const KeyMatcher& key, scene::SceneSource& source);

  /// Called when the dialog opens. Returns a suggested file name.
  virtual std::string on_open() = 0;
  /// Draws the rows above the file name.
  virtual void rows() = 0;
  /// Tooltip of the file name: the allowed names.
  virtual std::string name_hint() const = 0;
  /// Why the button is disabled; empty if it is enabled.
  virtual std::string disabled_reason() const { return {}; }
  /// Note below the buttons.
  virtual std::string remark() const = 0;
  /// Throws InputError if the file cannot be created with these settings.
  virtual void check() const = 0;
  /// Called when the button was pressed and check() passed; must lead to copy_data().
  virtual void start() = 0;
  /// Called when the data of the scene given to copy_data() is copied; must lead to work().
  virtual void on_data_copied(scene::Scene scene) = 0;

  /// Ends the export with a message.
  void abort_save(Message message);
  /// Copies the data of a scene from SceneSource::describe().
  void copy_data(scene::Scene described);
  /// Runs the job in the background; its result is appended to "saved FILE". The job must not touch the
  /// dialog.
  void work(std::function<std::string(ProgressMonitor&)> job);

  /// The absolute path of the typed name.
  const std::string& file() const { return file_; }
  scene::SceneSource& source() const { return source_; }
  Workspace& workspace() const { return source_.application().shown(); }
  std::map<std::string, Area, std::less<>>& areas() { return areas_; }
  Phase phase_ = Phase::kNothing;

 private:
  void name(std::string typed);
  void buttons(bool entered);
  void press_button();
  void take();

  Labels labels_;
  std::string menu_label_;  ///< "Export video..."
  scene::SceneSource& source_;
  scene::Scene described_;  ///< the scene whose data is copied
  Shortcuts<bool> keys_;
  bool open_requested_ = false;  ///< open the dialog in the next frame
  bool begin_ = false;
  bool open_ = false;
  std::string typed_;  ///< file name as typed
  std::string file_;   ///< absolute path
  std::string suggested_;
  std::string file_in_progress_;  ///< file being written; the dialog may have another name meanwhile
  bool file_exists_ = false;
  std::string problem_;
  bool failed_ = false;  ///< the last export failed or was cancelled
  Message message_;
  std::string done_;
  std::map<std::string, Area, std::less<>> areas_;
  Task<std::string> task_;  ///< returns what follows the file's name in the message
};

}  // namespace loom::app::image
