#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/window/file_browser.h"
#include "app/scene/window/scene_stage.h"
#include "app/shell/documents.h"
#include "app/shell/worker.h"

namespace loom::app::scene {

/// Scenes in the window: saved, opened, dropped, and the one of the last time offered.
class SceneFiles final : public Documents {
 public:
  explicit SceneFiles(std::unique_ptr<SceneStage> stage);

  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override { return keys_.press(press, wish_); }
  std::span<const KeyHelp> keys() const override { return keys_.help(); }
  void dropped(const std::filesystem::path& file) override { dropped_.push_back(file); }
  void button(float width) override;
  void notice() override;
  void dialogs() override;
  bool dialog_open() const override { return browser_.is_open() || request_.has_value(); }
  Progress progress() const override;
  void cancel() override;
  std::string unsaved() const override;
  bool take_failure() override { return std::exchange(failed_, false); }
  std::string_view file_name() const override { return file_name_; }
  void ask_where(SaveRequest request) override;
  bool asks_where() const override { return request_.has_value(); }
  Message take_message() override { return std::exchange(message_, {}); }
  void add_state(nlohmann::ordered_json& json) override;

  /// Reads the scene that was kept at the last end, to be offered.
  void look_for_last();
  /// What others have in its menu.
  void add_to_menu(std::function<void()> items) { more_items_.push_back(std::move(items)); }
  /// The scene is of this file from now on.
  void set_file(const std::filesystem::path& file);

 private:
  enum class Wish { kNone, kOpen, kSave, kSaveAs };
  enum class Doing { kNothing, kCopying, kWriting, kReading, kLooking };
  void browse(FileBrowser::For what);
  bool is_free();
  void save(const std::filesystem::path& file);
  void read(const std::filesystem::path& file, bool to_offer);
  void act();
  void open_parts(ShellEdit& shell);
  void write(Scene scene);
  void take();
  void restore();
  void menu();
  void request_dialog();

  std::unique_ptr<SceneStage> stage_;
  Shortcuts<Wish> keys_;
  Wish wish_ = Wish::kNone;
  Doing doing_ = Doing::kNothing;
  FileBrowser browser_;
  std::optional<SaveRequest> request_;  ///< of another than a scene, until its file is chosen
  FileBrowser request_browser_;
  std::optional<std::filesystem::path> file_;    ///< that the scene was saved to, or came from
  std::string file_name_;                        ///< of it, without its folder
  std::uint64_t described_ = 0;                  ///< UndoHistory::scene_state() of what is being written
  std::optional<std::filesystem::path> target_;  ///< that is being written or read
  std::deque<std::filesystem::path> dropped_;    ///< to be opened, one after the other
  std::vector<std::filesystem::path> parts_;     ///< of scenes, to be opened by the next frame
  std::optional<Scene> to_show_;                 ///< was read; the next frame shows it
  bool to_show_is_file_ = false;                 ///< and is that of `file_`
  std::optional<Scene> last_;                    ///< of the last session, until it is restored
  std::string last_words_;
  bool offers_ = false;  ///< below the File button, and not in its menu alone
  std::vector<std::filesystem::path> recent_;
  std::vector<std::function<void()>> more_items_;
  Message message_;
  bool failed_ = false;  ///< what was to be saved was not
  std::string done_;     ///< what was last saved or opened, in words
  std::map<std::string, Area, std::less<>> places_;

  struct Outcome {
    std::optional<Scene> scene;
    std::string problem;
    std::uint64_t bytes = 0;
    bool cancelled = false;
  };
  Outcome outcome_;  ///< the worker's while it is busy
  Worker worker_;    ///< last: ends before what it works on goes
};

}  // namespace loom::app::scene
