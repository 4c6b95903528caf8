#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/places/window/places_stage.h"
#include "app/shell/documents.h"
#include "app/shell/worker.h"
#include "render/colour_texture.h"

namespace loom::app::places {

/// The user's places, with a small picture of each: kept, gone to, forgotten; coordinates typed, copied and
/// pasted.
class Places final : public Documents {
 public:
  explicit Places(std::unique_ptr<PlacesStage> stage);
  /// Reads what was kept, where anything is; from now on what changes is kept.
  void load();

  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override;
  std::span<const KeyHelp> keys() const override { return keys_.help(); }
  bool takes(const std::filesystem::path& file) const override;
  void dropped(const std::filesystem::path& file) override { file_ = file; }
  void button(float) override {}
  void notice() override {}
  void dialogs() override;
  void drawn(const DrawnFrame& frame) override;
  bool dialog_open() const override { return open_; }
  Progress progress() const override { return {}; }
  void cancel() override {}
  Message take_message() override { return std::exchange(message_, {}); }
  void add_state(nlohmann::ordered_json& json) override;
  /// The window ends: what is not in the file yet is written. Says what went wrong, in words.
  std::string finish();
  /// Its entries in the menu of files.
  void menu_items();

  const std::vector<scene::Bookmark>& all() const { return places_; }
  /// Those of a scene that was opened join the others.
  void add_of_scene(const std::vector<scene::Bookmark>& places);

 private:
  enum class Wish { kNone, kOpen, kAdd, kCopyCommand };
  struct Shown {
    render::ColourTexture picture;
    bool uploaded = false;
  };
  void act(ShellEdit& shell);
  void go_to_text(const std::string& text, ShellEdit& shell);
  void coordinates_rows();
  void place_list();
  bool place_row(std::size_t number, float width);
  void keep();
  void kept();

  std::unique_ptr<PlacesStage> stage_;
  Shortcuts<Wish> keys_;
  Wish wish_ = Wish::kNone;
  bool begin_ = false;
  bool open_ = false;
  bool to_picture_ = false;  ///< the next frame's picture becomes a place
  bool paste_ = false;       ///< the clipboard says where to go
  std::optional<std::size_t> go_;
  std::optional<std::size_t> forget_;  ///< its picture is still drawn in this frame
  std::optional<std::string> go_text_;
  std::optional<std::filesystem::path> file_;  ///< that was dropped
  std::vector<scene::Bookmark> places_;
  std::vector<Shown> shown_;
  std::string name_;
  std::string coordinates_;
  bool typing_ = false;  ///< the coordinates are the user's while they are typed
  std::string problem_;
  std::string said_;
  Message message_;
  bool shows_dwells_ = false;
  std::map<std::string, Area, std::less<>> areas_;

  bool keeps_ = false;
  bool to_keep_ = false;
  bool failed_ = false;                  ///< the file lacks something: it could not be written
  std::vector<scene::Bookmark> before_;  ///< what the file had when it was last read or written
  std::vector<scene::Bookmark> kept_;    ///< what it has now: the worker's while it is busy
  std::string keep_problem_;             ///< likewise
  Worker worker_;                        ///< last: ends before what it works on goes
};

}  // namespace loom::app::places
