#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "app/picture/window/picture_stage.h"
#include "app/shell/documents.h"
#include "app/shell/worker.h"

namespace loom::app::picture {

/// A dialog that makes a file of what the window shows. The cells are copied first, so that the window may go
/// on with them, and the work is done beside the frames.
class SaveDialog : public Documents {
 public:
  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override { return keys_.press(press, wished_); }
  std::span<const KeyHelp> keys() const override { return keys_.help(); }
  bool takes(const std::filesystem::path&) const override { return false; }
  void dropped(const std::filesystem::path&) override {}
  void button(float) override {}
  void notice() override {}
  void dialogs() override;
  bool dialog_open() const override { return open_; }
  Progress progress() const override;
  void cancel() override;
  std::string unsaved() const override;
  bool take_failure() override { return std::exchange(failed_, false); }
  Message take_message() override { return std::exchange(message_, {}); }
  void add_state(nlohmann::ordered_json& json) override;
  /// Its entry in the menu of files.
  void menu_item();

 protected:
  struct Words {
    const char* title;  ///< "Export video"
    const char* key;    ///< "Ctrl Shift F"
    const char* help;   ///< what the key does
    const char* what;   ///< "video"
    const char* verb;   ///< of the button: "Export"
    const char* doing;  ///< "exporting"
    const char* state;  ///< its name in the program's state
  };
  enum class Doing { kNothing, kWaiting, kCopying, kWorking };

  SaveDialog(const Words& words, const Match& key, std::unique_ptr<PictureStage> stage);

  /// The dialog opens: what is shown may be another thing than before. Returns a name for its file.
  virtual std::string opens() = 0;
  /// What is chosen, above the file's name.
  virtual void rows() = 0;
  /// What a file's name may be.
  virtual std::string name_hint() const = 0;
  /// Why the button cannot be pressed; empty where it can.
  virtual std::string why_not() const { return {}; }
  /// What there is to know of it, below the buttons.
  virtual std::string remark() const = 0;
  /// Throws InputError where the file cannot be made as it is chosen.
  virtual void check() const = 0;
  /// The button was pressed and nothing is against it: leads to copy_cells().
  virtual void start() = 0;
  /// The cells were copied: leads to work().
  virtual void copied(FieldCells cells) = 0;

  /// Nothing comes of it.
  void give_up(Message message);
  void copy_cells();
  /// Does the job beside the frames; what it returns follows "saved FILE". Nothing of the dialog is touched
  /// by the job.
  void work(std::function<std::string(Watch&)> job);

  /// The file that the typed name means, from the root on.
  const std::string& file() const { return file_; }
  PictureStage& stage() const { return *stage_; }
  std::map<std::string, Area, std::less<>>& places() { return places_; }
  Doing doing_ = Doing::kNothing;

 private:
  void name(std::string typed);
  void buttons(bool entered);
  void press_button();
  void take();

  Words words_;
  std::unique_ptr<PictureStage> stage_;
  Shortcuts<bool> keys_;
  bool wished_ = false;  ///< the dialog is to be opened
  bool begin_ = false;
  bool open_ = false;
  std::string typed_;  ///< the file, as the user names it
  std::string file_;   ///< what that means
  std::string suggested_;
  std::string making_;  ///< what is being made: the dialog may meanwhile have another name
  bool there_already_ = false;
  std::string problem_;
  bool failed_ = false;  ///< what was being made did not come to be
  Message message_;
  std::string done_;
  std::map<std::string, Area, std::less<>> places_;
  struct Outcome {
    std::string said;
    std::string problem;
    bool cancelled = false;
  };
  Outcome outcome_;  ///< the worker's while it is busy
  Worker worker_;    ///< last: ends before what it works on goes
};

}  // namespace loom::app::picture
